#include "sw/collectives/algorithms/pat.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace tvp::collectives {

namespace {

/// Appends the rounds that bring the nodes below `nodes`, by offsets from `offset` down.
void descend(std::vector<Pat::Round>& made, std::uint32_t ranks, std::uint32_t most,
             std::uint32_t offset, const std::vector<std::uint32_t>& nodes) {
  if (offset == 0) return;
  Pat::Round round{offset, {}};
  std::vector<std::uint32_t> reached;
  for (const std::uint32_t node : nodes) {
    if (node + offset >= ranks) continue;
    round.nodes.push_back(node);
    reached.push_back(node + offset);
  }
  if (!round.nodes.empty()) made.push_back(std::move(round));
  if (nodes.size() + reached.size() <= most) {
    std::vector<std::uint32_t> both = nodes;
    both.insert(both.end(), reached.begin(), reached.end());
    std::ranges::sort(both);
    descend(made, ranks, most, offset / 2, both);
  } else {
    descend(made, ranks, most, offset / 2, nodes);
    descend(made, ranks, most, offset / 2, reached);
  }
}

/// Hands out numbers, the smallest free one first.
class Slots {
 public:
  std::uint32_t take() {
    if (free_.empty()) return used_++;
    const std::uint32_t slot = *free_.begin();
    free_.erase(free_.begin());
    return slot;
  }
  void give_back(std::uint32_t slot) { free_.insert(slot); }

 private:
  std::set<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace

std::vector<Primitive> Pat::primitives() const {
  return {Primitive::kAllGather, Primitive::kReduceScatter};
}

std::string Pat::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  return request.order.empty() ? "" : "does not use an order of ranks: expected order= empty";
}

std::vector<Pat::Round> Pat::rounds(std::uint32_t ranks, std::uint32_t buffer) {
  std::vector<Round> made;
  descend(made, ranks, buffer ? buffer : ranks, std::bit_ceil(ranks) / 2, {0});
  return made;
}

Schedule Pat::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_average(request.average);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    if (request.primitive == Primitive::kAllGather)
      all_gather(builder, request, rank);
    else
      reduce_scatter(builder, request, rank);
  }
  return builder.finish(title(request));
}

void Pat::all_gather(ProgramBuilder& builder, const ScheduleRequest& request, std::uint32_t rank) {
  // Scratch: outgoing chunks of a message of several chunks, then incoming ones.
  const std::uint32_t n = request.ranks;
  const std::uint32_t k = request.segments;
  const std::vector<Round> all = rounds(n, request.buffer);
  std::size_t widest = 0;
  for (const Round& round : all) widest = std::max(widest, round.nodes.size());
  const auto arriving = static_cast<std::uint32_t>(widest);
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  builder.at(rank, 2).copy(input(0), output(rank * k), k);
  for (const Round& round : all) {
    const auto count = static_cast<std::uint32_t>(round.nodes.size());
    const std::uint32_t to = (rank + round.offset) % n;
    const std::uint32_t from = (rank + n - round.offset) % n;
    const auto held = [&](std::uint32_t node) {
      return node == 0 ? input(0) : output((rank + n - node) % n * k);
    };
    const auto comes = [&](std::uint32_t node) {
      return output((rank + n - node - round.offset) % n * k);
    };
    if (count == 1) {
      outward.send(to, held(round.nodes[0]), k);
      inward.receive(from, comes(round.nodes[0]), k);
      continue;
    }
    for (std::uint32_t at = 0; at < count; ++at)
      outward.copy(held(round.nodes[at]), scratch(at * k), k);
    outward.send(to, scratch(0), count * k);
    inward.receive(from, scratch(arriving * k), count * k);
    for (std::uint32_t at = 0; at < count; ++at)
      inward.copy(scratch((arriving + at) * k), comes(round.nodes[at]), k);
  }
}

void Pat::reduce_scatter(ProgramBuilder& builder, const ScheduleRequest& request,
                         std::uint32_t rank) {
  // Runs in reverse: node d of a rank is the partial sum for the rank d behind it. The rank sends
  // it towards that rank when it contains all contributions from beyond. Waiting sums take a slot
  // of scratch each.
  const std::uint32_t n = request.ranks;
  const std::uint32_t k = request.segments;
  const std::vector<Round> all = rounds(n, request.buffer);
  std::size_t widest = 0;
  for (const Round& round : all) widest = std::max(widest, round.nodes.size());
  const auto arriving = static_cast<std::uint32_t>(widest);
  const std::uint32_t sums = 2 * arriving;
  Slots slots;
  std::map<std::uint32_t, Place> partial;
  const auto own = [&](std::uint32_t node) { return input((rank + n - node) % n * k); };
  auto outward = builder.at(rank, 0);
  auto inward = builder.at(rank, 1);
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    const Round& round = *it;
    const auto count = static_cast<std::uint32_t>(round.nodes.size());
    const std::uint32_t to = (rank + n - round.offset) % n;
    const std::uint32_t from = (rank + round.offset) % n;
    std::vector<Place> leaving;
    for (const std::uint32_t node : round.nodes) {
      const auto found = partial.find(node + round.offset);
      leaving.push_back(found == partial.end() ? own(node + round.offset) : found->second);
    }
    if (count > 1)
      for (std::uint32_t at = 0; at < count; ++at) outward.copy(leaving[at], scratch(at * k), k);
    outward.send(to, count > 1 ? scratch(0) : leaving[0], count * k);
    for (const std::uint32_t node : round.nodes) {
      const auto found = partial.find(node + round.offset);
      if (found == partial.end()) continue;
      slots.give_back((found->second.index / k) - sums);
      partial.erase(found);
    }
    if (count > 1) inward.receive(from, scratch(arriving * k), count * k);
    for (std::uint32_t at = 0; at < count; ++at) {
      const std::uint32_t node = round.nodes[at];
      const bool first = !partial.contains(node);
      if (first) partial[node] = node == 0 ? output(0) : scratch((sums + slots.take()) * k);
      const Place sum = partial[node];
      if (count == 1) {
        inward.receive_reduce(from, first ? own(node) : sum, sum, k);
        continue;
      }
      if (first) inward.copy(own(node), sum, k);
      inward.reduce(scratch((arriving + at) * k), sum, k);
    }
  }
  if (request.average) inward.scale(output(0), output(0), k);
}

}  // namespace tvp::collectives
