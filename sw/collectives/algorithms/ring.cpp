#include "sw/collectives/algorithms/ring.h"

namespace tvp::collectives {

std::vector<Primitive> Ring::primitives() const {
  return {Primitive::kAllReduce, Primitive::kAllGather, Primitive::kReduceScatter,
          Primitive::kBroadcast, Primitive::kReduce};
}

std::uint32_t Ring::depth(const ScheduleRequest& request) const {
  const bool rooted =
      request.primitive == Primitive::kBroadcast || request.primitive == Primitive::kReduce;
  return rooted ? request.ranks - 1 : 0;
}

Schedule Ring::build(const ScheduleRequest& request) const {
  const bool all_reduces = request.primitive == Primitive::kAllReduce;
  ProgramBuilder builder(request.primitive, request.ranks,
                         all_reduces ? request.ranks * request.segments : request.segments);
  builder.set_root(request.root);
  builder.set_average(request.average);
  for (std::uint32_t channel = 0; channel < request.channels; ++channel) {
    const Lap lap{builder, request, channel, RankOrder(request, request.both_ways && channel % 2),
                  segments_of_channel(request, channel)};
    for (std::uint32_t position = 0; position < request.ranks; ++position) {
      switch (request.primitive) {
        case Primitive::kAllReduce:
          all_reduce(lap, position);
          break;
        case Primitive::kAllGather:
          all_gather(lap, position);
          break;
        case Primitive::kReduceScatter:
          reduce_scatter(lap, position);
          break;
        case Primitive::kBroadcast:
          broadcast(lap, position);
          break;
        default:
          reduce(lap, position);
      }
    }
  }
  return builder.finish(title(request));
}

std::uint32_t Ring::Lap::chunk(std::int64_t position, std::uint32_t segment) const {
  return order.at(position) * request.segments + segment;
}

// A segment goes all the way round before the next one starts. All edges are busy, and two slots
// for each connection are enough.

/// The chunk of the previous rank leaves first, so that the rank's own chunk arrives last.
void Ring::gather_others(const Lap& lap, std::uint32_t position, std::uint32_t segment,
                         ProgramBuilder::LaneOfRank& lane) {
  const std::uint32_t before = lap.order.at(position - std::int64_t{1});
  const std::uint32_t next = lap.order.at(position + std::int64_t{1});
  lane.send(next, input(lap.chunk(position - std::int64_t{1}, segment)));
  for (std::int64_t step = 2; step < lap.order.size(); ++step)
    lane.reduce_relay(before, next, input(lap.chunk(position - step, segment)), nowhere);
}

void Ring::reduce_scatter(const Lap& lap, std::uint32_t position) {
  const std::uint32_t before = lap.order.at(position - std::int64_t{1});
  auto lane =
      lap.builder.at(lap.order.at(position), lap.channel, static_cast<std::uint16_t>(lap.channel));
  for (const std::uint32_t segment : lap.segments) {
    gather_others(lap, position, segment, lane);
    lane.receive_reduce(before, input(lap.chunk(position, segment)), output(segment));
    if (lap.request.average) lane.scale(output(segment), output(segment));
  }
}

void Ring::all_reduce(const Lap& lap, std::uint32_t position) {
  const std::uint32_t before = lap.order.at(position - std::int64_t{1});
  const std::uint32_t next = lap.order.at(position + std::int64_t{1});
  auto lane =
      lap.builder.at(lap.order.at(position), lap.channel, static_cast<std::uint16_t>(lap.channel));
  for (const std::uint32_t segment : lap.segments) {
    gather_others(lap, position, segment, lane);
    // The rank's own chunk is complete here, and goes round once more unchanged.
    const std::uint32_t own = lap.chunk(position, segment);
    if (lap.request.average)
      lane.receive_reduce(before, input(own), output(own))
          .scale(output(own), output(own))
          .send(next, output(own));
    else
      lane.reduce_relay(before, next, input(own), output(own));
    for (std::int64_t step = 1; step + 1 < lap.order.size(); ++step)
      lane.relay(before, next, output(lap.chunk(position - step, segment)));
    lane.receive(before, output(lap.chunk(position + std::int64_t{1}, segment)));
  }
}

void Ring::all_gather(const Lap& lap, std::uint32_t position) {
  const std::uint32_t before = lap.order.at(position - std::int64_t{1});
  const std::uint32_t next = lap.order.at(position + std::int64_t{1});
  const std::uint32_t rank = lap.order.at(position);
  auto lane = lap.builder.at(rank, lap.channel, static_cast<std::uint16_t>(lap.channel));
  auto beside = lap.builder.at(rank, lap.request.channels + lap.channel);
  for (const std::uint32_t segment : lap.segments) {
    lane.send(next, input(segment));
    for (std::int64_t step = 1; step + 1 < lap.order.size(); ++step)
      lane.relay(before, next, output(lap.chunk(position - step, segment)));
    lane.receive(before, output(lap.chunk(position + std::int64_t{1}, segment)));
    beside.copy(input(segment), output(lap.chunk(position, segment)));
  }
}

void Ring::broadcast(const Lap& lap, std::uint32_t position) {
  const std::uint32_t root = lap.order.position(lap.request.root);
  const std::uint32_t rank = lap.order.at(position + std::int64_t{root});
  const std::uint32_t before = lap.order.at(position + std::int64_t{root} - 1);
  const std::uint32_t next = lap.order.at(position + std::int64_t{root} + 1);
  auto lane = lap.builder.at(rank, lap.channel, static_cast<std::uint16_t>(lap.channel));
  for (const std::uint32_t segment : lap.segments) {
    if (position == 0)
      lane.send(next, input(segment));
    else if (position + 1 < lap.order.size())
      lane.relay(before, next, output(segment));
    else
      lane.receive(before, output(segment));
  }
  if (position > 0) return;
  auto beside = lap.builder.at(rank, lap.request.channels + lap.channel);
  for (const std::uint32_t segment : lap.segments) beside.copy(input(segment), output(segment));
}

void Ring::reduce(const Lap& lap, std::uint32_t position) {
  // Down the ring to the root: position 0 is the root, the far end is the rank after it.
  const std::uint32_t root = lap.order.position(lap.request.root);
  const std::uint32_t rank = lap.order.at(std::int64_t{root} - position);
  const std::uint32_t before = lap.order.at(std::int64_t{root} - position - 1);
  const std::uint32_t next = lap.order.at(std::int64_t{root} - position + 1);
  auto lane = lap.builder.at(rank, lap.channel, static_cast<std::uint16_t>(lap.channel));
  for (const std::uint32_t segment : lap.segments) {
    if (position == 0) {
      lane.receive_reduce(before, input(segment), output(segment));
      if (lap.request.average) lane.scale(output(segment), output(segment));
    } else if (position + 1 < lap.order.size()) {
      lane.reduce_relay(before, next, input(segment), nowhere);
    } else {
      lane.send(next, input(segment));
    }
  }
}

}  // namespace tvp::collectives
