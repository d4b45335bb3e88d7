#pragma once
// Names that the host headers of 2024 add: containers of the standard library without `std::`, and
// functions that later releases replaced.

#include "sw/metalium/metalium.h"

using std::array;
using std::map;
using std::pair;
using std::vector;

namespace tt::tt_metal {
/// The first `cores` cores of a grid, column by column by default.
inline std::set<CoreRange> num_cores_to_corerange_set(std::uint32_t cores, CoreCoord grid,
                                                      bool row_wise = false) {
  const CoreRangeSet set = num_cores_to_corerangeset(cores, grid, row_wise);
  return {set.ranges().begin(), set.ranges().end()};
}
}  // namespace tt::tt_metal
