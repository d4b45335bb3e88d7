#include "sw/collectives/reduce_scatter.h"

#include "sw/collectives/level_cost.h"
#include "sw/collectives/ring_schedule.h"

namespace tvp::collectives {

std::uint64_t ReduceScatter::result_bytes(const Vectors& vectors, unsigned rank) const {
  const Vectors::Chunk chunk = vectors.chunk(rank);
  return chunk.end - chunk.begin;
}

std::vector<Bytes> ReduceScatter::evaluate(const Request&, const Vectors& vectors,
                                           const std::vector<Bytes>& operands) const {
  const Bytes all = vectors.reduce(operands);
  std::vector<Bytes> results;
  for (unsigned rank = 0; rank < operands.size(); ++rank)
    results.push_back(part(all, vectors.chunk(rank)));
  return results;
}

Vectors::Verdict ReduceScatter::judge(const Request&, const Vectors& vectors, unsigned rank,
                                      const Bytes& found) const {
  return vectors.judge_reduced(found, vectors.chunk(rank).begin);
}

std::vector<Phases> ReduceScatter::schedule(const Request&, const Plan& plan,
                                            PhaseTable& table) const {
  return schedule_rings(plan, table);
}

Cost ReduceScatter::cost(const Request&, const Plan& plan) const {
  // The chunks that belong to ranks of outer levels lie apart, and each is a message.
  return sum_over_levels(plan, [&](const LevelOfPlan& level) -> Cost {
    return {level.steps * plan.ranks / level.ranks_within, level.steps / level.ranks_within};
  });
}

double ReduceScatter::bus_factor(unsigned ranks) const { return (ranks - 1.0) / ranks; }

void ReduceScatter::complete(const Request&, firmware::collectives::Arguments& arguments) const {
  arguments.kind = static_cast<std::uint32_t>(firmware::collectives::Kind::kReduceScatter);
}

}  // namespace tvp::collectives
