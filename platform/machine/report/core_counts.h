#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/riscv/core.h"

namespace tvp::platform {

/// What every core has executed, slept through and waited for up to cycle `now`, into the entries
/// of a report's "cores", which are of these cores in this order. The cores have been settled.
void tell_counts(nlohmann::ordered_json& entries, const std::vector<const riscv::Core*>& cores,
                 support::Cycle now);

}  // namespace tvp::platform
