#include "sw/collectives/all_reduce.h"

#include "sw/collectives/level_cost.h"
#include "sw/collectives/ring_schedule.h"

namespace tvp::collectives {

std::vector<Bytes> AllReduce::evaluate(const Request&, const Vectors& vectors,
                                       const std::vector<Bytes>& operands) const {
  return std::vector<Bytes>(operands.size(), vectors.reduce(operands));
}

Vectors::Verdict AllReduce::judge(const Request&, const Vectors& vectors, unsigned,
                                  const Bytes& found) const {
  return vectors.judge_reduced(found, 0);
}

std::string AllReduce::explain(const Request& request, const Vectors& vectors, unsigned rank,
                               const Vectors::Verdict& verdict, const Bytes& found) const {
  if (!request.as_written) return "";
  std::vector<Bytes> all;
  for (unsigned r = 0; r < vectors.ranks(); ++r) all.push_back(vectors.input(r));
  const std::uint64_t i = verdict.first_wrong;
  std::string text =
      ": " + vectors.text(found, i) + " instead of " + vectors.text(vectors.reduce(all), i) +
      ". The algorithm is at fault, not the machine: every step sends on the accumulator that the "
      "step before has reduced into, so after N-1 steps the contribution k ranks back counts "
      "C(N-1, k) times instead of once";
  if (request.type != "fp32") {
    const std::int64_t derived = vectors.as_written(rank, i);
    text += "; those weights give " + std::to_string(derived) +
            (derived == vectors.integer(found, i) ? ", as found" : ", which is not what was found");
  }
  return text + ". Forward what was received, or reduce chunk by chunk (variant=standard)";
}

std::vector<Phases> AllReduce::schedule(const Request&, const Plan& plan, PhaseTable& table) const {
  return schedule_rings(plan, table);
}

Cost AllReduce::cost(const Request& request, const Plan& plan) const {
  if (request.as_written) return {2.0 * (plan.ranks - 1), 2.0 * (plan.ranks - 1)};
  return sum_over_levels(plan, [](const LevelOfPlan& level) -> Cost {
    if (!level.in_switch) return {2 * level.steps, 2 * level.steps / level.ranks_within};
    // One message to the switch; where ranks come behind it, one for each part, and a multicast of
    // each.
    const Cost pass = level.outermost ? Cost{1, 1} : Cost{2.0 * level.size, 2.0 - 1.0 / level.size};
    return {pass.alpha, pass.beta * level.size / level.ranks_within};
  });
}

double AllReduce::bus_factor(unsigned ranks) const { return 2 * ((ranks - 1.0) / ranks); }

std::vector<std::string> AllReduce::halves(const Request& request) const {
  if (request.as_written) return {};
  return {"reduce-scatter", "all-gather"};
}

void AllReduce::complete(const Request&, firmware::collectives::Arguments& arguments) const {
  arguments.kind = static_cast<std::uint32_t>(firmware::collectives::Kind::kAllReduce);
}

}  // namespace tvp::collectives
