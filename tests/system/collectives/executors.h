#pragma once

#include <functional>

#include "sw/collectives/execution/chip_executor.h"
#include "sw/collectives/execution/pim_executor.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/pim_system.h"

namespace tvp::collectives {

/// Calls a function with the executor of a machine.
using WithExecutor =
    std::function<void(runtime::DeviceLibrary&, const std::function<void(CollectiveExecutor&)>&)>;

inline void on_chips(runtime::DeviceLibrary& library,
                     const std::function<void(CollectiveExecutor&)>& body) {
  runtime::MeshDevice mesh(library, runtime::MeshDevice::Options{});
  ChipExecutor executor(mesh, ChipExecutor::Options{});
  body(executor);
  executor.finish();
}

inline void on_units(runtime::DeviceLibrary& library,
                     const std::function<void(CollectiveExecutor&)>& body) {
  runtime::PimSystem system(library);
  PimExecutor executor(system);
  body(executor);
}

}  // namespace tvp::collectives
