#include "platform/system/system_folder.h"

#include <cstdlib>

#include "foundation/source_root.h"

namespace tvp::platform {

std::string system_folder() {
  if (const char* folder = std::getenv("TENSIX_VP_SYSTEMS")) return folder;
  return foundation::source_root() + "/platform/systems";
}

}  // namespace tvp::platform
