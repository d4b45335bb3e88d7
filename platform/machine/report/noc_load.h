#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/support/time.h"
#include "platform/machine/chip.h"

namespace tvp::platform {

/// Appends to `heatmaps` how busy the links between the routers of each NoC of a chip were in
/// `cycles` cycles; nothing for a NoC that carried nothing.
void add_noc_load(nlohmann::ordered_json& heatmaps, Chip& chip, support::Cycle cycles);

}  // namespace tvp::platform
