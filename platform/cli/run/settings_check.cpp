#include "platform/cli/run/settings_check.h"

#include "platform/cli/run/library_path.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::cli {

void check_settings(const std::string& text) {
  runtime::DeviceLibrary::open(library_path({}))->configure(text);
}

}  // namespace tvp::cli
