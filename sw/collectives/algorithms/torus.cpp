#include "sw/collectives/algorithms/torus.h"

#include <functional>

#include "sw/collectives/algorithms/tier_plan.h"
#include "sw/collectives/ideal/ideal_topology.h"

namespace tvp::collectives {

namespace {

/// The steps of one rank for one part of the vector.
class PartOfRank {
 public:
  /// The place of chunk i of a segment of the part.
  using Chunks = std::function<Place(std::uint32_t segment, std::uint32_t chunk)>;

  PartOfRank(TierPlan& plan, std::uint32_t rank, std::uint32_t part)
      : plan_(plan),
        rank_(rank),
        part_(part),
        sorted_(plan.request().primitive == Primitive::kAllReduce),
        receiving_(lane(part)),
        sending_(lane(static_cast<std::uint32_t>(2 * plan.tiers()) + part)) {}

  /// The chunk of a rank. The chunks of a part are sorted by the rank's place on the part's first
  /// axis, then by that on its second axis, and so on. A block of a phase is then one run of
  /// chunks.
  std::uint32_t chunk_of(std::uint32_t rank) const {
    std::uint32_t chunk = 0;
    for (std::size_t phase = 0; phase < plan_.tiers(); ++phase)
      chunk = chunk * plan_.size(axis(phase)) + plan_.digit(rank, axis(phase));
    return chunk;
  }
  std::uint32_t rank_of(std::uint32_t chunk) const {
    std::uint32_t rank = rank_;
    for (std::size_t phase = plan_.tiers(); phase-- > 0; chunk /= plan_.size(axis(phase)))
      rank = plan_.moved(rank, axis(phase), chunk % plan_.size(axis(phase)));
    return rank;
  }

  /// Leaves the sum of the rank's own chunk in `result`, and partial sums in `partial`.
  void reduce_scatter(const Chunks& operands, const Chunks& partial, const Chunks& result) {
    reduce_up_to(last(), operands, partial);
    for_segments([&](std::uint32_t segment) {
      reduce_along(last(), segment, last() == 0 ? operands : partial, partial, result, false);
    });
  }

  /// Completes `chunks`, which has the rank's own one.
  void all_gather(const Chunks& chunks) { gather_from(last(), chunks); }

  /// Both. A rank forwards the sum of its own chunk while it stores it.
  void all_reduce(const Chunks& operands, const Chunks& sums) {
    reduce_up_to(last(), operands, sums);
    for_segments([&](std::uint32_t segment) {
      reduce_along(last(), segment, last() == 0 ? operands : sums, sums, sums, true);
      forward_along(last(), segment, sums);
    });
    if (last() > 0) gather_from(last() - 1, sums);
  }

  ProgramBuilder::LaneOfRank& receiving() { return receiving_; }

 private:
  /// The ring of a phase, as this rank sees it.
  struct Ring {
    std::uint32_t size;
    std::uint32_t before;
    std::uint32_t next;
    std::uint32_t first;   ///< chunk of the block of place 0
    std::uint32_t length;  ///< chunks of a block
    std::uint32_t place;
    bool up;
    /// The block of the rank that is `steps` before this one in the direction of the ring.
    std::uint32_t block(std::uint32_t steps) const {
      const std::uint32_t at = up ? place + size - steps % size : place + steps;
      return first + at % size * length;
    }
  };

  ProgramBuilder::LaneOfRank lane(std::uint32_t number) {
    return plan_.builder().at(rank_, number, static_cast<std::uint16_t>(part_));
  }
  std::size_t axis(std::size_t phase) const { return (part_ / 2 + phase) % plan_.tiers(); }

  Ring ring(std::size_t phase) const {
    Ring made{};
    const std::size_t along = axis(phase);
    made.size = plan_.size(along);
    made.place = plan_.digit(rank_, along);
    made.up = part_ % 2 == 0;
    const std::uint32_t above = plan_.moved(rank_, along, (made.place + 1) % made.size);
    const std::uint32_t below = plan_.moved(rank_, along, (made.place + made.size - 1) % made.size);
    made.next = made.up ? above : below;
    made.before = made.up ? below : above;
    made.length = plan_.builder().ranks();
    for (std::size_t each = 0; each <= phase; ++each) made.length /= plan_.size(axis(each));
    // Digits of earlier phases are the rank's own.
    made.first = chunk_of(rank_) / (made.length * made.size) * made.length * made.size;
    return made;
  }

  std::size_t last() const { return plan_.tiers() - 1; }

