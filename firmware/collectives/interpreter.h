#pragma once
// Executes the program of a rank (firmware/contract/collectives/program.h): its lanes side by side
// on one core, none of which ever waits while another could go on.
//
// A lane cuts its steps into slices and has up to kStaging of them under way, each a stage further
// than the next: fetched from memory, combined with what arrives, sent and stored, over. A slice
// that is received and not combined stays in its slot until it is sent and stored. Stages are in
// the order of slices, so that messages are, too.
//
// Slots. A sender counts the slots of the receiver down and gets them back in the order in which it
// filled them: while messages of one lane have slots, no other lane takes messages of the same
// connection. The host gives a connection more slots than its longest message has slices, so that a
// message never waits for its receiver to begin.

#include <cstdint>

#include "firmware/contract/collectives/program.h"

namespace tvp::firmware::collectives {

namespace binary = tvp::contract::collectives;

/// What a transport has to offer. All but idle() return at once; tickets and counts wrap.
///
///   Ticket fetch(uint32_t memory, uint32_t at, void* to, uint32_t bytes)   memory to staging
///   Ticket store(uint32_t memory, uint32_t at, const void* from, uint32_t bytes)
///   bool stored(Ticket), fetched(Ticket)
///   Ticket combine(void* mine, const void* received, uint32_t bytes)       mine = received op mine
///   Ticket scale(void* mine, uint32_t bytes, uint32_t divisor)
///   bool combined(Ticket)
///   bool can_send(const Connection&)
///   Ticket send(const Connection&, uint32_t slot, const void*, uint32_t bytes, uint32_t count)
///                                                         count: slices with this one
///   bool sent(Ticket)                                     its bytes may be overwritten
///   uint32_t arrived(uint32_t in), returned(uint32_t out) slices, slots since the start
///   void give_back(const Connection&, uint32_t slots, uint32_t count)
///   uint8_t* local(uint32_t address)                      of the program's working memory
///   uint32_t clock()
///   void idle()                                           no lane could go on
template <typename Transport>
class Interpreter {
 public:
  using Ticket = typename Transport::Ticket;

  Interpreter(Transport& transport, const uint8_t* program)
      : transport_(transport), header_(*reinterpret_cast<const binary::ProgramHeader*>(program)) {
    const binary::ProgramLayout at = binary::layout_of(header_);
    lanes_ = reinterpret_cast<const binary::Lane*>(program + at.lanes);
    steps_ = reinterpret_cast<const binary::Step*>(program + at.steps);
    afters_ = reinterpret_cast<const binary::After*>(program + at.afters);
    outs_ = reinterpret_cast<const binary::Connection*>(program + at.outs);
    ins_ = reinterpret_cast<const binary::Connection*>(program + at.ins);
    states_ = reinterpret_cast<binary::LaneState*>(transport.local(header_.lane_states));
    out_states_ = reinterpret_cast<binary::OutState*>(transport.local(header_.out_states));
    in_states_ = reinterpret_cast<binary::InState*>(transport.local(header_.in_states));
    stamps_ = reinterpret_cast<binary::Stamp*>(transport.local(header_.stamps));
    uint8_t* const staging = transport.local(header_.staging);
    runs_ = reinterpret_cast<Run*>(transport.local(header_.lane_runs));
    for (uint32_t l = 0; l < header_.lanes; ++l) {
      runs_[l] = Run{};
      runs_[l].staging = staging + l * binary::kStaging * header_.slice_bytes;
    }
  }

  void run() {
    for (;;) {
      bool running = false;
      bool moved = false;
      for (uint32_t l = 0; l < header_.lanes; ++l) {
        Run& run = runs_[l];
        if (run.round == header_.rounds && run.ended == run.begun) continue;
        running = true;
        // The last stage first: it makes room for the ones before it.
        if (run.ended != run.put && end(l, run)) moved = true;
        if (run.put != run.joined && put(l, run)) moved = true;
        if (run.joined != run.begun && join(l, run)) moved = true;
        if (run.round != header_.rounds && begin(l, run)) moved = true;
      }
      if (!running) return;
      if (!moved) transport_.idle();
    }
  }

  /// Bytes that the host has to reserve for a lane.
  static constexpr uint32_t run_bytes() { return sizeof(Run); }

 private:
  static constexpr uint32_t kDepth = binary::kStaging;
  static_assert((kDepth & (kDepth - 1)) == 0);
  using Kind = binary::StepKind;

