#pragma once

#include <cstdint>
#include <vector>

#include "sw/collectives/execution/rank_programs.h"

namespace tvp::collectives {

/// The connections of ranks to the switch: the source of each result and of each multicast. Refuses
/// schedules that programs of ranks cannot execute.
///
/// A rank sends contributions of reductions to the switch in one order, in which the switch counts
/// them. A rank has slots for one stream of results or multicasts on a channel.
class SwitchWiring {
 public:
  using Connections =
      std::vector<std::vector<RankPrograms::Connection>>;  ///< connections of each rank

  /// Throws Fault(kDescription) in the name of the schedule.
  static void check(const Schedule& schedule, const RankLimits& limits);
  /// Completes connections whose peer is kSwitch. Throws as check() does.
  static void connect(const Schedule& schedule, const Connections& outs, Connections& ins);
  /// The same schedule with messages between ranks instead of multicasts to one rank. The switch
  /// forwards both alike, but a rank has any number of connections to ranks.
  static Schedule with_messages(Schedule schedule);
};

}  // namespace tvp::collectives
