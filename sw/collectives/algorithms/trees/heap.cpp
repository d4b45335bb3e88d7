#include "sw/collectives/algorithms/trees/heap.h"

namespace tvp::collectives {

std::vector<Primitive> Heap::primitives() const {
  return {Primitive::kBroadcast, Primitive::kReduce};
}

std::string Heap::refusal(const ScheduleRequest& request) const {
  return request.channels > 1 ? "has one channel only: expected channels=1" : "";
}

std::uint32_t Heap::depth(const ScheduleRequest& request) const {
  return heap_tree(places_from_root(request)).depth();
}

Schedule Heap::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  const RankTree tree = heap_tree(places_from_root(request));
  const TreeTraffic traffic(builder, tree, counted(request.segments), 0);
  if (request.primitive == Primitive::kBroadcast) {
    const std::uint32_t lanes = traffic.down(0, Memory::kInput);
    builder.at(request.root, lanes).copy(input(0), output(0), request.segments);
  } else {
    traffic.up(0, request.average);
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
