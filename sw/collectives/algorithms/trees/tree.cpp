#include "sw/collectives/algorithms/trees/tree.h"

namespace tvp::collectives {

std::string Tree::refusal(const ScheduleRequest& request) const {
  return request.channels > 1 ? "has one channel only: expected channels=1" : "";
}

RankTree Tree::shape(const ScheduleRequest& request) {
  const std::vector<std::uint32_t> places = places_from_root(request);
  if (request.variant == "search") return search_tree(places);
  if (request.variant == "binomial") return binomial_tree(places, false);
  return heap_tree(places);
}

std::uint32_t Tree::depth(const ScheduleRequest& request) const {
  return 2 * shape(request).depth();
}

Schedule Tree::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  const RankTree tree = shape(request);
  const TreeTraffic traffic(builder, tree, counted(request.segments), 0);
  const std::uint32_t lanes = traffic.up(0, request.average);
  traffic.down(lanes, Memory::kOutput);
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
