#include "sw/collectives/all_gather.h"

#include "sw/collectives/level_cost.h"
#include "sw/collectives/ring_schedule.h"

namespace tvp::collectives {

Bytes AllGather::operand(const Request&, const Vectors& vectors, unsigned rank) const {
  return part(vectors.input(rank), vectors.chunk(rank));
}

std::vector<Bytes> AllGather::evaluate(const Request&, const Vectors&,
                                       const std::vector<Bytes>& operands) const {
  Bytes all;
  for (const Bytes& operand : operands) all.insert(all.end(), operand.begin(), operand.end());
  return std::vector<Bytes>(operands.size(), all);
}

Vectors::Verdict AllGather::judge(const Request&, const Vectors& vectors, unsigned,
                                  const Bytes& found) const {
  Vectors::Verdict verdict;
  for (unsigned source = 0; source < vectors.ranks(); ++source) {
    const Vectors::Chunk chunk = vectors.chunk(source);
    verdict.add(vectors.judge_copied(part(found, chunk), source, chunk.begin));
  }
  return verdict;
}

std::vector<Phases> AllGather::schedule(const Request&, const Plan& plan, PhaseTable& table) const {
  return schedule_rings(plan, table);
}

Cost AllGather::cost(const Request&, const Plan& plan) const {
  // The chunks that belong to ranks of outer levels lie apart, and each is a message.
  return sum_over_levels(plan, [&](const LevelOfPlan& level) -> Cost {
    return {level.steps * plan.ranks / level.ranks_within, level.steps / level.ranks_within};
  });
}

double AllGather::bus_factor(unsigned ranks) const { return (ranks - 1.0) / ranks; }

void AllGather::complete(const Request&, firmware::collectives::Arguments& arguments) const {
  arguments.kind = static_cast<std::uint32_t>(firmware::collectives::Kind::kAllGather);
}

}  // namespace tvp::collectives
