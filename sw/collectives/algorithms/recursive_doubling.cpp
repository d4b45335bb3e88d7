#include "sw/collectives/algorithms/recursive_doubling.h"

#include "sw/collectives/algorithms/halvings.h"

namespace tvp::collectives {

std::vector<Primitive> RecursiveDoubling::primitives() const {
  return {Primitive::kAllReduce, Primitive::kAllGather};
}

std::string RecursiveDoubling::refusal(const ScheduleRequest& request) const {
  if (!is_power_of_two(request.ranks))
    return std::to_string(request.ranks) + " ranks, expected a power of two";
  if (request.channels > 1) return "it has one channel only";
  if (!request.order.empty()) return "an order of ranks, which it does not use";
  return {};
}

std::uint32_t RecursiveDoubling::depth(const ScheduleRequest& request) const {
  return request.primitive == Primitive::kAllReduce ? ceil_log2(request.ranks) : 0;
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
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  for (std::uint32_t bit = 1; bit < request.ranks; bit *= 2)
    for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
      const Place mine = bit == 1 ? input(segment) : output(segment);
      outward.send(rank ^ bit, mine);
      inward.receive_reduce(rank ^ bit, mine, output(segment));
    }
  if (request.average) inward.scale(output(0), output(0), request.segments);
}

void RecursiveDoubling::all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                                   std::uint32_t rank) {
  const std::uint32_t k = request.segments;
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  outward.copy(input(0), output(rank * k), k);
  for (std::uint32_t bit = 1; bit < request.ranks; bit *= 2) {
    const std::uint32_t mine = rank & ~(bit - 1);
    outward.send(rank ^ bit, output(mine * k), bit * k);
    inward.receive(rank ^ bit, output((mine ^ bit) * k), bit * k);
  }
}

}  // namespace tvp::collectives
