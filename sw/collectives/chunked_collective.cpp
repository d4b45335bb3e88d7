#include "sw/collectives/chunked_collective.h"

#include "sw/collectives/level_cost.h"
#include "sw/collectives/ring_schedule.h"

namespace tvp::collectives {

std::vector<Phases> ChunkedCollective::schedule(const Request&, const Plan& plan,
                                                PhaseTable& table) const {
  return schedule_rings(plan, table);
}

Cost ChunkedCollective::cost(const Request&, const Plan& plan) const {
  // The chunks that belong to ranks of outer levels lie apart, and each is a message.
  return sum_over_levels(plan, [&](const LevelOfPlan& level) -> Cost {
    return {level.steps * plan.ranks / level.ranks_within, level.steps / level.ranks_within};
  });
}

double ChunkedCollective::bus_factor(unsigned ranks) const { return (ranks - 1.0) / ranks; }

void ChunkedCollective::complete(const Request&,
                                 firmware::collectives::Arguments& arguments) const {
  arguments.kind = static_cast<std::uint32_t>(kind_);
}

}  // namespace tvp::collectives
