#pragma once

#include <string>

namespace tvp::platform {

/// Where the system descriptions lie: $TENSIX_VP_SYSTEMS, or platform/systems of source_root().
std::string system_folder();

}  // namespace tvp::platform
