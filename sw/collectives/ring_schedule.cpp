#include "sw/collectives/ring_schedule.h"

#include <algorithm>

#include "sw/runtime/errors.h"

namespace tvp::collectives {

using runtime::bad_use;

/// Out along the first row, back and forth through the others, column by column.
std::vector<unsigned> hamiltonian_ring(const std::string& where, unsigned width, unsigned height) {
  const bool turned = width % 2 != 0;  // then the other side has to be even
  const unsigned columns = turned ? height : width;
  const unsigned rows = turned ? width : height;
  if (width == 1 && height == 1) return {0};
  if ((width == 1 && height == 2) || (width == 2 && height == 1)) return {0, 1};
  if (columns % 2 != 0 || rows < 2) {
    bad_use(where, "a ring with hops of 1 needs a mesh with an even side and two rows, not " +
                       std::to_string(width) + " x " + std::to_string(height));
  }
  const auto number = [&](unsigned column, unsigned row) {
    return turned ? column * width + row : row * width + column;
  };
  std::vector<unsigned> ring;
  for (unsigned column = 0; column < columns; ++column) ring.push_back(number(column, 0));
  for (unsigned column = columns; column-- > 0;)
    for (unsigned i = 1; i < rows; ++i)
      ring.push_back(number(column, (columns - 1 - column) % 2 == 0 ? i : rows - i));
  return ring;
}

GroupsOfLevel::GroupsOfLevel(const Plan& plan, std::size_t level) : size(plan.levels[level]) {
  for (std::size_t l = 0; l < level; ++l) stride *= plan.levels[l];
  for (unsigned rank = 0; rank < plan.ranks; ++rank)
    if (rank / stride % size == 0) first.push_back(rank);
}

std::vector<Phases> schedule_rings(const Plan& plan, PhaseTable& table) {
  std::vector<Phases> phases;
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const GroupsOfLevel groups(plan, level);
    const std::vector<unsigned>& ring = plan.rings[level];
    std::vector<Transfer> transfers;
    for (const unsigned first : groups.first) {
      for (unsigned i = 0; i < groups.size && groups.size > 1; ++i) {
        transfers.push_back(
            {first + groups.stride * ring[i], first + groups.stride * ring[(i + 1) % groups.size]});
      }
    }
    table.add_independent(transfers);
    phases.push_back(table.take());
    // A ring whose messages share nothing needs no phases within a step.
    if (phases.back().size() == 1) phases.back().clear();
  }
  return phases;
}

RingHops ring_hops(const Plan& plan, unsigned mesh_width) {
  RingHops hops;
  const std::vector<unsigned>& ring = plan.rings[0];
  const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
  for (std::size_t i = 0; i < ring.size() && ring.size() > 1; ++i) {
    const unsigned a = ring[i];
    const unsigned b = ring[(i + 1) % ring.size()];
    const unsigned steps =
        distance(a % mesh_width, b % mesh_width) + distance(a / mesh_width, b / mesh_width);
    hops.longest = std::max(hops.longest, steps);
    hops.sum += steps;
  }
  return hops;
}

}  // namespace tvp::collectives