  /// A slice under way.
  struct Slice {
    const binary::Step* step = nullptr;
    uint8_t* data = nullptr;  ///< staging or slot
    uint32_t bytes = 0;
    uint32_t destination = 0;
    Ticket fetched{};
    Ticket combined{};
    Ticket stored{};
    Ticket sent{};
    bool first = false;
    bool last = false;
    bool operand = false;  ///< of a kReduce: what the slice behind it is combined with
    bool settled = false;  ///< combined; its slot given back, its store begun
  };
  /// Where a lane stands. Slice i of all is slices[i % kDepth].
  struct Run {
    Slice slices[kDepth];
    uint8_t* staging = nullptr;
    uint32_t begun = 0;   ///< slices whose operand is on its way from memory
    uint32_t joined = 0;  ///< slices that have arrived and are being combined
    uint32_t put = 0;     ///< slices on their way out
    uint32_t ended = 0;
    // The next slice to begin.
    uint32_t round = 0;
    uint32_t step = 0;
    uint32_t piece = 0;
    uint32_t offset = 0;  ///< in the piece
  };
  static_assert(sizeof(void*) > 4 || sizeof(Run) <= binary::kLaneRunBytes);

  static bool fetches(Kind kind) { return kind != Kind::kReceive && kind != Kind::kNothing; }
  static uint32_t memory_of(const binary::Step& step, uint32_t shift) {
    return step.flags >> shift & 3u;
  }

  // --- First stage: the operand from memory.

  bool may_begin(const Run& run, const binary::Step& step) const {
    if ((step.flags & binary::kAfterLane) != 0 && run.ended != run.begun) return false;
    const binary::After* after = afters_ + step.first_after;
    for (uint32_t i = 0; i < step.afters; ++i, ++after) {
      const uint32_t needed = run.round * lanes_[after->lane].steps + after->step + 1;
      if (static_cast<int32_t>(states_[after->lane].over - needed) < 0) return false;
    }
    return true;
  }

  bool begin(uint32_t l, Run& run) {
    const binary::Lane& lane = lanes_[l];
    if (lane.steps == 0) {
      run.round = header_.rounds;
      return true;
    }
    const binary::Step& step = steps_[lane.first + run.step];
    const bool reduces = step.kind == Kind::kReduce;
    if (run.begun - run.ended > kDepth - (reduces ? 2 : 1)) return false;
    const bool first = run.piece == 0 && run.offset == 0;
    if (first && !may_begin(run, step)) return false;
    const uint32_t part =
        run.round + 1 == header_.rounds ? header_.last_part_bytes : header_.part_bytes;
    const uint32_t whole = step.kind == Kind::kNothing ? 0 : part * step.merged;
    const uint32_t left = whole - run.offset;
    const uint32_t bytes = left < header_.slice_bytes ? left : header_.slice_bytes;
    const uint32_t at = run.round * header_.part_bytes + run.piece * header_.stride + run.offset;

    if (reduces) add(run, step, memory_of(step, 0), step.source + at, bytes).operand = true;
    const bool own = reduces;  // its own destination is what it is combined with
    Slice& slice = add(run, step, memory_of(step, own ? binary::kDestinationMemoryShift : 0),
                       (own ? step.destination : step.source) + at, bytes);
    slice.destination = step.destination + at;
    slice.first = first;
    run.offset += bytes;
    slice.last = run.offset == whole && run.piece + 1u >= step.pieces;
    if (run.offset == whole) {
      run.offset = 0;
      ++run.piece;
    }
    if (slice.last) {
      run.piece = 0;
      if (++run.step == lane.steps) {
        run.step = 0;
        ++run.round;
      }
    }
    return true;
  }

  Slice& add(Run& run, const binary::Step& step, uint32_t memory, uint32_t at, uint32_t bytes) {
    const uint32_t place = run.begun++ % kDepth;
    Slice& slice = run.slices[place];
    slice.step = &step;
    slice.data = run.staging + place * header_.slice_bytes;
    slice.bytes = bytes;
    slice.first = slice.last = slice.operand = slice.settled = false;
    if (fetches(step.kind)) slice.fetched = transport_.fetch(memory, at, slice.data, bytes);
    return slice;
  }

  // --- Second stage: what arrives, and its combination with the operand.

  bool join(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.joined % kDepth];
    const binary::Step& step = *slice.step;
    if (fetches(step.kind) && !transport_.fetched(slice.fetched)) return false;
    const uint8_t* received = nullptr;
    if (step.from != binary::kNoConnection) {
      received = take(l, slice);
      if (received == nullptr) return false;
    }
    switch (step.kind) {
      case Kind::kReceive:
        slice.data = const_cast<uint8_t*>(received);
        break;
      case Kind::kReceiveReduce:
        slice.combined = transport_.combine(slice.data, received, slice.bytes);
        break;
      case Kind::kReduce:
        if (!slice.operand)
          slice.combined = transport_.combine(
              slice.data, run.slices[(run.joined - 1) % kDepth].data, slice.bytes);
        break;
      case Kind::kScale:
        slice.combined = transport_.scale(slice.data, slice.bytes, header_.ranks);
        break;
      case Kind::kSend:
      case Kind::kCopy:
      case Kind::kNothing:
        break;
    }
    if (slice.first) {
      binary::Stamp& stamp = stamps_[&step - steps_];
      if (stamp.begin == 0) stamp.begin = transport_.clock();
    }
    ++run.joined;
    return true;
  }

