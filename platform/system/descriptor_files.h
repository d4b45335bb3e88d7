#pragma once

#include <string>
#include <vector>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// Writes cluster_descriptor.yaml and a SoC descriptor for each kind of chip to `folder`, and
/// creates the folder if needed. The SoC descriptor is soc_descriptor.yaml, or
/// soc_descriptor_NAME.yaml for several kinds. Returns the files. Throws Fault(kDescription) if the
/// system has no chips or a file cannot be written.
std::vector<std::string> write_descriptors(const SystemDescription& system,
                                           const std::string& folder);

}  // namespace tvp::platform
