#include "sw/workloads/collective/link_maps.h"

#include <algorithm>
#include <limits>

namespace tvp::workloads::collective {

namespace {

using Loads = collectives::CollectiveExecutor::LinkLoads;

/// With more ranks the cells are too small.
constexpr std::uint32_t kMostRanks = 64;

HeatMap empty_map(const std::string& name, std::size_t rows, std::size_t columns) {
  HeatMap map;
  map.name = name;
  map.unit = "bytes";
  map.values.assign(rows, std::vector<double>(columns, std::numeric_limits<double>::quiet_NaN()));
  return map;
}

void add(double& cell, std::uint64_t bytes) {
  cell = (cell >= 0 ? cell : 0) + static_cast<double>(bytes);  // the cell may be a hole
}

/// Places 0, 2, 4, … are devices.
std::vector<std::string> labels(const char* what, std::uint32_t count, std::size_t cells) {
  std::vector<std::string> made;
  for (std::size_t i = 0; i < cells; ++i)
    made.push_back(i % 2 == 0 && i / 2 < count ? what + std::to_string(i / 2) : "");
  return made;
}

/// True if a link leads to the next place of a row or column, or closes it to a ring.
bool forwards(std::uint32_t from, std::uint32_t to) {
  return to == from + 1 || (to == 0 && from > 1);
}

void add_mesh_maps(const Loads& loads, Result& result) {
  // The link that closes a ring is shown behind the last device.
  const std::uint32_t columns = loads.columns;
  HeatMap there = empty_map("links to the east and south", 2 * loads.rows, 2 * columns);
  HeatMap back = empty_map("links to the west and north", 2 * loads.rows, 2 * columns);
  for (HeatMap* map : {&there, &back}) {
    map->rows = labels("row ", loads.rows, 2 * loads.rows);
    map->columns = labels("column ", columns, 2 * columns);
  }
  for (const Loads::Link& link : loads.links) {
    const std::uint32_t row = link.from / columns;
    const std::uint32_t column = link.from % columns;
    const std::uint32_t to_row = link.to / columns;
    const std::uint32_t to_column = link.to % columns;
    const bool along = row == to_row;
    const bool forward = along ? forwards(column, to_column) : forwards(row, to_row);
    const std::uint32_t first_row = forward ? row : to_row;
    const std::uint32_t first_column = forward ? column : to_column;
    HeatMap& map = forward ? there : back;
    add(along ? map.values[2 * row][2 * first_column + 1]
              : map.values[2 * first_row + 1][2 * column],
        link.bytes);
  }
  result.heatmaps.push_back(there);
  result.heatmaps.push_back(back);
}

void add_matrix(const Loads& loads, Result& result) {
  std::uint32_t ranks = 0;
  for (const Loads::Link& link : loads.links) ranks = std::max({ranks, link.from + 1, link.to + 1});
  if (ranks == 0 || ranks > kMostRanks) return;
  HeatMap map = empty_map("bytes from a rank (row) to another", ranks, ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    map.rows.push_back(std::to_string(rank));
    map.columns.push_back(std::to_string(rank));
  }
  for (const Loads::Link& link : loads.links) add(map.values[link.from][link.to], link.bytes);
  result.heatmaps.push_back(map);
}

}  // namespace

void add_link_maps(const Loads& loads, Result& result) {
  if (loads.rows != 0) {
    add_mesh_maps(loads, result);
  } else {
    add_matrix(loads, result);
  }
}

}  // namespace tvp::workloads::collective
