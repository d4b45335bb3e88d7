#pragma once

#include <memory>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// One object of each check for a tile, in the order of CMakeLists.txt, in which they see events.
std::vector<std::unique_ptr<Check>> all_checks(const TileContext& tile);

}  // namespace tvp::checks
