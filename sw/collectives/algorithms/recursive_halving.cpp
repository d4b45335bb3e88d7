#include "sw/collectives/algorithms/recursive_halving.h"

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::string RecursiveHalving::refusal(const ScheduleRequest& request) const {
  if (!is_power_of_two(request.ranks))
    return std::to_string(request.ranks) + " ranks, expected a power of two";
  if (request.channels > 1) return "it has one channel only";
  if (!request.order.empty()) return "an order of ranks, which it does not use";
  return {};
}

Schedule RecursiveHalving::build(const ScheduleRequest& request) const {
  const std::uint32_t k = request.segments;
  ProgramBuilder builder(request.primitive, request.ranks, k);
  builder.set_average(request.average);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    auto outward = builder.at(rank, 0);
    auto inward = builder.at(rank, 1);
    Memory from = Memory::kInput;
    for (const Halving& step : halvings(rank, request.ranks, true)) {
      const bool last = step.count == 1;
      outward.send(step.partner, {from, step.given * k}, step.count * k);
      inward.receive_reduce(step.partner, {from, step.kept * k},
                            last ? output(0) : scratch(step.kept * k), step.count * k);
      from = Memory::kScratch;
    }
    if (request.average) inward.scale(output(0), output(0), k);
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
