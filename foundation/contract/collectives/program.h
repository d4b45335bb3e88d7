#pragma once
// The steps of one rank in a collective. The host writes them into the rank's memory and the
// firmware executes them (firmware/collectives/schedule_interpreter.h). This is the compact form of
// a RankProgram of sw/collectives/schedule. It consists of 32-bit little-endian words: a
// ProgramHeader, then the tables that it counts, in the order in which it names them.

#include <stdint.h>

namespace tvp::contract::collectives {

/// Kinds of steps, in the order of sw/collectives/schedule/schedule.h, which describes them.
enum class StepKind : uint8_t {
  kSend,
  kReceive,
  kReceiveReduce,
  kCopy,
  kReduce,
  kScale,
  kNothing,
};

constexpr uint16_t kNoConnection = 0xFFFF;

// Memories of a rank; a place is a memory and a byte in it.
constexpr uint32_t kMemories = 3;  ///< input, output, scratch
constexpr uint32_t kNoMemory = 3;

// Flags of a step.
constexpr uint8_t kSourceMemoryShift = 0;       ///< two bits
constexpr uint8_t kDestinationMemoryShift = 2;  ///< two bits
/// The step may read data that an earlier step of its lane writes, so it begins after all of those
/// have ended. Without this flag the core fetches the first operands of a step while others run.
constexpr uint8_t kAfterLane = 1 << 4;

/// A step moves `pieces` pieces of `merged` chunk parts each. If a rank executes whole chunks,
/// neighboring chunks are one piece. If a chunk is cut into rounds or among workers, each chunk is
/// a piece, one stride after the last.
struct Step {
  uint32_t source = 0;       ///< byte in the memory that the flags name
  uint32_t destination = 0;  ///< the same
  uint16_t pieces = 1;
  uint16_t merged = 1;
  uint16_t to = kNoConnection;    ///< index of an outgoing connection
  uint16_t from = kNoConnection;  ///< index of an incoming one
  uint16_t first_after = 0;       ///< index in the table of dependencies
  uint16_t afters = 0;
  StepKind kind = StepKind::kNothing;
  uint8_t flags = 0;
  uint16_t padding = 0;
};
static_assert(sizeof(Step) == 24);

/// Steps [first, first + steps) of the table, in order.
struct Lane {
  uint16_t first = 0;
  uint16_t steps = 0;
};

/// A step that has to be over in the same round, or in the one before it.
struct After {
  uint16_t lane = 0;
  int16_t step = 0;  ///< index in its lane; below 0: counted from the end of the previous round
};

/// A stream of slices from one rank to another through a ring of slots at the receiver. Places at
/// the other side are addresses of its transport. For connections to a switch,
/// firmware/collectives/transport/switched_slices.h defines them.
struct Connection {
  uint16_t peer = 0;  ///< unit or device
  uint8_t port = 0;   ///< first link of this rank, if there are several
  uint8_t hops = 0;
  /// Outgoing: where the ring of slots is at the receiver. Incoming: here.
  uint32_t slots = 0;
  /// Address of the counter to increment at the other side: arrivals if outgoing, credits if
  /// incoming.
  uint32_t there = 0;
  /// Address of the counter that the other side increments: credits if outgoing, arrivals if
  /// incoming.
  uint32_t here = 0;
};
static_assert(sizeof(Connection) == 16);

struct ProgramHeader {
  uint32_t lanes = 0;
  uint32_t steps = 0;
  uint32_t afters = 0;
  uint32_t outs = 0;
  uint32_t ins = 0;
  /// The number of times that the program runs, each time on the next part of every chunk. Parts
  /// have `part_bytes`, the last one `last_part_bytes`.
  uint32_t rounds = 1;
  uint32_t part_bytes = 0;
  uint32_t last_part_bytes = 0;
  uint32_t stride = 0;  ///< distance between chunks
  uint32_t slice_bytes = 0;
  uint32_t slots = 0;                 ///< slots of each connection
  uint32_t credit_batch = 1;          ///< slots that are returned together
  uint32_t ranks = 1;                 ///< divisor of kScale
  uint32_t memories[kMemories] = {};  ///< base addresses as the transport takes them
  // Addresses in the rank's working memory.
  uint32_t lane_states = 0;
  uint32_t out_states = 0;
  uint32_t in_states = 0;
  uint32_t stamps = 0;  ///< one Stamp for each step
  /// Words, kCountBytes apart, that other ranks write if connections have no counters of their own:
  /// arrivals of each incoming connection, credits of each outgoing one.
  uint32_t counts = 0;
  uint32_t lane_runs = 0;  ///< state of the interpreter, kLaneRunBytes for each lane
  uint32_t staging = 0;    ///< kStaging slices for each lane
};

/// Slices of a lane in flight: being fetched, combined, sent or stored.
constexpr uint32_t kStaging = 8;
constexpr uint32_t kCountBytes = 16;
/// Bytes of the interpreter's state of a lane, on a machine of 32 bits.
constexpr uint32_t kLaneRunBytes = 464;

/// The begin and end of a step in cycles of the rank's clock, low words. A step of several rounds
/// has the begin of the first and the end of the last round.
struct Stamp {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// The progress of a rank, zero at the start. The host reads it after a hang to find the step at
// which the rank stands.
struct LaneState {
  uint32_t over = 0;  ///< finished steps of all rounds
};
struct OutState {
  uint32_t slices = 0;  ///< sent
  uint32_t bytes = 0;
  uint32_t messages = 0;
  uint16_t slot = 0;   ///< slot of the next slice
  uint16_t owner = 0;  ///< 1 + the lane that is inside a message; 0: none
};
struct InState {
  uint32_t slices = 0;  ///< slices taken out
  uint32_t given = 0;   ///< slots returned
  uint16_t slot = 0;    ///< slot of the next slice
  uint16_t owner = 0;   ///< 1 + the lane whose messages occupy slots; 0: none
  uint16_t held = 0;    ///< messages of that lane that occupy slots
  uint16_t owed = 0;    ///< free slots that are not yet returned
};

/// Offsets of a program's tables, in bytes from its header.
struct ProgramLayout {
  uint32_t lanes;
  uint32_t steps;
  uint32_t afters;
  uint32_t outs;
  uint32_t ins;
  uint32_t end;
};
constexpr ProgramLayout layout_of(uint32_t lanes, uint32_t steps, uint32_t afters, uint32_t outs,
                                  uint32_t ins) {
  ProgramLayout l{};
  l.lanes = sizeof(ProgramHeader);
  l.steps = l.lanes + lanes * static_cast<uint32_t>(sizeof(Lane));
  l.afters = l.steps + steps * static_cast<uint32_t>(sizeof(Step));
  l.outs = l.afters + afters * static_cast<uint32_t>(sizeof(After));
  l.ins = l.outs + outs * static_cast<uint32_t>(sizeof(Connection));
  l.end = l.ins + ins * static_cast<uint32_t>(sizeof(Connection));
  return l;
}
constexpr ProgramLayout layout_of(const ProgramHeader& header) {
  return layout_of(header.lanes, header.steps, header.afters, header.outs, header.ins);
}

}  // namespace tvp::contract::collectives
