#include "sw/collectives/algorithms/trees/binomial.h"

#include <algorithm>
#include <bit>

namespace tvp::collectives {

namespace {

/// Places of a tree whose parents lack the lowest bit: below place v are v + 1 … v + lowest bit
/// - 1.
std::uint32_t end_below(std::uint32_t place, std::uint32_t count) {
  const std::uint32_t bit = place ? place & (~place + 1) : std::bit_ceil(count);
  return std::min(place + bit, count);
}

bool divided(Primitive primitive) {
  return primitive == Primitive::kGather || primitive == Primitive::kScatter;
}

}  // namespace

std::vector<Primitive> Binomial::primitives() const {
  return {Primitive::kBroadcast, Primitive::kReduce, Primitive::kGather, Primitive::kScatter};
}

std::string Binomial::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!divided(request.primitive) || request.variant.empty()) return {};
  const bool fits = (request.variant == "near_first") == (request.primitive == Primitive::kGather);
  return fits ? ""
              : name_of(request.primitive) + " " + request.variant +
                    ", whose subtrees are not runs of ranks; expected the other variant";
}

std::uint32_t Binomial::depth(const ScheduleRequest& request) const {
  return divided(request.primitive) ? 0 : ceil_log2(request.ranks);
}

Schedule Binomial::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  if (request.primitive == Primitive::kGather) {
    gather(builder, request);
  } else if (request.primitive == Primitive::kScatter) {
    scatter(builder, request);
  } else {
    const bool spreads = request.primitive == Primitive::kBroadcast;
    const bool near_first = request.variant != "far_first";
    // Down the tree the nearest first, with the same tree up the farthest first.
    RankTree tree = binomial_tree(places_from_root(request), near_first == spreads);
    if (!near_first) tree.reverse_children();
    const TreeTraffic traffic(builder, tree, counted(request.segments), 0);
    if (spreads) {
      const std::uint32_t lanes = traffic.down(0, Memory::kInput);
      builder.at(request.root, lanes).copy(input(0), output(0), request.segments);
    } else {
      traffic.up(0, request.average);
    }
  }
  return builder.finish(title(request));
}

void Binomial::gather(ProgramBuilder& builder, const ScheduleRequest& request) {
  // Place v collects the chunks of the places below it in scratch, after its own chunks.
  const std::uint32_t k = request.segments;
  const std::vector<std::uint32_t> places = places_from_root(request);
  const auto count = static_cast<std::uint32_t>(places.size());
  for (std::uint32_t v = 0; v < count; ++v) {
    auto lane = builder.at(places[v]);
    const std::uint32_t end = end_below(v, count);
    const bool leaf = end == v + 1;
    if (!leaf && v > 0) lane.copy(input(0), scratch(0), k);
    for (std::uint32_t bit = 1; v + bit < end; bit *= 2)
      lane.receive(places[v + bit], scratch(bit * k), (end_below(v + bit, count) - v - bit) * k);
    if (v > 0) {
      lane.send(places[v & (v - 1)], leaf ? input(0) : scratch(0), (end - v) * k);
      continue;
    }
    lane.copy(input(0), output(places[0] * k), k);
    for (std::uint32_t other = 1; other < count; ++other)
      lane.copy(scratch(other * k), output(places[other] * k), k);
  }
}

void Binomial::scatter(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t k = request.segments;
  const std::vector<std::uint32_t> places = places_from_root(request);
  const auto count = static_cast<std::uint32_t>(places.size());
  for (std::uint32_t v = 0; v < count; ++v) {
    auto lane = builder.at(places[v]);
    const std::uint32_t end = end_below(v, count);
    if (v == 0) {
      lane.copy(input(places[0] * k), output(0), k);
      for (std::uint32_t other = 1; other < count; ++other)
        lane.copy(input(places[other] * k), scratch(other * k), k);
    } else if (end == v + 1) {
      lane.receive(places[v & (v - 1)], output(0), k);
    } else {
      lane.receive(places[v & (v - 1)], scratch(0), (end - v) * k);
      builder.at(places[v], 1).copy(scratch(0), output(0), k);
    }
    for (std::uint32_t bit = std::bit_floor(end - v - 1); bit > 0 && end > v + 1; bit /= 2)
      lane.send(places[v + bit], scratch(bit * k), (end_below(v + bit, count) - v - bit) * k);
  }
}

}  // namespace tvp::collectives
