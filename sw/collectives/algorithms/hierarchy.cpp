#include "sw/collectives/algorithms/hierarchy.h"

#include <algorithm>

namespace tvp::collectives {

namespace {

/// The number of chunks that the vector of an all_reduce must have: the parts of each tier but the
/// first, and the divisor of the first tier's algorithm.
std::uint32_t chunks_of_all_reduce(const ScheduleRequest& request) {
  ScheduleRequest first;
  first.ranks = request.tiers[0].size;
  std::uint32_t chunks =
      algorithm_of_tier(request.tiers[0], Primitive::kAllReduce).schedule(first).share;
  for (std::size_t tier = 1; tier < request.tiers.size(); ++tier)
    chunks *= request.tiers[tier].size;
  return chunks;
}

TierPlan::Where everywhere(Place place) {
  return [place](std::uint32_t) { return place; };
}

/// A place `chunks` chunks further.
Place beyond(Place place, std::uint32_t chunks) { return {place.memory, place.index + chunks}; }

}  // namespace

std::vector<Primitive> Hierarchy::primitives() const {
  return {Primitive::kAllReduce, Primitive::kAllGather, Primitive::kReduceScatter,
          Primitive::kBroadcast, Primitive::kReduce,    Primitive::kAllToAll};
}

std::string Hierarchy::refusal(const ScheduleRequest& request) const {
  if (request.tiers.size() < 2)
    return "expected 2 tiers or more, such as tiers=4x8 inner=ring,ring";
  if (request.channels > 1) return "has one channel only: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  std::uint64_t product = 1;
  for (const Tier& tier : request.tiers) product *= tier.size;
  if (product != request.ranks)
    return "tiers of " + std::to_string(product) + " ranks: expected " +
           std::to_string(request.ranks);
  if (request.primitive == Primitive::kAllToAll && request.tiers.size() > 2)
    return "all_to_all over " + std::to_string(request.tiers.size()) + " tiers: expected 2";
  for (std::size_t tier = 0; tier < request.tiers.size(); ++tier) {
    std::vector<Primitive> needed{request.primitive};
    if (request.primitive == Primitive::kAllReduce && tier > 0)
      needed = {Primitive::kReduceScatter, Primitive::kAllGather};
    for (const Primitive each : needed) {
      if (request.tiers[tier].algorithm == name())
        return "a hierarchy in a hierarchy: expected another algorithm";
      const std::vector<Primitive> able = algorithm_of_tier(request.tiers[tier], each).primitives();
      if (std::ranges::find(able, each) == able.end())
        return "tier " + std::to_string(tier) + " with " + request.tiers[tier].algorithm +
               ", which does not support " + name_of(each);
    }
  }
  return {};
}

Schedule Hierarchy::build(const ScheduleRequest& request) const {
  const bool all_reduces = request.primitive == Primitive::kAllReduce;
  const std::uint32_t part = all_reduces ? chunks_of_all_reduce(request) : 1;
  ProgramBuilder builder(request.primitive, request.ranks, part * request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  TierPlan plan(builder, request);
  for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
    plan.begin_segment();
    const Place from = input(segment * part);
    const Place to = output(segment * part);
    switch (request.primitive) {
      case Primitive::kAllReduce:
        all_reduce(plan, plan.tiers() - 1, from, to, part);
        break;
      case Primitive::kReduceScatter:
        reduce_scatter(plan, from, to);
        break;
      case Primitive::kAllGather:
        all_gather(plan, from, to);
        break;
      case Primitive::kBroadcast:
        broadcast(plan, from, to);
        break;
      case Primitive::kReduce:
        reduce(plan, from, to);
        break;
      default:
        all_to_all(plan, from, to);
    }
  }
  std::string name_of_tiers;
  for (const Tier& tier : request.tiers)
    name_of_tiers += " " + std::to_string(tier.size) + " " + tier.algorithm;
  return builder.finish(title(request) + name_of_tiers);
}

void Hierarchy::all_reduce(TierPlan& plan, std::size_t tier, Place from, Place to,
                           std::uint32_t chunks) {
  if (tier == 0) {
    plan.phase(0, Primitive::kAllReduce, chunks, everywhere(from), everywhere(to));
    if (plan.request().average)
      plan.local(
          [&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) { lane.scale(to, to, chunks); });
    return;
  }
  const std::uint32_t part = chunks / plan.size(tier);
  const Place mine = plan.take_scratch(part);
  const Place whole = plan.take_scratch(part);
  plan.phase(tier, Primitive::kReduceScatter, part, everywhere(from), everywhere(mine));
  all_reduce(plan, tier - 1, mine, whole, part);
  plan.phase(tier, Primitive::kAllGather, part, everywhere(whole), everywhere(to));
}

void Hierarchy::reduce_scatter(TierPlan& plan, Place from, Place to) {
  // Sorted so that the part of each place in the last tier is one run, and so on inwards.
  const std::uint32_t n = plan.builder().ranks();
  const std::uint32_t k = plan.builder().share();
  const Place sorted = plan.take_scratch(n);
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) {
    for (std::uint32_t rank = 0; rank < n; ++rank)
      lane.copy(beyond(from, rank * k), beyond(sorted, plan.turned(rank)));
  });
  Place left = sorted;
  std::uint32_t chunks = n;
  for (std::size_t tier = plan.tiers(); tier-- > 0;) {
    chunks /= plan.size(tier);
    const Place next = tier == 0 ? to : plan.take_scratch(chunks);
    plan.phase(tier, Primitive::kReduceScatter, chunks, everywhere(left), everywhere(next));
    left = next;
  }
  if (plan.request().average)
    plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) { lane.scale(to, to); });
}

