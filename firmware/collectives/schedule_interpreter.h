#pragma once
// Executes the program of a rank (foundation/contract/collectives/program.h). Its lanes run
// interleaved on one core, and no lane blocks another.
//
// A lane divides its steps into slices and has up to kStaging of them in progress, each one stage
// ahead of the next. The stages are: fetched from memory, combined with the arrived data, sent and
// stored, complete. A slice that is received and not combined stays in its slot until it is sent
// and stored. Stages keep the order of slices, and so do messages.
//
// Slots. A sender counts the receiver's slots down and gets them back in the order in which it
// filled them. While messages of one lane have slots, no other lane takes messages of the same
// connection. The host gives a connection slots for two messages, so that none waits for its
// receiver to begin.

#include <cstdint>
#include <type_traits>

#include "foundation/contract/collectives/program.h"

namespace tvp::firmware::collectives {

namespace binary = tvp::contract::collectives;

/// The functions that a transport must have. All but idle() return at once; tickets and counts
/// wrap.
///
///   Ticket fetch(uint32_t memory, uint32_t at, void* to, uint32_t bytes)   memory to staging
///   Ticket store(uint32_t memory, uint32_t at, const void* from, uint32_t bytes)
///   bool stored(Ticket), fetched(Ticket)
///   Ticket combine(void* mine, const void* received, uint32_t bytes)       mine = received op mine
///   Ticket scale(void* mine, uint32_t bytes, uint32_t divisor)
///   bool combined(Ticket)
///   bool can_send(const Connection&)
///   Ticket send(const Connection&, uint32_t out, uint32_t slot, const void* data, uint32_t bytes,
///               uint32_t count)             out: its number; slot: offset; count: slices with this
///   bool sent(Ticket)                       its bytes may be overwritten
///   uint32_t arrived(const Connection& in)  slices since the start
///   uint32_t returned(const Connection& out)  slots since the start
///   void give_back(const Connection& in, uint32_t number, uint32_t slots, uint32_t count)
///   uint8_t* local(uint32_t address)        of the program's working memory
///   uint32_t clock()
///   void idle()                             no lane could go on
///
/// Programs of up to kNear lanes and connections in each direction keep their state in the object.
/// This helps cores whose own memory is nearer than the memory of the program.
template <typename Transport, uint32_t kNear = 0>
class ScheduleInterpreter {
 public:
  using Ticket = typename Transport::Ticket;

  ScheduleInterpreter(Transport& transport, const uint8_t* program)
      : transport_(transport), header_(*reinterpret_cast<const binary::ProgramHeader*>(program)) {
    const binary::ProgramLayout at = binary::layout_of(header_);
    lanes_ = reinterpret_cast<const binary::Lane*>(program + at.lanes);
    steps_ = reinterpret_cast<const binary::Step*>(program + at.steps);
    afters_ = reinterpret_cast<const binary::After*>(program + at.afters);
    outs_ = reinterpret_cast<const binary::Connection*>(program + at.outs);
    ins_ = reinterpret_cast<const binary::Connection*>(program + at.ins);
    over_ = reinterpret_cast<binary::LaneState*>(transport.local(header_.lane_states));
    left_outs_ = out_states_ =
        reinterpret_cast<binary::OutState*>(transport.local(header_.out_states));
    in_states_ = reinterpret_cast<binary::InState*>(transport.local(header_.in_states));
    stamps_ = reinterpret_cast<binary::Stamp*>(transport.local(header_.stamps));
    runs_ = reinterpret_cast<Run*>(transport.local(header_.lane_runs));
    if constexpr (kNear != 0) come_near();
    uint8_t* const staging = transport.local(header_.staging);
    for (uint32_t l = 0; l < header_.lanes; ++l) {
      runs_[l] = Run{};
      runs_[l].staging = staging + l * binary::kStaging * header_.slice_bytes;
      if (lanes_[l].steps == 0) {
        runs_[l].round = header_.rounds;
      } else {
        runs_[l].next = steps_[lanes_[l].first];
      }
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
        // The last stage runs first, because it makes room for the stages before it.
        if (run.ended != run.put && end(l, run)) moved = true;
        if (run.put != run.joined && put(l, run)) moved = true;
        if (run.joined != run.begun && join(l, run)) moved = true;
        if (run.round != header_.rounds && begin(l, run)) moved = true;
      }
      if (!running) break;
      if (!moved) transport_.idle();
    }
    if (out_states_ != left_outs_)
      for (uint32_t i = 0; i < header_.outs; ++i) left_outs_[i] = out_states_[i];
  }

