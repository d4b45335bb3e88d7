#include "platform/system/system_folder.h"

#include <cstdio>
#include <cstdlib>

#include "foundation/source_root.h"

namespace tvp::platform {

std::string system_folder() {
  if (const char* folder = std::getenv("TENSIX_VP_SYSTEMS")) return folder;
  return foundation::source_root() + "/platform/systems";
}

std::string to_hex(unsigned long long value) {
  char text[20];
  std::snprintf(text, sizeof text, "%llX", value);
  return text;
}

}  // namespace tvp::platform
