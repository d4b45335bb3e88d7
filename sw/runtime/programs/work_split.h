#pragma once
// Which core has how much of the work, by tt-metal's names (tt-metalium/work_split.hpp).

#include <cstdint>
#include <tuple>

#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// `cores` of a grid from `first` on, column by column or, `row_wise`, row by row, as few ranges.
/// Throws Fault(kDescription) when there are not so many.
CoreRangeSet num_cores_to_corerangeset(CoreCoord first, std::uint32_t cores, CoreCoord grid,
                                       bool row_wise = false);
inline CoreRangeSet num_cores_to_corerangeset(std::uint32_t cores, CoreCoord grid,
                                              bool row_wise = false) {
  return num_cores_to_corerangeset({0, 0}, cores, grid, row_wise);
}

/// How many cores, all of them, those that have a unit more than the others, the others, and the
/// units of a core of both. When the work divides evenly the first group is all of them.
using WorkSplit = std::tuple<std::uint32_t, CoreRangeSet, CoreRangeSet, CoreRangeSet, std::uint32_t,
                             std::uint32_t>;
WorkSplit split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise = false);
/// Over the cores of a set, in the order of corerange_to_cores.
WorkSplit split_work_to_cores(const CoreRangeSet& cores, std::uint32_t units,
                              bool row_wise = false);

/// The first `cores` of a grid.
std::vector<CoreCoord> grid_to_cores(std::uint32_t cores, std::uint32_t columns, std::uint32_t rows,
                                     bool row_wise = false);

template <typename A, typename B>
constexpr auto div_up(A number, B by) {
  return (number + by - 1) / by;
}
template <typename A, typename B>
constexpr auto round_up(A number, B to) {
  return div_up(number, to) * to;
}

}  // namespace tvp::runtime