  /// Waits until all slots have come back that receivers give back: then nothing of this program is
  /// on its way any more, and what carries messages may end.
  void settle() {
    for (uint32_t i = 0; i < header_.outs; ++i) {
      while (out_states_[i].slices - transport_.returned(outs_[i]) >= header_.credit_batch)
        transport_.idle();
    }
  }

 private:
  static constexpr uint32_t kDepth = binary::kStaging;
  static_assert((kDepth & (kDepth - 1)) == 0);
  using Kind = binary::StepKind;

  /// A slice under way.
  struct Slice {
    uint8_t* data = nullptr;  ///< staging or slot
    uint32_t bytes = 0;
    uint32_t destination = 0;
    uint32_t step = 0;  ///< in the table
    Ticket fetched{};
    Ticket combined{};
    Ticket stored{};
    Ticket sent{};
    uint16_t to = binary::kNoConnection;
    uint16_t from = binary::kNoConnection;
    Kind kind = Kind::kNothing;
    uint8_t memory = binary::kNoMemory;  ///< destination of the store
    bool first = false;
    bool last = false;
    bool operand = false;  ///< first operand of a kReduce: the next slice is combined with it
    bool settled = false;  ///< slice is combined, its slot returned and its store begun
  };
  /// The progress of a lane. The lane's slice i is slices[i % kDepth].
  struct Run {
    Slice slices[kDepth];
    uint8_t* staging = nullptr;
    uint32_t begun = 0;   ///< slices whose operand is on its way from memory
    uint32_t joined = 0;  ///< slices that have arrived and are being combined
    uint32_t put = 0;     ///< slices on their way out
    uint32_t ended = 0;
    uint32_t over = 0;  ///< steps
    // The next slice to begin.
    binary::Step next{};
    uint32_t round = 0;
    uint32_t step = 0;  ///< in the lane
    uint32_t piece = 0;
    uint32_t whole = 0;   ///< bytes of the piece
    uint32_t at = 0;      ///< where it begins
    uint32_t offset = 0;  ///< in it
  };
  static_assert(sizeof(void*) > 4 || sizeof(Run) <= binary::kLaneRunBytes);

  /// The part of it that is looked at all the time.
  void come_near() {
    if (header_.lanes <= kNear) runs_ = near_.runs;
    if (header_.outs <= kNear) {
      for (uint32_t i = 0; i < header_.outs; ++i) near_.outs[i] = outs_[i];
      outs_ = near_.outs;
      out_states_ = near_.out_states;
    }
    if (header_.ins <= kNear) {
      for (uint32_t i = 0; i < header_.ins; ++i) near_.ins[i] = ins_[i];
      ins_ = near_.ins;
      in_states_ = near_.in_states;
    }
  }

  static bool fetches(Kind kind) { return kind != Kind::kReceive && kind != Kind::kNothing; }

  // --- First stage: the operand from memory.

  bool may_begin(const Run& run) const {
    const binary::Step& step = run.next;
    if ((step.flags & binary::kAfterLane) != 0 && run.ended != run.begun) return false;
    const binary::After* after = afters_ + step.first_after;
    for (uint32_t i = 0; i < step.afters; ++i, ++after) {
      const uint32_t before = static_cast<uint32_t>(static_cast<int32_t>(after->step) + 1);
      const uint32_t needed = run.round * lanes_[after->lane].steps + before;
      if (static_cast<int32_t>(runs_[after->lane].over - needed) < 0) return false;
    }
    return true;
  }

