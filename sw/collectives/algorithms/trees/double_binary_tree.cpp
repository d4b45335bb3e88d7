#include "sw/collectives/algorithms/trees/double_binary_tree.h"

#include <algorithm>

#include "sw/collectives/algorithms/rank_order.h"
#include "sw/collectives/algorithms/trees/two_tree_pipeline.h"

namespace tvp::collectives {

std::vector<Primitive> DoubleBinaryTree::primitives() const { return {Primitive::kAllReduce}; }

std::string DoubleBinaryTree::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (request.root != 0)
    return "a root other than 0: expected root=0, as the two trees have roots of their own";
  if (request.variant == "drawn" && request.ranks != 4)
    return "variant `drawn` with " + std::to_string(request.ranks) + " ranks: expected 4";
  return {};
}

std::array<RankTree, 2> DoubleBinaryTree::trees(const ScheduleRequest& request) {
  const RankOrder order(request, false);
  const auto at = [&](std::uint32_t place) { return order.at(place); };
  if (request.variant == "drawn")
    return {RankTree({at(0), at(1), at(2), at(3)},
                     [](std::uint32_t place) { return place == 3 ? 1U : 0U; }),
            RankTree({at(3), at(0), at(2), at(1)},
                     [](std::uint32_t place) { return place == 3 ? 2U : 0U; })};
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    first.push_back(order.at(place));
    second.push_back(order.size() % 2 ? order.at(std::int64_t{place} + 1)
                                      : order.at(order.size() - 1 - std::int64_t{place}));
  }
  return {search_tree(first), search_tree(second)};
}

std::uint32_t DoubleBinaryTree::depth(const ScheduleRequest& request) const {
  const auto both = trees(request);
  return 2 * std::max(both[0].depth(), both[1].depth());
}

Schedule DoubleBinaryTree::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, 2 * request.segments);
  builder.set_average(request.average);
  if (request.variant == "in_turns") {
    const std::array<RankTree, 2> both = trees(request);
    TwoTreePipeline(builder, both, request.segments, request.average).append();
    return builder.finish(title(request));
  }
  std::uint32_t lane = 0;
  std::uint16_t channel = 0;
  for (const RankTree& tree : trees(request)) {
    const TreeTraffic traffic(builder, tree, counted(request.segments, channel * request.segments),
                              channel);
    lane += traffic.up(lane, request.average);
    lane += traffic.down(lane, Memory::kOutput);
    ++channel;
  }
  return builder.finish(title(request));
}

}  // namespace tvp::collectives
