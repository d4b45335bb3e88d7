#pragma once

#include <memory>
#include <string>

#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// Opens $TENSIX_VP_LIBRARY, or libtensix_vp.so where the dynamic linker finds it. A program that
/// links tensix_vp::runtime knows its place. Throws Fault(kDescription) if it cannot be opened.
std::unique_ptr<DeviceLibrary> open_library();

/// Folder of the firmware that kernels are compiled with: $TENSIX_VP_ROOT, or the library's folder.
/// If the library does not report one, it is the folder of the sources that the runtime was built
/// from. May initialize the library.
std::string firmware_root(DeviceLibrary& library);

}  // namespace tvp::runtime