void Hierarchy::all_gather(TierPlan& plan, Place from, Place to) {
  const std::uint32_t n = plan.builder().ranks();
  const std::uint32_t k = plan.builder().share();
  Place have = from;
  std::uint32_t chunks = 1;
  for (std::size_t tier = 0; tier < plan.tiers(); ++tier) {
    const Place next = plan.take_scratch(chunks * plan.size(tier));
    plan.phase(tier, Primitive::kAllGather, chunks, everywhere(have), everywhere(next));
    have = next;
    chunks *= plan.size(tier);
  }
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) {
    for (std::uint32_t rank = 0; rank < n; ++rank)
      lane.copy(beyond(have, plan.turned(rank)), beyond(to, rank * k));
  });
}

void Hierarchy::broadcast(TierPlan& plan, Place from, Place to) {
  // The first tier broadcasts among the ranks that have the root's place in all other tiers; inner
  // tiers follow.
  const std::uint32_t root = plan.request().root;
  for (std::size_t tier = 0; tier < plan.tiers(); ++tier) {
    const auto takes_part = [&](std::uint32_t rank) {
      for (std::size_t inner = tier + 1; inner < plan.tiers(); ++inner)
        if (plan.digit(rank, inner) != plan.digit(root, inner)) return false;
      // All outer places have the data by now; in the first tier there is one group.
      return true;
    };
    plan.phase(
        tier, Primitive::kBroadcast, 1,
        [&](std::uint32_t rank) { return tier == 0 && rank == root ? from : to; }, everywhere(to),
        takes_part);
  }
}

void Hierarchy::reduce(TierPlan& plan, Place from, Place to) {
  const std::uint32_t root = plan.request().root;
  for (std::size_t tier = plan.tiers(); tier-- > 0;) {
    const auto takes_part = [&](std::uint32_t rank) {
      for (std::size_t inner = tier + 1; inner < plan.tiers(); ++inner)
        if (plan.digit(rank, inner) != plan.digit(root, inner)) return false;
      return true;
    };
    const bool last = tier + 1 == plan.tiers();
    plan.phase(tier, Primitive::kReduce, 1, everywhere(last ? from : to), everywhere(to),
               takes_part);
  }
  if (!plan.request().average) return;
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t rank) {
    if (rank == root) lane.scale(to, to);
  });
}

void Hierarchy::all_to_all(TierPlan& plan, Place from, Place to) {
  // The first phase brings chunks to the right place in the last tier. Chunks are sorted before
  // each of the two phases.
  const std::uint32_t n = plan.builder().ranks();
  const std::uint32_t k = plan.builder().share();
  const std::uint32_t outer = plan.size(0);
  const std::uint32_t inner = plan.size(1);
  const Place leaving = plan.take_scratch(n);
  const Place arrived = plan.take_scratch(n);
  const Place sorted = plan.take_scratch(n);
  const Place there = plan.take_scratch(n);
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) {
    for (std::uint32_t rank = 0; rank < n; ++rank)
      lane.copy(beyond(from, rank * k), beyond(leaving, plan.turned(rank)));
  });
  plan.phase(1, Primitive::kAllToAll, outer, everywhere(leaving), everywhere(arrived));
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) {
    for (std::uint32_t source = 0; source < inner; ++source)
      for (std::uint32_t row = 0; row < outer; ++row)
        lane.copy(beyond(arrived, source * outer + row), beyond(sorted, row * inner + source));
  });
  plan.phase(0, Primitive::kAllToAll, inner, everywhere(sorted), everywhere(there));
  plan.local([&](ProgramBuilder::LaneOfRank& lane, std::uint32_t) {
    for (std::uint32_t rank = 0; rank < n; ++rank)
      lane.copy(beyond(there, rank), beyond(to, rank * k));
  });
}

}  // namespace tvp::collectives
