#pragma once

#include <string>

namespace tvp::platform {

/// The folder of the system descriptions: $TENSIX_VP_SYSTEMS, or platform/systems of source_root().
std::string system_folder();

}  // namespace tvp::platform
