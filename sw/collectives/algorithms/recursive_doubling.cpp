#include "sw/collectives/algorithms/recursive_doubling.h"

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::vector<Primitive> RecursiveDoubling::primitives() const {
  return {Primitive::kAllReduce, Primitive::kAllGather};
}

std::string RecursiveDoubling::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  return {};
}

std::uint32_t RecursiveDoubling::depth(const ScheduleRequest& request) const {
  if (request.primitive != Primitive::kAllReduce) return 0;
  const std::uint32_t places = Folding(request.ranks).places();
  return ceil_log2(places) + (places == request.ranks ? 0 : 2);
}

Schedule RecursiveDoubling::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_average(request.average);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    if (request.primitive == Primitive::kAllReduce)
      all_reduce(builder, request, rank);
    else
      all_gather(builder, request, rank);
  }
  return builder.finish(title(request));
}

void RecursiveDoubling::all_reduce(ProgramBuilder& builder, const ScheduleRequest& request,
                                   std::uint32_t rank) {
  const Folding folding(request.ranks);
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  const std::uint32_t segments = request.segments;
  if (folding.gives(rank)) {
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      outward.send(rank + 1, input(segment));
      inward.receive(rank + 1, output(segment));
    }
    return;
  }
  const bool both = folding.stands_for_two(rank);
  for (std::uint32_t segment = 0; segment < segments && both; ++segment)
    inward.receive_reduce(rank - 1, input(segment), output(segment));
  const std::uint32_t place = folding.place_of(rank);
  for (std::uint32_t bit = 1; bit < folding.places(); bit *= 2) {
    const std::uint32_t partner = folding.rank_at(place ^ bit);
    for (std::uint32_t segment = 0; segment < segments; ++segment) {
      const Place mine = bit == 1 && !both ? input(segment) : output(segment);
      outward.send(partner, mine);
      inward.receive_reduce(partner, mine, output(segment));
    }
  }
  if (request.average) inward.scale(output(0), output(0), segments);
  for (std::uint32_t segment = 0; segment < segments && both; ++segment)
    outward.send(rank - 1, output(segment));
}

void RecursiveDoubling::all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                                   std::uint32_t rank) {
  const Folding folding(request.ranks);
  const std::uint32_t k = request.segments;
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  if (folding.gives(rank)) {
    outward.send(rank + 1, input(0), k);
    inward.receive(rank + 1, output(0), request.ranks * k);
    return;
  }
  outward.copy(input(0), output(rank * k), k);
  const bool both = folding.stands_for_two(rank);
  if (both) inward.receive(rank - 1, output((rank - 1) * k), k);
  const std::uint32_t place = folding.place_of(rank);
  for (std::uint32_t bit = 1; bit < folding.places(); bit *= 2) {
    const std::uint32_t mine = place & ~(bit - 1);
    const std::uint32_t partner = folding.rank_at(place ^ bit);
    outward.send(partner, output(folding.ranks_before(mine) * k), folding.ranks_of(mine, bit) * k);
    inward.receive(partner, output(folding.ranks_before(mine ^ bit) * k),
                   folding.ranks_of(mine ^ bit, bit) * k);
  }
  if (both) outward.send(rank - 1, output(0), request.ranks * k);
}

}  // namespace tvp::collectives
