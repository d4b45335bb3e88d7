#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Senders, each with its receivers.
using SenderMapping = std::vector<std::pair<CoreCoord, CoreRangeSet>>;

/// Throws for a mapping without a sender, with a sender without receivers, or with a core that
/// occurs twice. `where` names its owner.
void check_mapping(const std::string& where, const SenderMapping& mapping);

}  // namespace tvp::runtime
