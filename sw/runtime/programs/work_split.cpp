#include "sw/runtime/programs/work_split.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

namespace {

/// Joins consecutive cores to as few rectangles as possible. Adjacent cores of a column (or row)
/// form a line, and adjacent lines of the same length form a rectangle.
CoreRangeSet joined(const std::vector<CoreCoord>& cores, bool row_wise) {
  // Along a line, and across lines.
  const auto along = [&](CoreCoord c) { return row_wise ? c.x : c.y; };
  const auto across = [&](CoreCoord c) { return row_wise ? c.y : c.x; };
  std::vector<CoreRange> lines;
  for (const CoreCoord core : cores) {
    const bool continues = !lines.empty() && across(lines.back().end_coord) == across(core) &&
                           along(lines.back().end_coord) + 1 == along(core);
    if (continues) {
      lines.back().end_coord = core;
    } else {
      lines.emplace_back(core);
    }
  }
  std::vector<CoreRange> ranges;
  for (const CoreRange& line : lines) {
    const bool beside = !ranges.empty() &&
                        along(ranges.back().start_coord) == along(line.start_coord) &&
                        along(ranges.back().end_coord) == along(line.end_coord) &&
                        across(ranges.back().end_coord) + 1 == across(line.start_coord);
    if (beside) {
      ranges.back().end_coord = line.end_coord;
    } else {
      ranges.push_back(line);
    }
  }
  return CoreRangeSet(std::move(ranges));
}

CoreRangeSet whole(CoreCoord grid) {
  if (grid.x == 0 || grid.y == 0) bad_use("grid " + grid.str(), "has no cores");
  return CoreRange({0, 0}, {grid.x - 1, grid.y - 1});
}

}  // namespace

CoreRangeSet num_cores_to_corerangeset(CoreCoord first, std::uint32_t cores, CoreCoord grid,
                                       bool row_wise) {
  const std::vector<CoreCoord> all = corerange_to_cores(whole(grid), ~0UL, row_wise);
  const auto begin = std::find(all.begin(), all.end(), first);
  if (static_cast<std::size_t>(all.end() - begin) < cores)
    bad_use("num_cores_to_corerangeset", std::to_string(cores) + " cores from core " + first.str() +
                                             " on; the grid of " + std::to_string(grid.x) + " x " +
                                             std::to_string(grid.y) + " has " +
                                             std::to_string(all.end() - begin));
  return joined({begin, begin + cores}, row_wise);
}

WorkSplit split_work_to_cores(const CoreRangeSet& set, std::uint32_t units, bool row_wise) {
  const std::vector<CoreCoord> all = corerange_to_cores(set, units, row_wise);
  if (all.empty()) {
    if (units != 0) bad_use("split_work_to_cores", "needs cores");
    return {0, {}, {}, {}, 0, 0};
  }
  const auto count = static_cast<std::uint32_t>(all.size());
  const std::uint32_t each = units / count;
  const std::uint32_t rest = units % count;
  if (rest == 0) return {count, joined(all, row_wise), joined(all, row_wise), {}, each, 0};
  return {count,
          joined(all, row_wise),
          joined({all.begin(), all.begin() + rest}, row_wise),
          joined({all.begin() + rest, all.end()}, row_wise),
          each + 1,
          each};
}

WorkSplit split_work_to_cores(CoreCoord grid, std::uint32_t units, bool row_wise) {
  return split_work_to_cores(whole(grid), units, row_wise);
}

std::vector<CoreCoord> grid_to_cores(std::uint32_t cores, std::uint32_t columns, std::uint32_t rows,
                                     bool row_wise) {
  auto all = corerange_to_cores(whole({columns, rows}), cores, row_wise);
  if (all.size() < cores)
    bad_use("grid_to_cores", std::to_string(cores) + " cores of a grid of " +
                                 std::to_string(columns) + " x " + std::to_string(rows));
  return all;
}

}  // namespace tvp::runtime
