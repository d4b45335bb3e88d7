#include "platform/system/descriptor_files.h"

#include <algorithm>
#include <filesystem>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "platform/system/cluster_descriptor.h"
#include "platform/system/soc_descriptor.h"

namespace tvp::platform {

namespace {

using foundation::ChipSpec;
using foundation::Fault;
using foundation::FaultKind;

/// The different kinds of chips of the system.
std::vector<const ChipSpec*> kinds_of(const SystemDescription& system) {
  std::vector<const ChipSpec*> kinds;
  for (const ChipDescription& chip : system.chips) {
    const bool known = std::any_of(kinds.begin(), kinds.end(),
                                   [&](const ChipSpec* kind) { return *kind == *chip.spec; });
    if (!known) kinds.push_back(chip.spec.get());
  }
  return kinds;
}

/// Kinds with the same name differ by their settings.
std::string file_of(const std::vector<const ChipSpec*>& kinds, std::size_t number) {
  if (kinds.size() == 1) return "soc_descriptor.yaml";
  const std::string& name = kinds[number]->name;
  const auto same = [&](const ChipSpec* kind) { return kind->name == name; };
  const auto before = std::count_if(kinds.begin(), kinds.begin() + static_cast<long>(number), same);
  return "soc_descriptor_" + name + (before == 0 ? "" : "_" + std::to_string(before + 1)) + ".yaml";
}

}  // namespace

std::vector<std::string> write_descriptors(const SystemDescription& system,
                                           const std::string& folder) {
  if (system.chips.empty()) {
    throw Fault(FaultKind::kDescription, "--descriptors",
                system.name + " is a system of kind " + system.kind +
                    ", expected one with chips, of kind wormhole");
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) foundation::throw_errno(folder, "cannot be created", error.value());
  std::vector<std::string> files;
  const auto write = [&](const std::string& name, const std::string& text) {
    files.push_back((std::filesystem::path(folder) / name).string());
    foundation::write_file(files.back(), text);
  };
  write("cluster_descriptor.yaml", cluster_descriptor(system));
  const auto kinds = kinds_of(system);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    write(file_of(kinds, i), soc_descriptor(*kinds[i]));
  }
  return files;
}

}  // namespace tvp::platform