  bool begin(uint32_t l, Run& run) {
    const binary::Step& step = run.next;
    const bool reduces = step.kind == Kind::kReduce;
    if (run.begun - run.ended > kDepth - (reduces ? 2 : 1)) return false;
    const bool first = run.piece == 0 && run.offset == 0;
    if (first && !may_begin(run)) return false;
    if (run.offset == 0) start_piece(run);
    const uint32_t left = run.whole - run.offset;
    const uint32_t bytes = left < header_.slice_bytes ? left : header_.slice_bytes;
    const uint32_t at = run.at + run.offset;
    const uint32_t from = step.flags >> binary::kSourceMemoryShift & 3u;
    const uint32_t to = step.flags >> binary::kDestinationMemoryShift & 3u;

    if (reduces) add(l, run, from, step.source + at, bytes).operand = true;
    // A kReduce combines its source with its own destination.
    Slice& slice =
        add(l, run, reduces ? to : from, (reduces ? step.destination : step.source) + at, bytes);
    slice.memory = static_cast<uint8_t>(to);
    slice.destination = step.destination + at;
    slice.first = first;
    run.offset += bytes;
    if (run.offset == run.whole) {
      run.offset = 0;
      if (++run.piece >= step.pieces) {
        slice.last = true;
        go_on(l, run);
      }
    }
    return true;
  }

  void start_piece(Run& run) const {
    const uint32_t part =
        run.round + 1 == header_.rounds ? header_.last_part_bytes : header_.part_bytes;
    run.whole = run.next.kind == Kind::kNothing ? 0 : part * run.next.merged;
    run.at = run.round * header_.part_bytes + run.piece * header_.stride;
  }

  void go_on(uint32_t l, Run& run) {
    const binary::Lane& lane = lanes_[l];
    run.piece = 0;
    if (++run.step == lane.steps) {
      run.step = 0;
      if (++run.round == header_.rounds) return;
    }
    run.next = steps_[lane.first + run.step];
  }

  Slice& add(uint32_t l, Run& run, uint32_t memory, uint32_t at, uint32_t bytes) {
    const uint32_t place = run.begun++ % kDepth;
    Slice& slice = run.slices[place];
    const binary::Step& step = run.next;
    slice.data = run.staging + place * header_.slice_bytes;
    slice.bytes = bytes;
    slice.step = lanes_[l].first + run.step;
    slice.to = step.to;
    slice.from = step.from;
    slice.kind = step.kind;
    slice.memory = binary::kNoMemory;
    slice.first = slice.last = slice.operand = slice.settled = false;
    if (fetches(step.kind)) slice.fetched = transport_.fetch(memory, at, slice.data, bytes);
    return slice;
  }

  // --- Second stage: what arrives, and its combination with the operand.

  bool join(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.joined % kDepth];
    if (fetches(slice.kind) && !transport_.fetched(slice.fetched)) return false;
    uint8_t* received = nullptr;
    if (slice.from != binary::kNoConnection) {
      received = take(l, slice);
      if (received == nullptr) return false;
    }
    switch (slice.kind) {
      case Kind::kReceive:
        slice.data = received;
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
    if (slice.first && stamps_[slice.step].begin == 0)
      stamps_[slice.step].begin = transport_.clock();
    ++run.joined;
    return true;
  }

  /// Returns the slot of the connection's next slice, if the slice has arrived and belongs to this
  /// lane.
  uint8_t* take(uint32_t l, const Slice& slice) {
    const binary::Connection& from = ins_[slice.from];
    binary::InState& in = in_states_[slice.from];
    if (in.owner != l + 1 && in.owner != 0) return nullptr;
    if (static_cast<int32_t>(transport_.arrived(from) - in.slices) <= 0) return nullptr;
    if (slice.first) {
      in.owner = static_cast<uint16_t>(l + 1);
      ++in.held;
    }
    uint8_t* const slot = transport_.local(from.slots + in.slot * header_.slice_bytes);
    ++in.slices;
    in.slot = static_cast<uint16_t>(in.slot + 1u == header_.slots ? 0 : in.slot + 1u);
    return slot;
  }