  void for_segments(const std::function<void(std::uint32_t)>& action) const {
    for (std::uint32_t segment = 0; segment < plan_.request().segments; ++segment) action(segment);
  }
  void reduce_up_to(std::size_t end, const Chunks& operands, const Chunks& partial) {
    for (std::size_t phase = 0; phase < end; ++phase)
      for_segments([&](std::uint32_t segment) {
        reduce_along(phase, segment, phase == 0 ? operands : partial, partial, partial, false);
      });
  }
  void gather_from(std::size_t first, const Chunks& chunks) {
    for (std::size_t phase = first + 1; phase-- > 0;)
      for_segments([&](std::uint32_t segment) {
        const Ring along = ring(phase);
        for_messages(phase, along, 0, [&](std::uint32_t chunk, std::uint32_t count) {
          lane_of_sends(along).send(along.next, chunks(segment, chunk), count);
        });
        forward_along(phase, segment, chunks);
      });
  }

  /// Messages of one chunk are forwarded by the lane that receives them, so the lane that receives
  /// also sends the first one. Messages of several chunks need a lane of their own: a rank can send
  /// one only while it receives another.
  ProgramBuilder::LaneOfRank& lane_of_sends(const Ring& along) {
    return along.length == 1 ? receiving_ : sending_;
  }

  /// The messages that carry the block of the rank `steps` before this one. Sorted chunks go
  /// together. Others lie apart in the vector, so each has a message, and no rank copies it.
  void for_messages(
      std::size_t phase, const Ring& along, std::uint32_t steps,
      const std::function<void(std::uint32_t chunk, std::uint32_t count)>& action) const {
    if (sorted_) return action(along.block(steps), along.length);
    for (std::uint32_t sent = 0; sent < along.length; ++sent)
      action(along.block(steps) + in_turn(phase, sent), 1);
  }

  /// The chunk of a block that is the n-th to arrive from the phase before in an all_gather, or the
  /// n-th that the next phase of a reduce_scatter sends. Then both phases overlap.
  std::uint32_t in_turn(std::size_t phase, std::uint32_t n) const {
    const bool reduces = plan_.request().primitive == Primitive::kReduceScatter;
    std::uint32_t chunk = 0;
    while (++phase < plan_.tiers()) {
      const Ring inner = ring(phase);
      chunk += inner.block(n / inner.length % inner.size + (reduces ? 1 : 0)) - inner.first;
    }
    return chunk;
  }

  /// If `forwards`, the last step also sends the sum on.
  void reduce_along(std::size_t phase, std::uint32_t segment, const Chunks& operands,
                    const Chunks& partial, const Chunks& result, bool forwards) {
    const Ring along = ring(phase);
    for_messages(phase, along, 1, [&](std::uint32_t chunk, std::uint32_t count) {
      lane_of_sends(along).send(along.next, operands(segment, chunk), count);
    });
    for (std::uint32_t step = 2; step < along.size; ++step)
      for_messages(phase, along, step, [&](std::uint32_t chunk, std::uint32_t count) {
        const Place mine = operands(segment, chunk);
        if (along.length == 1) {
          receiving_.reduce_relay(along.before, along.next, mine, nowhere);
          return;
        }
        // A longer block does not fit two slots of a connection, so it is stored first.
        const Place sum = partial(segment, chunk);
        receiving_.receive_reduce(along.before, mine, sum, count);
        sending_.send(along.next, sum, count);
      });
    for_messages(phase, along, 0, [&](std::uint32_t chunk, std::uint32_t count) {
      receiving_.reduce_relay(along.before, forwards ? along.next : kNobody,
                              operands(segment, chunk), result(segment, chunk), count);
    });
  }

  /// Receives the blocks of the others, and forwards all but the last one.
  void forward_along(std::size_t phase, std::uint32_t segment, const Chunks& chunks) {
    const Ring along = ring(phase);
    const bool stores = along.length > 1;
    for (std::uint32_t step = 1; step < along.size; ++step)
      for_messages(phase, along, step, [&](std::uint32_t chunk, std::uint32_t count) {
        const Place place = chunks(segment, chunk);
        const bool passes = step + 1 < along.size;
        receiving_.relay(along.before, passes && !stores ? along.next : kNobody, place, count);
        if (passes && stores) sending_.send(along.next, place, count);
      });
  }

