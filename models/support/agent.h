#pragma once

#include <cstddef>

#include "models/support/time.h"

namespace tvp::support {

class TileScheduler;

/// A part of a tile that acts on its own: a RISC-V core, the coprocessor, a NIU, an ethernet queue.
///
/// The order of everything visible inside a tile is (cycle, order of the agents). An agent keeps
/// `next()`, the earliest cycle at which it may touch anything that another agent can see; the
/// TileScheduler always runs the agent that is first in that order.
class Agent {
 public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  /// Acts at `next()`, and may go on for as long as `may_act(t)` holds for the cycle t of each
  /// visible access. Must return with `next()` moved past what was done (or at kNever).
  /// Private work (registers, local RAM) is not bounded by `may_act`.
  virtual void run() = 0;
  /// After TileScheduler::leave_to_itself, in front of what the agent with that order does at cycle
  /// t: becomes what it would be had it acted all the time, up to a moment before t from which it
  /// goes on acting, and calls TileScheduler::return_to.
  virtual void catch_up(Cycle /*t*/, unsigned /*order*/) {}

  /// Lets it act at cycle t or before, see TileScheduler::wake. Defined in tile_scheduler.h.
  inline void wake(Cycle t);

  Cycle next() const { return *next_; }
  /// Position in the tile's tie order; set when the agent is added to its scheduler.
  unsigned order() const { return order_; }

 protected:
  /// True when no other agent of the tile, and nothing from outside, can come before cycle t.
  /// Defined in tile_scheduler.h.
  inline bool may_act(Cycle t) const;
  /// Only for the agent itself, about itself, inside run() or before the first run.
  void set_next(Cycle t) {
    *next_ = t;
    *due_ |= 1U << order_;
  }
  /// The memory that the agent touches first in its next run. Only a hint for the host's caches.
  void set_hot(const void* state, std::size_t state_bytes, const void* code) {
    hot_ = {static_cast<const char*>(state), state_bytes, static_cast<const char*>(code)};
  }
  /// Before it is added to a scheduler: it asks for those that are left to themselves
  /// (TileScheduler::disturbs) before it does what can concern them.
  void set_asks() { asks_ = true; }
  TileScheduler& scheduler() const { return *scheduler_; }
  bool has_scheduler() const { return scheduler_ != nullptr; }

 private:
  friend class TileScheduler;
  struct Hot {
    const char* state = nullptr;
    std::size_t state_bytes = 0;
    const char* code = nullptr;
  };
  Hot hot_;
  Cycle before_added_ = kNever;
  Cycle* next_ = &before_added_;  ///< in the scheduler's table, so that it finds the first fast
  unsigned due_before_added_ = 0;
  unsigned* due_ = &due_before_added_;  ///< of the scheduler, too
  unsigned order_ = 0;
  bool asks_ = false;
  TileScheduler* scheduler_ = nullptr;
};

}  // namespace tvp::support
