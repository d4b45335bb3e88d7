#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "firmware/collectives/tree.h"
#include "sw/collectives/pim/phase_table.h"
#include "sw/collectives/pim/pim_request.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::collectives {

using TreeFlow = firmware::collectives::TreeFlow;

/// The ranks, groups and rings of a request on a system. Ranks are units 0 to N-1, as in the PIM
/// interconnect document.
struct PimPlan {
  PimPlan() = default;
  /// Throws Fault(kDescription) if the request does not fit the system.
  PimPlan(const PimRequest& request, const runtime::PimSystem& system);

  unsigned ranks = 1;
  std::vector<unsigned> levels;  ///< ranks of each level, the innermost first
  /// The level that the switch between the chips of a rank executes.
  std::optional<std::size_t> switch_level;
  std::vector<std::vector<unsigned>> rings;  ///< for each level the member at each position
  bool barriers = false;                     ///< instead of credits
  std::vector<Phases> phases;                ///< message_phases() of a mesh with a static schedule
  TreeFlow tree_flow = TreeFlow::kPipelined;

 private:
  void order_rings(const PimRequest& request, const runtime::PimSystem& system);
  void set_phases(const PimRequest& request, const runtime::PimSystem& system);
};

firmware::collectives::TreeShape tree_shape(const PimRequest& request);

/// Links between the routers of neighbors of a flat ring.
struct RingHops {
  unsigned longest = 0;
  unsigned sum = 0;
};
RingHops ring_hops(const PimPlan& plan, unsigned line_units);

}  // namespace tvp::collectives