  /// The slot of the next slice of the connection, when it is there and this lane's.
  uint8_t* take(uint32_t l, const Slice& slice) {
    const uint32_t index = slice.step->from;
    binary::InState& in = in_states_[index];
    if (in.owner != l + 1 && in.owner != 0) return nullptr;
    if (static_cast<int32_t>(transport_.arrived(index) - in.slices) <= 0) return nullptr;
    if (slice.first) {
      in.owner = static_cast<uint16_t>(l + 1);
      ++in.held;
    }
    uint8_t* const slot = transport_.local(ins_[index].slots) + in.slot * header_.slice_bytes;
    ++in.slices;
    in.slot = static_cast<uint16_t>(in.slot + 1u == header_.slots ? 0 : in.slot + 1u);
    return slot;
  }

  // --- Third stage: out to the next rank and to memory.

  bool put(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.put % kDepth];
    const binary::Step& step = *slice.step;
    bool moved = false;
    if (!slice.settled) {
      const bool combines = step.kind == Kind::kReceiveReduce || step.kind == Kind::kScale ||
                            (step.kind == Kind::kReduce && !slice.operand);
      if (combines && !transport_.combined(slice.combined)) return false;
      if (step.kind == Kind::kReceiveReduce) give_back(slice);
      if (stores(slice))
        slice.stored = transport_.store(memory_of(step, binary::kDestinationMemoryShift),
                                        slice.destination, slice.data, slice.bytes);
      slice.settled = true;
      moved = true;
    }
    if (step.to != binary::kNoConnection && !send(l, slice)) return moved;
    ++run.put;
    return true;
  }

  static bool stores(const Slice& slice) {
    return !slice.operand &&
           memory_of(*slice.step, binary::kDestinationMemoryShift) != binary::kNoMemory;
  }

  bool send(uint32_t l, Slice& slice) {
    const uint32_t index = slice.step->to;
    binary::OutState& out = out_states_[index];
    if (out.owner != l + 1 && out.owner != 0) return false;
    const uint32_t under_way = out.slices - transport_.returned(index);
    if (under_way >= header_.slots || !transport_.can_send(outs_[index])) return false;
    out.owner = static_cast<uint16_t>(slice.last ? 0 : l + 1);
    ++out.slices;
    out.bytes += slice.bytes;
    if (slice.last) ++out.messages;
    slice.sent = transport_.send(outs_[index], out.slot * header_.slice_bytes, slice.data,
                                 slice.bytes, out.slices);
    out.slot = static_cast<uint16_t>(out.slot + 1u == header_.slots ? 0 : out.slot + 1u);
    return true;
  }

  // --- Last stage: its memory is free.

  bool end(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.ended % kDepth];
    const binary::Step& step = *slice.step;
    if (slice.operand) {
      // Read by the combination of the slice behind it.
      if (run.put - run.ended < 2) return false;
    } else {
      if (stores(slice) && !transport_.stored(slice.stored)) return false;
      if (step.to != binary::kNoConnection && !transport_.sent(slice.sent)) return false;
      if (step.kind == Kind::kReceive) give_back(slice);
      if (slice.last) over(l, step);
    }
    ++run.ended;
    return true;
  }

  void over(uint32_t l, const binary::Step& step) {
    if (step.from != binary::kNoConnection) {
      binary::InState& in = in_states_[step.from];
      if (--in.held == 0) in.owner = 0;
    }
    stamps_[&step - steps_].end = transport_.clock();
    ++states_[l].over;
  }

  void give_back(const Slice& slice) {
    const uint32_t index = slice.step->from;
    binary::InState& in = in_states_[index];
    if (++in.owed < header_.credit_batch) return;
    const uint32_t slots = in.owed;
    in.owed = 0;
    in.given = in.given + slots;
    transport_.give_back(ins_[index], slots, in.given);
  }

  Transport& transport_;
  const binary::ProgramHeader& header_;
  const binary::Lane* lanes_;
  const binary::Step* steps_;
  const binary::After* afters_;
  const binary::Connection* outs_;
  const binary::Connection* ins_;
  binary::LaneState* states_;
  binary::OutState* out_states_;
  binary::InState* in_states_;
  binary::Stamp* stamps_;
  Run* runs_;
};

}  // namespace tvp::firmware::collectives