  // --- Third stage: out to the next rank and to memory.

  bool put(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.put % kDepth];
    bool moved = false;
    if (!slice.settled) {
      const bool combines = slice.kind == Kind::kReceiveReduce || slice.kind == Kind::kScale ||
                            (slice.kind == Kind::kReduce && !slice.operand);
      if (combines && !transport_.combined(slice.combined)) return false;
      if (slice.kind == Kind::kReceiveReduce) give_back(slice);
      if (slice.memory != binary::kNoMemory)
        slice.stored = transport_.store(slice.memory, slice.destination, slice.data, slice.bytes);
      slice.settled = true;
      moved = true;
    }
    if (slice.to != binary::kNoConnection && !send(l, slice)) return moved;
    ++run.put;
    return true;
  }

  bool send(uint32_t l, Slice& slice) {
    const binary::Connection& to = outs_[slice.to];
    binary::OutState& out = out_states_[slice.to];
    if (out.owner != l + 1 && out.owner != 0) return false;
    // Both at once: loads overlap.
    const uint32_t returned = transport_.returned(to);
    const bool room = transport_.can_send(to);
    if (!room | (out.slices - returned >= header_.slots)) return false;
    out.owner = static_cast<uint16_t>(slice.last ? 0 : l + 1);
    ++out.slices;
    out.bytes += slice.bytes;
    if (slice.last) ++out.messages;
    slice.sent = transport_.send(to, slice.to, out.slot * header_.slice_bytes, slice.data,
                                 slice.bytes, out.slices);
    out.slot = static_cast<uint16_t>(out.slot + 1u == header_.slots ? 0 : out.slot + 1u);
    return true;
  }

  // --- Last stage: its memory is free.

  bool end(uint32_t l, Run& run) {
    Slice& slice = run.slices[run.ended % kDepth];
    if (slice.operand) {
      // Read by the combination of the slice behind it.
      if (run.put - run.ended < 2) return false;
    } else {
      if (slice.memory != binary::kNoMemory && !transport_.stored(slice.stored)) return false;
      if (slice.to != binary::kNoConnection && !transport_.sent(slice.sent)) return false;
      if (slice.kind == Kind::kReceive) give_back(slice);
      if (slice.last) over(l, run, slice);
    }
    ++run.ended;
    return true;
  }

  void over(uint32_t l, Run& run, const Slice& slice) {
    if (slice.from != binary::kNoConnection) {
      binary::InState& in = in_states_[slice.from];
      if (--in.held == 0) in.owner = 0;
    }
    stamps_[slice.step].end = transport_.clock();
    over_[l].over = ++run.over;
  }

  void give_back(const Slice& slice) {
    binary::InState& in = in_states_[slice.from];
    if (++in.owed < header_.credit_batch) return;
    const uint32_t slots = in.owed;
    in.owed = 0;
    in.given += slots;
    transport_.give_back(ins_[slice.from], slice.from, slots, in.given);
  }

  static constexpr uint32_t kArray = kNear == 0 ? 1 : kNear;
  struct Near {
    Run runs[kArray];
    binary::Connection outs[kArray];
    binary::Connection ins[kArray];
    binary::OutState out_states[kArray];
    binary::InState in_states[kArray];
  };
  struct Nothing {};

  Transport& transport_;
  const binary::ProgramHeader header_;
  const binary::Lane* lanes_;
  const binary::Step* steps_;
  const binary::After* afters_;
  const binary::Connection* outs_;
  const binary::Connection* ins_;
  binary::LaneState* over_;
  binary::OutState* left_outs_;  ///< for the host
  binary::OutState* out_states_;
  binary::InState* in_states_;
  binary::Stamp* stamps_;
  Run* runs_;
  [[no_unique_address]] std::conditional_t<kNear != 0, Near, Nothing> near_{};
};

}  // namespace tvp::firmware::collectives
