#include "sw/collectives/algorithms/inc.h"

namespace tvp::collectives {

namespace {

/// Senders that have a lane each at a receiver: as many as a PIM unit has channels.
constexpr std::uint32_t kMostSenders = 16;

RankSet everybody(const ScheduleRequest& request) { return RankSet::first(request.ranks); }

RankSet others(const ScheduleRequest& request, std::uint32_t rank) {
  RankSet made = everybody(request);
  made.remove(rank);
  return made;
}

}  // namespace

std::vector<Primitive> Inc::primitives() const {
  return {Primitive::kBroadcast, Primitive::kReduce,        Primitive::kAllReduce,
          Primitive::kAllGather, Primitive::kReduceScatter, Primitive::kAllToAll};
}

std::string Inc::refusal(const ScheduleRequest& request) const {
  if (request.channels > 1) return "has one channel only: expected channels=1";
  return request.order.empty() ? "" : "does not use an order of ranks: expected order= empty";
}

Schedule Inc::build(const ScheduleRequest& request) const {
  ProgramBuilder builder(request.primitive, request.ranks, request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  switch (request.primitive) {
    case Primitive::kAllReduce:
      all_reduce(builder, request);
      break;
    case Primitive::kAllGather:
      all_gather(builder, request);
      break;
    case Primitive::kReduceScatter:
      reduce_scatter(builder, request);
      break;
    case Primitive::kAllToAll:
      all_to_all(builder, request);
      break;
    default:
      rooted(builder, request);
  }
  return builder.finish(title(request));
}

void Inc::rooted(ProgramBuilder& builder, const ScheduleRequest& request) {
  const bool spreads = request.primitive == Primitive::kBroadcast;
  const RankSet root{request.root};
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank)
    for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
      auto outward = builder.at(rank, 0);
      auto inward = builder.at(rank, 1);
      if (spreads && rank == request.root)
        outward.send_to_switch({}, others(request, request.root), input(segment))
            .copy(input(segment), output(segment));
      else if (spreads)
        inward.receive(kSwitch, output(segment));
      else
        outward.send_to_switch(everybody(request), root, input(segment));
      if (spreads || rank != request.root) continue;
      inward.receive(kSwitch, output(segment));
      if (request.average) inward.scale(output(segment), output(segment));
    }
}

void Inc::all_reduce(ProgramBuilder& builder, const ScheduleRequest& request) {
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank)
    for (std::uint32_t segment = 0; segment < request.segments; ++segment) {
      builder.at(rank, 0).send_to_switch(everybody(request), everybody(request), input(segment));
      auto inward = builder.at(rank, 1);
      inward.receive(kSwitch, output(segment));
      if (request.average) inward.scale(output(segment), output(segment));
    }
}

/// Each sender has a channel and a lane, because its messages arrive at any time. With more ranks
/// than channels the first ranks also multicast for the others, which send them their chunks. One
/// channel remains for these messages.
void Inc::all_gather(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t k = request.segments;
  const std::uint32_t n = request.ranks;
  const std::uint32_t senders = n <= kMostSenders ? n : kMostSenders - 1;
  for (std::uint32_t rank = 0; rank < n; ++rank)
    for (std::uint32_t chunk = 0; chunk < n; ++chunk) {
      const std::uint32_t from = chunk % senders;
      auto lane = builder.at(rank, from, static_cast<std::uint16_t>(from));
      auto messages = builder.at(rank, senders);
      for (std::uint32_t segment = 0; segment < k; ++segment) {
        const Place own = input(segment);
        const Place there = output(chunk * k + segment);
        if (chunk == rank && from != rank) messages.send(from, own);
        if (from != rank) {
          lane.receive(kSwitch, there);
        } else if (chunk == rank) {
          lane.send_to_switch({}, others(request, rank), own).copy(own, there);
        } else {
          messages.receive(chunk, there);
          lane.send_to_switch({}, others(request, rank), there);
        }
      }
    }
}

/// The switch sorts the chunks of each sender to their ranks. As in an all_gather each sender has a
/// channel. All send in the order of the distance, so that no two begin with the same rank. One
/// lane receives from many senders, because a core polls each lane and has memory for each.
void Inc::all_to_all(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t k = request.segments;
  const std::uint32_t n = request.ranks;
  const bool apart = n <= kMostSenders;
  for (std::uint32_t rank = 0; rank < n; ++rank)
    for (std::uint32_t step = 0; step < n; ++step) {
      const std::uint32_t to = (rank + step) % n;
      const std::uint32_t from = (rank + n - step) % n;
      auto outward = builder.at(rank, apart ? rank : 0, static_cast<std::uint16_t>(rank));
      auto inward = builder.at(rank, apart ? from : 1, static_cast<std::uint16_t>(from));
      for (std::uint32_t segment = 0; segment < k; ++segment) {
        if (step == 0) {
          outward.copy(input(rank * k + segment), output(rank * k + segment));
          continue;
        }
        outward.send_to_switch({}, {to}, input(to * k + segment));
        inward.receive(kSwitch, output(from * k + segment));
      }
    }
}

void Inc::reduce_scatter(ProgramBuilder& builder, const ScheduleRequest& request) {
  const std::uint32_t k = request.segments;
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
    auto outward = builder.at(rank, 0);
    for (std::uint32_t owner = 0; owner < request.ranks; ++owner)
      for (std::uint32_t segment = 0; segment < k; ++segment)
        outward.send_to_switch(everybody(request), {owner}, input(owner * k + segment));
    auto inward = builder.at(rank, 1);
    for (std::uint32_t segment = 0; segment < k; ++segment) {
      inward.receive(kSwitch, output(segment));
      if (request.average) inward.scale(output(segment), output(segment));
    }
  }
}

}  // namespace tvp::collectives
