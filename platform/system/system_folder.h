#pragma once

#include <string>

namespace tvp::platform {

/// Where the system descriptions lie: $TENSIX_VP_SYSTEMS, or the folder of the source tree that
/// this was built from.
std::string system_folder();

/// Without the 0x.
std::string to_hex(unsigned long long value);

}  // namespace tvp::platform
