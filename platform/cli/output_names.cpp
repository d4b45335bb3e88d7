#include "platform/cli/output_names.h"

#include "foundation/fault.h"
#include "foundation/same_file.h"

namespace tvp::cli {

void OutputNames::add(const std::string& option, const std::string& file) {
  for (const auto& [other, name] : names_) {
    if (!foundation::same_file(file, name)) continue;
    throw foundation::Fault(
        foundation::FaultKind::kDescription, option + " " + file,
        "is the file of " + other + " " + name + ": expected a file of its own for each output");
  }
  names_.emplace_back(option, file);
}

}  // namespace tvp::cli
