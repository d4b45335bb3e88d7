#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/tensix_opcodes.h"
#include "models/support/time.h"
#include "models/support/word_fifo.h"
#include "models/tensix/coprocessor/frontend/mop_expander.h"
#include "models/tensix/coprocessor/frontend/pushed.h"
#include "models/tensix/coprocessor/frontend/replay_expander.h"

namespace tvp::tensix::coprocessor {

using support::Cycle;

/// Frontend of one thread up to its wait gate (ISA TensixCoprocessor/README.md, Frontend):
///
///   T core -> FIFO (32/16/16) -> MOP expander -> mux <- B
///          -> FIFO (8) -> replay expander -> FIFO (2) -> wait gate
///
/// Each arrow takes one cycle (assumed: the documentation gives rates only) and moves one
/// instruction. IssueStage calls advance() once in every cycle in which can_advance() holds, after
/// the wait gate has taken its instruction of that cycle.
class Frontend {
 public:
  static constexpr unsigned kMaxMopFifo = 32;
  static constexpr unsigned kReplayFifo = 8;
  static constexpr unsigned kGateFifo = 2;

  explicit Frontend(unsigned mop_fifo_depth) : mop_fifo_(mop_fifo_depth) {}

  MopExpander& mop_expander() { return mop_; }
  const MopExpander& mop_expander() const { return mop_; }
  /// pc at which the core set up the MOP of the first instruction; 0: it is of no MOP.
  std::uint32_t head_set_up_at() const {
    const bool is_of_mop = !gate_fifo_.empty() && mop_pc_ != 0 && gate_fifo_.front().pc == mop_pc_;
    return is_of_mop ? mop_.sampled_at() : 0;
  }

  /// From the thread's own T core, at `pc`; false if its FIFO is full.
  bool push_from_t(std::uint32_t instruction, std::uint32_t pc = 0);
  /// From B, behind the MOP expander; false if that FIFO is full. Sets `collided` if the MOP
  /// expander used the mux in the same cycle. Hardware then silently discards the expander's
  /// instruction, and so does this model.
  bool push_from_b(std::uint32_t instruction, Cycle now, bool& collided);

  /// True if an instruction waits at the gate.
  bool has_head() const { return !gate_fifo_.empty(); }
  std::uint32_t head() const { return gate_fifo_.front().instruction; }
  /// The same with its origin.
  Pushed pushed_head() const { return gate_fifo_.front(); }
  void pop_head() { gate_fifo_.pop(); }

  bool can_advance() const { return can_replay() || can_expand(); }
  /// True if only a REPLAY can move, behind the instruction at the gate.
  bool only_replays() const { return replay_.replaying() && has_head() && !can_expand(); }
  /// True if no REPLAY moves now, but one will when the gate has taken its instruction.
  bool begins_replay() const {
    return has_head() && !replay_.replaying() && !replay_.recording() && !replay_fifo_.empty() &&
           is_executing_replay(replay_fifo_.front().instruction);
  }
  // Valid while only a REPLAY moves. Each instruction that the gate takes is followed by the next
  // one of the REPLAY:
  /// Number of instructions left for the gate.
  unsigned left_to_replay() const { return replay_.left(); }
  /// The i-th instruction that the gate will get.
  Pushed upcoming(unsigned i) const {
    const unsigned waiting = gate_fifo_.size();
    return i < waiting ? gate_fifo_.at(i) : Pushed{replay_.peek(i - waiting), replay_pc_};
  }
  /// Number of these that already wait at the gate.
  unsigned waiting_at_gate() const { return gate_fifo_.size(); }
  /// True if these are in the REPLAY buffer directly before the following ones.
  bool gate_is_of_replay() const {
    const unsigned waiting = gate_fifo_.size();
    for (unsigned i = 0; i < waiting; ++i) {
      const Pushed pushed = gate_fifo_.at(i);
      if (pushed.instruction != replay_.peek(i - waiting) || pushed.pc != replay_pc_) return false;
    }
    return true;
  }
  /// Index of the i-th one in that buffer, unless it waits at the gate and belongs to another
  /// REPLAY.
  unsigned place_of_upcoming(unsigned i) const { return replay_.place(i - gate_fifo_.size()); }
  const ReplayExpander& replay() const { return replay_; }
  std::uint32_t replay_pc() const { return replay_pc_; }
  /// The gate has taken `count` instructions.
  void pass_replayed(unsigned count);
  /// Performs the steps of a cycle. True if others may wait for the result: a FIFO slot became
  /// free, or the last MOP has been expanded.
  bool advance(Cycle now);

