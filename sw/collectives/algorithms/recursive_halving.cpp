#include "sw/collectives/algorithms/recursive_halving.h"

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::string RecursiveHalving::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  return {};
}

Schedule RecursiveHalving::build(const ScheduleRequest& request) const {
  const std::uint32_t k = request.segments;
  ProgramBuilder builder(request.primitive, request.ranks, k);
  builder.set_average(request.average);
  const Folding folding(request.ranks);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    auto outward = builder.at(rank, 0);
    auto inward = builder.at(rank, 1);
    if (folding.gives(rank)) {
      outward.send(rank + 1, input(0), request.ranks * k);
      inward.receive(rank + 1, output(0), k);
      continue;
    }
    const bool both = folding.stands_for_two(rank);
    if (both) inward.receive_reduce(rank - 1, input(0), scratch(0), request.ranks * k);
    Memory from = both ? Memory::kScratch : Memory::kInput;
    for (const Halving& step : halvings(folding.place_of(rank), folding.places(), true)) {
      const std::uint32_t partner = folding.rank_at(step.partner);
      const std::uint32_t kept = folding.ranks_before(step.kept) * k;
      const std::uint32_t given = folding.ranks_before(step.given) * k;
      const bool last = step.count == 1 && !both;
      outward.send(partner, {from, given}, folding.ranks_of(step.given, step.count) * k);
      inward.receive_reduce(partner, {from, kept}, last ? output(0) : scratch(kept),
                            folding.ranks_of(step.kept, step.count) * k);
      from = Memory::kScratch;
    }
    if (both) {
      if (request.average) inward.scale(scratch((rank - 1) * k), scratch((rank - 1) * k), 2 * k);
      outward.send(rank - 1, scratch((rank - 1) * k), k);
      inward.copy(scratch(rank * k), output(0), k);
    } else if (request.average) {
      inward.scale(output(0), output(0), k);
    }
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
