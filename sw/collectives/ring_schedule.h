#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sw/collectives/phase_table.h"
#include "sw/collectives/plan.h"

namespace tvp::collectives {

/// A closed way along the links of a mesh through all its routers, which are numbered row by row.
/// Throws Fault(kDescription) naming `where` when there is none.
std::vector<unsigned> hamiltonian_ring(const std::string& where, unsigned width, unsigned height);

/// Ranks of each group of a level: rank of its member 0, and what lies between neighbors.
struct GroupsOfLevel {
  GroupsOfLevel(const Plan& plan, std::size_t level);
  std::vector<unsigned> first;
  unsigned stride = 1;
  unsigned size = 1;
};

/// Phases of a step of the rings of each level.
std::vector<Phases> schedule_rings(const Plan& plan, PhaseTable& table);

/// Steps between routers, from each rank to the next of a flat ring.
struct RingHops {
  unsigned longest = 0;
  unsigned sum = 0;
};
RingHops ring_hops(const Plan& plan, unsigned mesh_width);

}  // namespace tvp::collectives
