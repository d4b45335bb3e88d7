#pragma once

#include <string>
#include <vector>

#include "platform/system/system_description.h"

namespace tvp::platform {

/// Writes to `folder`, which is made when it is missing, cluster_descriptor.yaml and a SoC
/// descriptor for each kind of chip: soc_descriptor.yaml for the only one, soc_descriptor_NAME.yaml
/// for one of several. Returns the files. Throws Fault(kDescription) when the system has no chips
/// or a file cannot be written.
std::vector<std::string> write_descriptors(const SystemDescription& system,
                                           const std::string& folder);

}  // namespace tvp::platform
