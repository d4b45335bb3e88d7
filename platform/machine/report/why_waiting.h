#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/riscv/core.h"

namespace tvp::platform {

/// Text for reports: why a sleeping or blocked core does not continue. It is "waits for " and
/// `waits_for`, or that the loop cannot end, and which counters the loop increments. `describe`
/// returns function and source line of code, or "".
std::string why_waiting(const riscv::Core& core, riscv::CoreState state,
                        const std::string& waits_for,
                        const std::function<std::string(std::uint32_t pc)>& describe);

}  // namespace tvp::platform
