#include "sw/collectives/algorithms/trees/two_tree_pipeline.h"

#include <algorithm>

namespace tvp::collectives {

TwoTreePipeline::TwoTreePipeline(ProgramBuilder& builder, const std::array<RankTree, 2>& trees,
                                 std::uint32_t segments, bool average)
    : builder_(builder),
      trees_(trees),
      segments_(segments),
      average_(average),
      sums_(builder.ranks(), std::vector<std::uint32_t>(std::size_t{2} * segments)) {
  collect_edges();
}

std::uint32_t TwoTreePipeline::height(const RankTree& tree, std::uint32_t rank) const {
  std::uint32_t highest = 0;
  for (const std::uint32_t child : tree.children(rank))
    highest = std::max(highest, height(tree, child) + 1);
  return highest;
}

std::uint32_t TwoTreePipeline::depth(const RankTree& tree, std::uint32_t rank) const {
  return tree.parent(rank) == kNobody ? 0 : depth(tree, tree.parent(rank)) + 1;
}

void TwoTreePipeline::collect_edges() {
  std::vector<PeriodicMessage> messages;
  for (std::uint32_t number = 0; number < trees_.size(); ++number) {
    const RankTree& tree = trees_[number];
    const std::uint32_t all = height(tree, tree.root());
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
      const std::uint32_t parent = tree.parent(rank);
      if (parent == kNobody) continue;
      edges_.push_back({number, true, rank, {rank, parent}, height(tree, rank)});
      edges_.push_back({number, false, rank, {parent, rank}, all + depth(tree, rank) - 1});
    }
  }
  for (const Edge& each : edges_) messages.push_back(each.message);
  const std::vector<std::uint32_t> found = turns(messages, builder_.ranks());
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) edges_[edge].turn = found[edge];
}

void TwoTreePipeline::append() {
  std::uint64_t period = 0;
  for (const Edge& each : edges_) period = std::max<std::uint64_t>(period, each.turn + 1);
  for (std::uint32_t rank = 0; rank < builder_.ranks(); ++rank) {
    std::vector<Deed> deeds;
    for (const Edge& edge : edges_) {
      if (edge.message.from != rank && edge.message.to != rank) continue;
      for (std::uint32_t segment = 0; segment < segments_; ++segment) {
        const std::uint64_t turn = (segment + edge.lag) * period + edge.turn;
        const bool sends = edge.message.from == rank;
        deeds.push_back({2 * turn + !sends, sends, &edge, segment});
      }
    }
    std::ranges::stable_sort(deeds, {}, &Deed::when);
    for (const Deed& deed : deeds) append_deed(rank, deed);
  }
}

void TwoTreePipeline::append_deed(std::uint32_t rank, const Deed& deed) {
  const Edge& edge = *deed.edge;
  const RankTree& tree = trees_[edge.tree];
  const std::uint32_t chunk = edge.tree * segments_ + deed.segment;
  const auto channel = static_cast<std::uint16_t>(edge.tree);
  std::uint32_t& sum = sums_[rank][chunk];
  const Place partial = sum == 0 ? input(chunk) : output(chunk);
  if (deed.sends) {
    builder_.at(rank, 0, channel).send(edge.message.to, edge.up ? partial : output(chunk));
    return;
  }
  auto lane = builder_.at(rank, 1, channel);
  if (!edge.up) {
    lane.receive(edge.message.from, output(chunk));
    return;
  }
  lane.receive_reduce(edge.message.from, partial, output(chunk));
  ++sum;
  if (average_ && rank == tree.root() && sum == tree.children(rank).size())
    lane.scale(output(chunk), output(chunk));
}

}  // namespace tvp::collectives
