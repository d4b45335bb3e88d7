#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/riscv/core.h"

namespace tvp::platform {

/// Why a core that sleeps or is blocked does not go on, for reports: "waits for " and `waits_for`,
/// or that nothing could end its loop; and what the loop only counts meanwhile, and where.
/// `describe` knows functions and source lines of the core's code, or says "".
std::string why_waiting(const riscv::Core& core, riscv::CoreState state,
                        const std::string& waits_for,
                        const std::function<std::string(std::uint32_t pc)>& describe);

}  // namespace tvp::platform
