#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Senders, each with its receivers.
using SenderMapping = std::vector<std::pair<CoreCoord, CoreRangeSet>>;

/// Refuses one without a sender, with a sender without receivers, or with a core that is in it
/// twice; `where` is what it is of.
void check_mapping(const std::string& where, const SenderMapping& mapping);

}  // namespace tvp::runtime
