#pragma once

#include <cstdint>
#include <vector>

#include "sw/collectives/execution/rank_programs.h"

namespace tvp::collectives {

/// Connections of ranks to the switch of a schedule: whom each result and each multicast comes
/// from, and what no program of a rank can do.
///
/// A rank gives the switch contributions of reductions in one order, in which the switch counts
/// them; it has slots for one stream of results or multicasts on a channel.
class SwitchWiring {
 public:
  using Connections = std::vector<std::vector<RankPrograms::Connection>>;  ///< of each rank

  /// Throws Fault(kDescription) in the name of the schedule.
  static void check(const Schedule& schedule, const RankLimits& limits);
  /// Completes connections whose peer is kSwitch. Throws as check() does.
  static void connect(const Schedule& schedule, const Connections& outs, Connections& ins);
};

}  // namespace tvp::collectives
