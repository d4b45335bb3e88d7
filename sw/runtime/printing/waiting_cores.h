#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "foundation/contract/watcher.h"
#include "sw/runtime/devices/device.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

// Parts of a library's report about cores as text. Empty if the report has none.

/// A line for each core that waits in a kernel, and one for all whose firmware waits for a launch.
std::string waiting_lines(const nlohmann::json& report);
/// The lines of the library's report now.
std::string waiting_cores(const DeviceLibrary& library);
/// The prefix of the names of a tile's cores: "chip0.tensix(1,1).".
std::string tile_name(unsigned chip, const CoreId& core);
/// Replaces "L1 0x8000" by `name` for that address in the lines of `text` that begin with `tile`.
std::string with_name(const std::string& text, const std::string& tile, std::uint32_t address,
                      const std::string& name);
/// Adds the bytes of credits to the lines of cores that wait for pages of a remote circular buffer:
/// its ends may differ in their page sizes.
std::string with_bytes_of_credits(const std::string& text);
/// Positions of a tile's cores in their kernels, from a report: one line for each core.
std::string kernels_of(const std::string& report_text, unsigned chip, const CoreId& core);
/// Describes the assertion that has tripped on a processor.
std::string text_of_assert(const contract::AssertStatus& status, const std::string& kernel);

}  // namespace tvp::runtime
