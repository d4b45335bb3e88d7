#include "sw/collectives/algorithms/trees/rank_tree.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "sw/collectives/algorithms/rank_order.h"

namespace tvp::collectives {

RankTree::RankTree(const std::vector<std::uint32_t>& places,
                   const std::function<std::uint32_t(std::uint32_t)>& parent)
    : root_(places[0]), parents_(places.size(), kNobody), children_(places.size()) {
  for (std::uint32_t place = 1; place < places.size(); ++place) {
    const std::uint32_t above = places[parent(place)];
    parents_[places[place]] = above;
    children_[above].push_back(places[place]);
  }
}

std::uint32_t RankTree::depth() const {
  std::uint32_t deepest = 0;
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    std::uint32_t depth = 0;
    for (std::uint32_t at = rank; parents_[at] != kNobody; at = parents_[at]) ++depth;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

void RankTree::reverse_children() {
  for (auto& children : children_) std::ranges::reverse(children);
}

RankTree heap_tree(const std::vector<std::uint32_t>& places) {
  return {places, [](std::uint32_t place) { return (place - 1) / 2; }};
}

RankTree search_tree(const std::vector<std::uint32_t>& places) {
  const auto count = static_cast<std::uint32_t>(places.size());
  return {places, [count](std::uint32_t place) {
            // Up one level of the search tree, and on along its edge where that is cut off.
            const std::uint32_t bit = place & (~place + 1);
            const std::uint32_t above = (place ^ bit) | (bit << 1);
            return above < count ? above : place ^ bit;
          }};
}

RankTree binomial_tree(const std::vector<std::uint32_t>& places, bool high) {
  return {places, [high](std::uint32_t place) {
            return high ? place ^ std::bit_floor(place) : place & (place - 1);
          }};
}

std::vector<std::uint32_t> places_from_root(const ScheduleRequest& request) {
  const RankOrder order(request, false);
  const std::uint32_t root = order.position(request.root);
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < order.size(); ++place)
    places.push_back(order.at(std::int64_t{root} + place));
  return places;
}

std::vector<std::uint32_t> counted(std::uint32_t count, std::uint32_t first) {
  std::vector<std::uint32_t> made(count);
  std::iota(made.begin(), made.end(), first);
  return made;
}

std::uint32_t TreeTraffic::down(std::uint32_t first_lane, Memory memory) const {
  std::size_t most = 1;
  for (std::uint32_t rank = 0; rank < tree_.size(); ++rank) {
    for (const std::uint32_t segment : segments_) down_of(rank, first_lane, memory, segment);
    most = std::max(most, tree_.children(rank).size());
  }
  return static_cast<std::uint32_t>(most);
}

void TreeTraffic::down_of(std::uint32_t rank, std::uint32_t first_lane, Memory memory,
                          std::uint32_t segment) const {
  const std::vector<std::uint32_t>& children = tree_.children(rank);
  const bool is_root = rank == tree_.root();
  const Place source{is_root ? memory : Memory::kOutput, segment};
  std::uint32_t next = 0;
  if (!is_root) {
    const std::uint32_t first = children.empty() ? kNobody : children[next++];
    builder_.at(rank, first_lane, channel_).relay(tree_.parent(rank), first, output(segment));
  }
  for (; next < children.size(); ++next)
    builder_.at(rank, first_lane + next, channel_).send(children[next], source);
}

std::uint32_t TreeTraffic::up(std::uint32_t first_lane, bool average) const {
  for (std::uint32_t rank = 0; rank < tree_.size(); ++rank)
    for (const std::uint32_t segment : segments_) up_of(rank, first_lane, average, segment);
  return 1;
}

void TreeTraffic::up_of(std::uint32_t rank, std::uint32_t lane_number, bool average,
                        std::uint32_t segment) const {
  auto lane = builder_.at(rank, lane_number, channel_);
  const std::vector<std::uint32_t>& children = tree_.children(rank);
  const bool is_root = rank == tree_.root();
  if (children.empty()) {
    lane.send(tree_.parent(rank), input(segment));
    return;
  }
  for (std::size_t child = 0; child < children.size(); ++child) {
    const Place source = child == 0 ? input(segment) : output(segment);
    if (child + 1 == children.size() && !is_root)
      lane.reduce_relay(children[child], tree_.parent(rank), source, nowhere);
    else
      lane.receive_reduce(children[child], source, output(segment));
  }
  if (is_root && average) lane.scale(output(segment), output(segment));
}

}  // namespace tvp::collectives
