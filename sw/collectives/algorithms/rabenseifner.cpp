#include "sw/collectives/algorithms/rabenseifner.h"

#include <ranges>

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::string Rabenseifner::refusal(const ScheduleRequest& request) const {
  if (!is_power_of_two(request.ranks))
    return std::to_string(request.ranks) + " ranks, expected a power of two";
  if (request.channels > 1) return "it has one channel only";
  if (!request.order.empty()) return "an order of ranks, which it does not use";
  return {};
}

Schedule Rabenseifner::build(const ScheduleRequest& request) const {
  const std::uint32_t k = request.segments;
  ProgramBuilder builder(request.primitive, request.ranks, request.ranks * k);
  builder.set_average(request.average);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    auto outward = builder.at(rank, 0);
    auto inward = builder.at(rank, 1);
    const std::vector<Halving> steps =
        halvings(rank, request.ranks, request.variant != "near_first");
    Memory from = Memory::kInput;
    for (const Halving& step : steps) {
      outward.send(step.partner, {from, step.given * k}, step.count * k);
      inward.receive_reduce(step.partner, {from, step.kept * k}, output(step.kept * k),
                            step.count * k);
      from = Memory::kOutput;
    }
    const std::uint32_t own = steps.back().kept * k;
    if (request.average) inward.scale(output(own), output(own), k);
    for (const Halving& step : std::views::reverse(steps)) {
      outward.send(step.partner, output(step.kept * k), step.count * k);
      inward.receive(step.partner, output(step.given * k), step.count * k);
    }
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
