#include "sw/collectives/all_to_all.h"

#include "sw/collectives/level_cost.h"
#include "sw/collectives/ring_schedule.h"

namespace tvp::collectives {

std::uint64_t AllToAll::result_bytes(const Vectors& vectors, unsigned rank) const {
  const Vectors::Chunk chunk = vectors.chunk(rank);
  return (chunk.end - chunk.begin) * vectors.ranks();
}

std::vector<Bytes> AllToAll::evaluate(const Request&, const Vectors& vectors,
                                      const std::vector<Bytes>& operands) const {
  std::vector<Bytes> results(operands.size());
  for (unsigned rank = 0; rank < operands.size(); ++rank) {
    for (const Bytes& operand : operands) {
      const Bytes block = part(operand, vectors.chunk(rank));
      results[rank].insert(results[rank].end(), block.begin(), block.end());
    }
  }
  return results;
}

Vectors::Verdict AllToAll::judge(const Request&, const Vectors& vectors, unsigned rank,
                                 const Bytes& found) const {
  Vectors::Verdict verdict;
  const Vectors::Chunk own = vectors.chunk(rank);
  const std::uint64_t size = own.end - own.begin;
  for (unsigned source = 0; source < vectors.ranks(); ++source) {
    verdict.add(
        vectors.judge_copied(part(found, {source * size, (source + 1) * size}), source, own.begin));
  }
  return verdict;
}

/// All of an exchange in the groups of a level.
std::vector<Phases> AllToAll::schedule(const Request&, const Plan& plan, PhaseTable& table) const {
  std::vector<Phases> phases;
  for (std::size_t level = 0; level < plan.levels.size(); ++level) {
    const GroupsOfLevel groups(plan, level);
    std::vector<Transfer> transfers;
    for (const unsigned first : groups.first) {
      for (unsigned i = 0; i < groups.size; ++i) {
        for (unsigned step = 1; step < groups.size; ++step) {
          transfers.push_back(
              {first + groups.stride * i, first + groups.stride * ((i + step) % groups.size)});
        }
      }
    }
    table.add_independent(transfers);
    phases.push_back(table.take());
  }
  return phases;
}

Cost AllToAll::cost(const Request&, const Plan& plan) const {
  return sum_over_levels(plan, [&](const LevelOfPlan& level) -> Cost {
    // A message for each block.
    return {level.steps * plan.ranks / level.size, level.steps / level.size};
  });
}

}  // namespace tvp::collectives
