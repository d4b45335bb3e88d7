#pragma once

#include <cstddef>

#include "models/support/time.h"

namespace tvp::support {

class TileScheduler;

/// A part of a tile that acts independently: a RISC-V core, the coprocessor, a NIU, an ethernet
/// queue.
///
/// Visible actions inside a tile are ordered by (cycle, order of the agents). An agent keeps
/// `next()`, the earliest cycle at which it may touch state that another agent can see. The
/// TileScheduler always runs the first agent in that order.
class Agent {
 public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  /// Acts at `next()`, and may continue while `may_act(t)` holds for the cycle t of each visible
  /// access. On return, `next()` must be after everything done (or kNever). `may_act` does not
  /// limit private work (registers, local RAM).
  virtual void run() = 0;
  /// The scheduler calls it after TileScheduler::leave_to_itself, before the agent with that order
  /// acts at cycle t. The agent takes the state that it would have if it had acted all the time, up
  /// to a moment before t. It then calls TileScheduler::return_to and acts again from that moment
  /// on.
  virtual void catch_up(Cycle /*t*/, unsigned /*order*/) {}

  /// Lets it act at cycle t or before, see TileScheduler::wake (defined in tile_scheduler.h).
  inline void wake(Cycle t);

  Cycle next() const { return *next_; }
  /// Position in the tile's tie order; set when the agent is added to its scheduler.
  unsigned order() const { return order_; }

 protected:
  /// True if no other agent of the tile and nothing from outside can come before cycle t (defined
  /// in tile_scheduler.h).
  inline bool may_act(Cycle t) const;
  /// Only the agent itself may call it, inside run() or before the first run.
  void set_next(Cycle t) {
    *next_ = t;
    *due_ |= 1U << order_;
  }
  /// The memory that the next run touches first. Only a hint for the host's caches.
  void set_hot(const void* state, std::size_t state_bytes, const void* code) {
    hot_ = {static_cast<const char*>(state), state_bytes, static_cast<const char*>(code)};
  }
  /// Call it before the agent is added to a scheduler. Such an agent calls TileScheduler::disturbs
  /// before actions that can concern sleeping agents.
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
  /// In the scheduler's table, so that it finds the first agent fast.
  Cycle* next_ = &before_added_;
  unsigned due_before_added_ = 0;
  unsigned* due_ = &due_before_added_;  ///< in the scheduler too
  unsigned order_ = 0;
  bool asks_ = false;
  TileScheduler* scheduler_ = nullptr;
};

}  // namespace tvp::support
