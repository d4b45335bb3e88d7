#include "sw/collectives/algorithms/bruck.h"

#include <algorithm>

namespace tvp::collectives {

std::vector<Primitive> Bruck::primitives() const {
  return {Primitive::kAllToAll, Primitive::kAllGather};
}

std::string Bruck::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  return request.order.empty() ? "" : "does not use an order of ranks: expected order= empty";
}

Schedule Bruck::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    if (request.primitive == Primitive::kAllToAll)
      all_to_all(builder, request, rank);
    else
      all_gather(builder, request, rank);
  }
  return builder.finish(title(request));
}

void Bruck::all_to_all(ProgramBuilder& builder, const ScheduleRequest& request,
                       std::uint32_t rank) {
  // Scratch: N chunks by their remaining distance, then outgoing chunks, then incoming chunks.
  const std::uint32_t n = request.ranks;
  const std::uint32_t k = request.segments;
  const std::uint32_t half = (n + 1) / 2;
  const auto slot = [&](std::uint32_t index) { return scratch(index * k); };
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  for (std::uint32_t distance = 1; distance < n; ++distance)
    outward.copy(input((rank + distance) % n * k), slot(distance), k);
  for (std::uint32_t bit = 1; bit < n; bit *= 2) {
    std::uint32_t count = 0;
    for (std::uint32_t distance = bit; distance < n; ++distance)
      if (distance & bit) outward.copy(slot(distance), slot(n + count++), k);
    outward.send((rank + bit) % n, slot(n), count * k);
    inward.receive((rank + n - bit) % n, slot(n + half), count * k);
    count = 0;
    for (std::uint32_t distance = bit; distance < n; ++distance)
      if (distance & bit) inward.copy(slot(n + half + count++), slot(distance), k);
  }
  // Each slot holds the chunk from the rank that many places behind.
  inward.copy(input(rank * k), output(rank * k), k);
  for (std::uint32_t distance = 1; distance < n; ++distance)
    inward.copy(slot(distance), output((rank + n - distance) % n * k), k);
}

void Bruck::all_gather(ProgramBuilder& builder, const ScheduleRequest& request,
                       std::uint32_t rank) {
  // Scratch: chunks of this rank and of those after it.
  const std::uint32_t n = request.ranks;
  const std::uint32_t k = request.segments;
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  outward.copy(input(0), scratch(0), k);
  for (std::uint32_t have = 1; have < n; have *= 2) {
    const std::uint32_t count = std::min(have, n - have);
    outward.send((rank + n - have) % n, scratch(0), count * k);
    inward.receive((rank + have) % n, scratch(have * k), count * k);
  }
  for (std::uint32_t distance = 0; distance < n; ++distance)
    inward.copy(scratch(distance * k), output((rank + distance) % n * k), k);
}

}  // namespace tvp::collectives