  /// True if nothing is queued or being expanded. A recording that waits for instructions does not
  /// count.
  bool empty() const {
    return mop_fifo_.empty() && !mop_.expanding() && replay_fifo_.empty() && !replay_.replaying() &&
           gate_fifo_.empty();
  }
  /// True if no MOP is queued or being expanded (ISA BabyRISCV/TTSync.md, MOPExpanderDoneCheck).
  bool mop_done() const { return queued_mops_ == 0 && !mop_.expanding(); }

  unsigned queued_before_mop() const { return mop_fifo_.size(); }
  unsigned queued_before_replay() const { return replay_fifo_.size(); }
  unsigned queued_before_gate() const { return gate_fifo_.size(); }

 private:
  static bool is_executing_replay(std::uint32_t instruction) {
    return ReplayExpander::expands(instruction) && regs::tensix::Replay::kLoad.of(instruction) == 0;
  }
  bool can_replay() const;
  bool can_expand() const;
  void replay_step();
  /// True if a slot of its FIFO became free, or the last MOP has been expanded.
  bool expand_step(Cycle now);
  void emit_mop(Cycle now);
  void through_mux(Pushed pushed, Cycle now) {
    replay_fifo_.push(pushed);
    mux_used_ = now;
  }

  support::WordFifo<kMaxMopFifo, Pushed> mop_fifo_;
  MopExpander mop_;
  std::uint32_t mop_pc_ = 0;  ///< pc of the current or last MOP
  support::WordFifo<kReplayFifo, Pushed> replay_fifo_;
  ReplayExpander replay_;
  std::uint32_t replay_pc_ = 0;  ///< pc of the current or last REPLAY
  support::WordFifo<kGateFifo, Pushed> gate_fifo_;
  unsigned queued_mops_ = 0;
  /// A MOP was expanded last: the next other instruction first costs one idle cycle.
  bool after_mop_ = false;
  Cycle mux_used_ = support::kNever;
};

// In the header, since these run in every active cycle.

inline bool Frontend::can_replay() const {
  if (replay_.replaying()) return !gate_fifo_.full();
  if (replay_fifo_.empty()) return false;
  const std::uint32_t instruction = replay_fifo_.front().instruction;
  if (replay_.recording()) return !replay_.executes_while_recording() || !gate_fifo_.full();
  if (ReplayExpander::expands(instruction) && regs::tensix::Replay::kLoad.of(instruction) != 0)
    return true;
  return !gate_fifo_.full();
}

inline void Frontend::pass_replayed(unsigned count) {
  std::array<Pushed, kGateFifo> waiting;
  const unsigned size = gate_fifo_.size();
  for (unsigned i = 0; i < size; ++i) waiting[i] = upcoming(count + i);
  replay_.skip(count);
  for (unsigned i = 0; i < size; ++i) {
    gate_fifo_.pop();
    gate_fifo_.push(waiting[i]);
  }
}

inline void Frontend::replay_step() {
  if (replay_.replaying()) {
    gate_fifo_.push({replay_.take(), replay_pc_});
    return;
  }
  const Pushed pushed = replay_fifo_.front();
  replay_fifo_.pop();
  if (replay_.recording()) {
    replay_.record(pushed.instruction);
    if (replay_.executes_while_recording()) gate_fifo_.push(pushed);
  } else if (ReplayExpander::expands(pushed.instruction)) {
    replay_pc_ = pushed.pc;
    replay_.start(pushed.instruction);
    if (replay_.replaying()) gate_fifo_.push({replay_.take(), replay_pc_});
  } else {
    gate_fifo_.push(pushed);
  }
}

inline bool Frontend::can_expand() const {
  if (mop_.expanding()) return !replay_fifo_.full();
  if (mop_fifo_.empty()) return false;
  const regs::tensix::Opcode opcode = regs::tensix::opcode_of(mop_fifo_.front().instruction);
  if (opcode == regs::tensix::Opcode::kMop || opcode == regs::tensix::Opcode::kMopCfg || after_mop_)
    return true;
  return !replay_fifo_.full();
}

inline bool Frontend::advance(Cycle now) {
  const bool was_full = replay_fifo_.full();
  bool awaited = false;
  if (can_replay()) {
    replay_step();
    if (can_expand()) awaited = expand_step(now);
    awaited |= was_full && !replay_fifo_.full();
  } else if (can_expand()) {
    awaited = expand_step(now);
  }
  return awaited;
}

}  // namespace tvp::tensix::coprocessor
