#pragma once

#include <algorithm>
#include <cstdint>

#include "models/tensix/coprocessor/frontend/thread.h"

namespace tvp::tensix::coprocessor {

/// The instructions that pass the gate of a thread while only a REPLAY moves: one per cycle. The
/// thread is updated at the end, also at a fault.
class Replayed {
 public:
  explicit Replayed(Thread& thread)
      : thread_(thread), most_(thread.frontend.left_to_replay()), done_at_(thread.done_at) {}
  ~Replayed() { settle(); }
  Replayed(const Replayed&) = delete;
  Replayed& operator=(const Replayed&) = delete;

  /// Number of instructions that may still pass.
  unsigned left() const { return most_ - count_; }
  /// The instruction at the gate.
  Pushed head() const { return thread_.frontend.upcoming(count_); }
  /// True if it already waits there, behind `before` others.
  bool is_at_gate(unsigned before) const {
    return count_ + before < thread_.frontend.waiting_at_gate();
  }
  /// If the gate is full and takes nothing, nothing moves.
  bool gate_is_full() const { return thread_.frontend.waiting_at_gate() == Frontend::kGateFifo; }
  Pushed head(unsigned before) const { return thread_.frontend.upcoming(count_ + before); }
  /// True if the instruction at the gate belongs to the moving REPLAY.
  bool gate_is_of_replay() const { return thread_.frontend.gate_is_of_replay(); }
  /// Index in the REPLAY buffer of the instruction behind `before` others, if it is there.
  unsigned place(unsigned before) const {
    return thread_.frontend.place_of_upcoming(count_ + before);
  }
  const ReplayExpander& buffer() const { return thread_.frontend.replay(); }
  std::uint32_t pc() const { return thread_.frontend.replay_pc(); }
  /// The instruction has left; the next one may follow at `next`.
  void took_one(Cycle next, Cycle done) { took(1, next, done); }
  void took(unsigned count, Cycle next, Cycle done) {
    count_ += count;
    try_at_ = next;
    done_at_ = std::max(done_at_, done);
  }
  void settle() {
    if (count_ == 0) return;
    thread_.frontend.pass_replayed(count_);
    thread_.dispatched = false;
    thread_.try_at = try_at_;
    thread_.done_at = done_at_;
    most_ -= count_;
    count_ = 0;
  }

 private:
  Thread& thread_;
  unsigned most_;
  unsigned count_ = 0;
  Cycle try_at_ = 0;
  Cycle done_at_;
};

}  // namespace tvp::tensix::coprocessor
