#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/support/time.h"
#include "platform/machine/chip.h"

namespace tvp::platform {

/// Appends to `heatmaps` the load of the links between the routers of each NoC during `cycles`
/// cycles. Skips a NoC without traffic.
void add_noc_load(nlohmann::ordered_json& heatmaps, Chip& chip, support::Cycle cycles);

}  // namespace tvp::platform
