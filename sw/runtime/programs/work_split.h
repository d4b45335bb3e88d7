#pragma once
// Distribution of work over cores, under tt-metal's names (tt-metalium/work_split.hpp).

#include <cstdint>
#include <tuple>

#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// Returns `cores` of a grid from `first` on, column by column or, with `row_wise`, row by row, in
/// as few ranges as possible. Throws Fault(kDescription) if there are too few.
CoreRangeSet num_cores_to_corerangeset(CoreCoord first, std::uint32_t cores, CoreCoord grid,
                                       bool row_wise = false);
inline CoreRangeSet num_cores_to_corerangeset(std::uint32_t cores, CoreCoord grid,
                                              bool row_wise = false) {
  return num_cores_to_corerangeset({0, 0}, cores, grid, row_wise);
}

/// Number of cores, all cores, those with one unit more, the others, and the units of a core of
/// both groups. If the work divides evenly, the first group has all cores.
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
