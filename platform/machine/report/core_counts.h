#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/riscv/core.h"

namespace tvp::platform {

/// Adds the executed, slept and waited cycles of every core up to cycle `now` to the entries of a
/// report's "cores", which belong to these cores in this order. The cores have been settled.
void tell_counts(nlohmann::ordered_json& entries, const std::vector<const riscv::Core*>& cores,
                 support::Cycle now);

}  // namespace tvp::platform
