#pragma once

#include <string>

#include "foundation/contract/watcher.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

// Parts of a library's report about cores as text. Empty if the report has none.

/// A line for each core that waits.
std::string waiting_cores(const DeviceLibrary& library);
/// The lines of `told` about this core.
std::string lines_of(const std::string& told, unsigned chip, const CoreId& core);
/// Positions of a tile's cores in their kernels, from a report: one line for each core.
std::string kernels_of(const std::string& told, unsigned chip, const CoreId& core);
/// Describes the assertion that has tripped on a processor.
std::string text_of_assert(const contract::AssertStatus& status, const std::string& kernel);

}  // namespace tvp::runtime
