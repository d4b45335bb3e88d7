#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/riscv/core.h"

namespace tvp::platform {

/// Adds executed instructions, slept instructions and waiting cycles up to cycle `now` to the
/// report's entries "cores". `cores` has the order of the entries, and its cores are settled.
void tell_counts(nlohmann::ordered_json& entries, const std::vector<const riscv::Core*>& cores,
                 support::Cycle now);

}  // namespace tvp::platform
