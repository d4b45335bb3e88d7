#pragma once

#include <algorithm>

#include "models/tensix/coprocessor/thread.h"

namespace tvp::tensix::coprocessor {

/// What has gone through the gate of a thread of which nothing but a REPLAY moves: an instruction a
/// cycle. The thread learns of it at the end, also when that is a fault.
class Replayed {
 public:
  explicit Replayed(Thread& thread)
      : thread_(thread), most_(thread.frontend.left_to_replay()), done_at_(thread.done_at) {}
  ~Replayed() { settle(); }
  Replayed(const Replayed&) = delete;
  Replayed& operator=(const Replayed&) = delete;

  /// So many may go through.
  unsigned left() const { return most_ - count_; }
  /// What waits at the gate.
  Pushed head() const { return thread_.frontend.upcoming(count_); }
  /// It is gone; the next one may follow at `next`.
  void took_one(Cycle next, Cycle done) {
    ++count_;
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