  TierPlan& plan_;
  const std::uint32_t rank_;
  const std::uint32_t part_;
  const bool sorted_;  ///< neighboring chunks are neighbors in memory
  ProgramBuilder::LaneOfRank receiving_;
  ProgramBuilder::LaneOfRank sending_;
};

/// The steps of one rank and part. `parts` is 2 k, `of` the number of ranks.
void append(TierPlan& plan, std::uint32_t rank, std::uint32_t part) {
  const ScheduleRequest& request = plan.request();
  const std::uint32_t of = request.ranks;
  const std::uint32_t share = plan.builder().share();
  PartOfRank steps(plan, rank, part);
  // Piece of the vector, or of a rank's share.
  const auto piece = [&](std::uint32_t segment) { return part * request.segments + segment; };
  const auto in = [&](Memory memory) {
    return [memory, piece, of](std::uint32_t segment, std::uint32_t chunk) {
      return Place{memory, piece(segment) * of + chunk};
    };
  };
  const auto own_share = [piece](Memory memory) {
    return [memory, piece](std::uint32_t segment, std::uint32_t) {
      return Place{memory, piece(segment)};
    };
  };
  const std::uint32_t mine = steps.chunk_of(rank);
  /// The shares of ranks, sorted by rank.
  const auto shares = [&](Memory memory) {
    return [&steps, memory, piece, share](std::uint32_t segment, std::uint32_t chunk) {
      return Place{memory, steps.rank_of(chunk) * share + piece(segment)};
    };
  };
  const auto scale = [&](const auto& place) {
    if (!request.average) return;
    for (std::uint32_t segment = 0; segment < request.segments; ++segment)
      steps.receiving().scale(place(segment, mine), place(segment, mine));
  };
  switch (request.primitive) {
    case Primitive::kAllReduce:
      if (!request.average) {
        steps.all_reduce(in(Memory::kInput), in(Memory::kOutput));
        break;
      }
      steps.reduce_scatter(in(Memory::kInput), in(Memory::kOutput), in(Memory::kOutput));
      scale(in(Memory::kOutput));
      steps.all_gather(in(Memory::kOutput));
      break;
    case Primitive::kReduceScatter:
      steps.reduce_scatter(shares(Memory::kInput), in(Memory::kScratch),
                           own_share(Memory::kOutput));
      scale(own_share(Memory::kOutput));
      break;
    default:
      for (std::uint32_t segment = 0; segment < request.segments; ++segment)
        steps.receiving().copy(input(piece(segment)), shares(Memory::kOutput)(segment, mine));
      steps.all_gather(shares(Memory::kOutput));
  }
}

}  // namespace

std::vector<Primitive> Torus::primitives() const {
  return {Primitive::kAllReduce, Primitive::kAllGather, Primitive::kReduceScatter};
}

std::string Torus::refusal(const ScheduleRequest& request) const {
  if (request.tiers.empty()) return "no axes: expected those of a torus, such as tiers=4x4";
  if (request.channels > 1) return "has a channel for each port of a rank: expected channels=1";
  if (!request.order.empty()) return "does not use an order of ranks: expected order= empty";
  std::uint64_t product = 1;
  for (const Tier& axis : request.tiers) {
    if (axis.size < 2) return "an axis of " + std::to_string(axis.size) + ": expected 2 or more";
    product *= axis.size;
  }
  return product == request.ranks ? ""
                                  : "axes of " + std::to_string(product) + " ranks: expected " +
                                        std::to_string(request.ranks);
}

std::vector<Tier> Torus::axes(const std::string& topology, std::uint32_t ranks) {
  std::vector<Tier> made;
  if (topology == "ring") return {{ranks, "ring"}};
  if (!topology.starts_with("torus:")) return {};
  for (const std::uint32_t side : sides_of(topology)) made.push_back({side, "ring"});
  return made;
}

Schedule Torus::build(const ScheduleRequest& request) const {
  const auto parts = static_cast<std::uint32_t>(2 * request.tiers.size());
  const std::uint32_t pieces = parts * request.segments;
  const bool all_reduces = request.primitive == Primitive::kAllReduce;
  ProgramBuilder builder(request.primitive, request.ranks,
                         all_reduces ? pieces * request.ranks : pieces);
  builder.set_average(request.average);
  builder.set_lane_sets(parts);
  TierPlan plan(builder, request);
  for (std::uint32_t rank = 0; rank < request.ranks; ++rank)
    for (std::uint32_t part = 0; part < parts; ++part) append(plan, rank, part);
  std::string shape;
  for (const Tier& axis : request.tiers)
    shape += (shape.empty() ? " " : "x") + std::to_string(axis.size);
  return builder.finish(title(request) + shape);
}

}  // namespace tvp::collectives
