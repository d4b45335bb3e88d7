#include "sw/collectives/algorithms/rabenseifner.h"

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::string Rabenseifner::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  return {};
}

Schedule Rabenseifner::build(const ScheduleRequest& request) const {
  const std::uint32_t k = request.segments;
  const Folding folding(request.ranks);
  const std::uint32_t whole = folding.places() * k;
  ProgramBuilder builder(request.primitive, request.ranks, whole);
  builder.set_average(request.average);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    auto outward = builder.at(rank, 0);
    auto inward = builder.at(rank, 1);
    if (folding.gives(rank)) {
      outward.send(rank + 1, input(0), whole);
      inward.receive(rank + 1, output(0), whole);
      continue;
    }
    const bool both = folding.stands_for_two(rank);
    if (both) inward.receive_reduce(rank - 1, input(0), output(0), whole);
    const std::vector<Halving> steps =
        halvings(folding.place_of(rank), folding.places(), request.variant != "near_first");
    Memory from = both ? Memory::kOutput : Memory::kInput;
    for (const Halving& step : steps) {
      const std::uint32_t partner = folding.rank_at(step.partner);
      outward.send(partner, {from, step.given * k}, step.count * k);
      inward.receive_reduce(partner, {from, step.kept * k}, output(step.kept * k), step.count * k);
      from = Memory::kOutput;
    }
    const std::uint32_t own = steps.back().kept * k;
    if (request.average) inward.scale(output(own), output(own), k);
    for (auto it = steps.rbegin(); it != steps.rend(); ++it) {
      const Halving& step = *it;
      const std::uint32_t partner = folding.rank_at(step.partner);
      outward.send(partner, output(step.kept * k), step.count * k);
      inward.receive(partner, output(step.given * k), step.count * k);
    }
    if (both) outward.send(rank - 1, output(0), whole);
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
