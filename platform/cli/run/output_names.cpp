#include "platform/cli/run/output_names.h"

#include "foundation/fault.h"
#include "foundation/same_file.h"

namespace tvp::cli {

void OutputNames::reads(const std::string& option, const std::string& file) {
  names_.push_back({.option = option, .file = file, .is_read = true});
}

void OutputNames::add(const std::string& option, const std::string& file) {
  for (const Name& other : names_) {
    if (!foundation::same_file(file, other.file)) continue;
    throw foundation::Fault(foundation::FaultKind::kDescription, option + " " + file,
                            std::string(other.is_read ? "is read by " : "is the file of ") +
                                other.option + " " + other.file +
                                ": expected a file of its own for each output");
  }
  names_.push_back({.option = option, .file = file});
}

}  // namespace tvp::cli
