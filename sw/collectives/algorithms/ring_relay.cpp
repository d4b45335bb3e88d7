#include "sw/collectives/algorithms/ring_relay.h"

#include <algorithm>

namespace tvp::collectives {

std::string RingRelay::refusal(const ScheduleRequest& request) const {
  return request.channels > 1 ? "has one channel only: expected channels=1" : "";
}

std::uint32_t RingRelay::share_of(const ScheduleRequest& request) {
  const bool splits = !request.variant.empty() && request.variant != "tie_right";
  return request.segments * (splits && request.ranks % 2 == 0 ? 2 : 1);
}

Schedule RingRelay::build(const ScheduleRequest& request) const {
  const std::uint32_t share = share_of(request);
  ProgramBuilder builder(request.primitive, request.ranks, share);
  one_way(builder, request, share, true);
  one_way(builder, request, share, false);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank)
    builder.at(rank, 2).copy(input(rank * share), output(rank * share), share);
  return builder.finish(title(request));
}

std::vector<RingRelay::Wave> RingRelay::waves(const ScheduleRequest& request, bool to_the_right) {
  const std::uint32_t share = share_of(request);
  const bool splits = share == 2 * request.segments;
  std::vector<Wave> made;
  for (std::uint32_t distance = 1; 2 * distance <= request.ranks; ++distance) {
    const bool both_ways = 2 * distance == request.ranks;
    if (both_ways && splits)
      made.push_back({distance, to_the_right ? 0 : share / 2, share / 2});
    else if (!both_ways || to_the_right)
      made.push_back({distance, 0, share});
  }
  if (request.variant == "farthest_first") std::ranges::reverse(made);
  return made;
}

void RingRelay::one_way(ProgramBuilder& builder, const ScheduleRequest& request,
                        std::uint32_t share, bool to_the_right) {
  const RankOrder order(request, !to_the_right);
  for (std::int64_t position = 0; position < order.size(); ++position) {
    const Neighbors around{order.at(position - 1), order.at(position), order.at(position + 1),
                           to_the_right};
    for (const Wave& wave : waves(request, to_the_right)) {
      // A message for each segment.
      const std::uint32_t pieces = wave.pieces / request.segments;
      for (std::uint32_t first = wave.first; first < wave.first + wave.pieces; first += pieces) {
        const Place mine = input(order.at(position + wave.distance) * share + first);
        const Place for_me = output(order.at(position - wave.distance) * share + first);
        if (pieces == 1)
          pass_on(builder, around, wave.distance, mine, for_me);
        else
          store_and_send(builder, around, wave.distance, mine, for_me, pieces);
      }
    }
  }
}

void RingRelay::pass_on(ProgramBuilder& builder, const Neighbors& around, std::uint32_t distance,
                        Place mine, Place for_me) {
  const std::uint16_t channel = around.to_the_right ? 0 : 1;
  auto lane = builder.at(around.rank, channel, channel);
  lane.send(around.next, mine);
  for (std::uint32_t hop = 1; hop < distance; ++hop)
    lane.relay(around.before, around.next, nowhere);
  lane.receive(around.before, for_me);
}

void RingRelay::store_and_send(ProgramBuilder& builder, const Neighbors& around,
                               std::uint32_t distance, Place mine, Place for_me,
                               std::uint32_t pieces) {
  // Messages longer than the two slots of a connection would wait for each other around the whole
  // ring. So chunks under way are stored in one of two places of scratch for each direction.
  const std::uint16_t channel = around.to_the_right ? 0 : 1;
  auto outward = builder.at(around.rank, channel, channel);
  auto inward = builder.at(around.rank, 3U + channel, channel);
  Place held = mine;
  for (std::uint32_t hop = 1; hop <= distance; ++hop) {
    outward.send(around.next, held, pieces);
    held = hop == distance ? for_me : scratch((2U * channel + hop % 2) * pieces);
    inward.receive(around.before, held, pieces);
  }
}

}  // namespace tvp::collectives
