#include "sw/collectives/algorithms/tier_plan.h"

#include "sw/collectives/algorithms/algorithm.h"
#include "sw/runtime/errors.h"

namespace tvp::collectives {

const Algorithm& algorithm_of_tier(const Tier& tier, Primitive primitive) {
  const bool scatters = primitive == Primitive::kReduceScatter;
  if (scatters && tier.algorithm == "recursive_doubling")
    return algorithm_named("recursive_halving");
  if (!scatters && tier.algorithm == "recursive_halving")
    return algorithm_named("recursive_doubling");
  return algorithm_named(tier.algorithm);
}

std::uint32_t TierPlan::digit(std::uint32_t rank, std::size_t tier) const {
  for (std::size_t inner = tiers() - 1; inner > tier; --inner) rank /= size(inner);
  return rank % size(tier);
}

std::uint32_t TierPlan::moved(std::uint32_t rank, std::size_t tier, std::uint32_t to) const {
  std::uint32_t stride = 1;
  for (std::size_t inner = tiers() - 1; inner > tier; --inner) stride *= size(inner);
  return rank + (to - digit(rank, tier)) * stride;
}

std::uint32_t TierPlan::turned(std::uint32_t rank) const {
  std::uint32_t made = 0;
  for (std::size_t tier = tiers(); tier-- > 0;) made = made * size(tier) + digit(rank, tier);
  return made;
}

void TierPlan::begin_segment() { lane_ = 0; }

Place TierPlan::take_scratch(std::uint32_t chunks) {
  const Place taken = scratch(scratch_);
  scratch_ += chunks;
  return taken;
}

void TierPlan::phase(std::size_t tier, Primitive primitive, std::uint32_t chunks,
                     const Where& input, const Where& output, const Filter& takes_part) {
  ScheduleRequest asked;
  asked.primitive = primitive;
  asked.ranks = size(tier);
  asked.root = primitive == Primitive::kBroadcast || primitive == Primitive::kReduce
                   ? digit(request_.root, tier)
                   : 0;
  const Schedule group = algorithm_of_tier(request_.tiers[tier], primitive).schedule(asked);
  if (chunks % group.share != 0)
    runtime::bad_use("hierarchy", "tier " + std::to_string(tier) + ": " + group.name + " needs " +
                                      std::to_string(group.share) + " parts of " +
                                      std::to_string(chunks) + " chunks");
  Embedding embedding(builder_, group, chunks / group.share);
  const Place room = take_scratch(embedding.scratch());
  for (std::uint32_t rank = 0; rank < builder_.ranks(); ++rank) {
    if (digit(rank, tier) != 0) continue;
    std::vector<std::uint32_t> members;
    for (std::uint32_t place = 0; place < size(tier); ++place)
      members.push_back(moved(rank, tier, place));
    if (takes_part && !takes_part(members[0])) continue;
    embedding.append(members, lane_, channel_, [&](std::uint32_t of_group) {
      return Memories{input(members[of_group]), output(members[of_group]), room};
    });
  }
  lane_ += embedding.lanes();
  channel_ = static_cast<std::uint16_t>(channel_ + embedding.channels());
}

void TierPlan::local(const std::function<void(ProgramBuilder::LaneOfRank&, std::uint32_t)>& steps) {
  for (std::uint32_t rank = 0; rank < builder_.ranks(); ++rank) {
    auto lane = builder_.at(rank, lane_);
    steps(lane, rank);
  }
  ++lane_;
}

}  // namespace tvp::collectives
