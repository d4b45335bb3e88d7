#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "firmware/collectives/tree.h"
#include "sw/collectives/phase_table.h"
#include "sw/collectives/request.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::collectives {

using TreeFlow = firmware::collectives::TreeFlow;

/// A request on a system: who takes part, in which groups and rings. Ranks are units 0 to N-1, as
/// in the PIM interconnect document.
struct Plan {
  Plan() = default;
  /// Throws Fault(kDescription) when the request does not fit the system.
  Plan(const Request& request, const runtime::PimSystem& system);

  unsigned ranks = 1;
  std::vector<unsigned> levels;  ///< ranks of each, from the inside out
  /// The level that the switch between the chips of a rank does, if it does.
  std::optional<std::size_t> switch_level;
  std::vector<std::vector<unsigned>> rings;  ///< of each level: member at each position
  bool barriers = false;                     ///< instead of credits
  /// Of each level, of a broadcast one for all: who sends in which phase of a step. None where all
  /// may send at once.
  std::vector<Phases> phases;
  TreeFlow tree_flow = TreeFlow::kPipelined;

 private:
  void order_rings(const Request& request, const runtime::PimSystem& system);
  void schedule(const Request& request, const runtime::PimSystem& system);
};

}  // namespace tvp::collectives
