#pragma once

#include <cstdint>
#include <vector>

#include "models/riscv/core_status.h"
#include "models/riscv/counting_loop.h"
#include "models/riscv/execution_state.h"
#include "models/riscv/instruction_cache.h"
#include "models/riscv/poll_detector.h"
#include "models/support/agent.h"
#include "models/support/memory_observer.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Lets a core sleep: in polls that the detector proves, and in front of accesses that are not
/// answered yet. Wakes it at the exact cycle at which it would have seen the change.
class PollSleep : public support::Sleeper {
 public:
  using Cycle = support::Cycle;

  PollSleep(support::Agent& agent, ExecutionState& state, CoreStatus& status,
            support::WatchHub& watches)
      : agent_(agent), s_(state), status_(status), watches_(watches) {}
  PollSleep(const PollSleep&) = delete;
  PollSleep& operator=(const PollSleep&) = delete;
  ~PollSleep() override { watches_.cancel(*this); }

  /// Off: every poll is executed. Never changes a time.
  void set_on(bool on) { on_ = on; }
  /// Of the memories that the core uses: one that wants polls has them executed.
  void set_memory_observer(const support::MemoryObserver* observer) { memory_ = observer; }

  PollDetector& detector() { return poll_; }

  // A loop that only counts is slept through as well, as long as no other agent of the tile acts.
  // What the core's memories and registers then hold is of the moment of falling asleep.

  /// Whether it is; whoever looks at memories without acting in the tile calls Calendar::settle.
  void set_counting(bool on, const CountingLoop::Memory& memory) {
    counting_on_ = on;
    memory_of_core_ = memory;
  }
  /// Follows an instruction of a loop that perhaps counts; false when it does more.
  bool follow(const Op& op) { return counting_.note(op, s_.executed, s_.regs); }
  void stop_following();
  /// To be called when the core begins to run: looks now and then for such a loop.
  void hunt_now_and_then() {
    if (counting_on_ && --until_hunt_ == 0) [[unlikely]]
      hunt();
  }
  /// Somebody else acts at cycle t: what happened before is made good.
  void catch_up(Cycle t);
  /// True when the core falls asleep at the jump to `pc`.
  bool at_backward_jump(std::uint32_t pc, Cycle t, Cycle leave,
                        const InstructionCache::Tags& cached);
  /// In the poll that was proved.
  void fall_asleep();
  /// Blocked until a change of `watch`; for ever with kNone.
  void wait_for(support::Watch watch);
  /// A core that sleeps in a poll, or spins, executes that loop from cycle `now` on.
  void execute_poll(Cycle now);
  /// Fetched code is invalid from `now` on, by the agent with that order. True when the core sleeps
  /// in a poll: then it wakes, and fetches anew from the next place at which it can stop, for what
  /// lies before that it would have executed already.
  bool refetch(Cycle now, unsigned order);
  void reset(Cycle now);

  // A recorded iteration that is interrupted must learn of changes behind its back.
  void guard_recording();
  void end_guard() {
    watches_.cancel(*this);
    s_.guarded = false;
  }

  void location_changed(Cycle when, unsigned order) override;

  // For people: what a core that sleeps or is blocked waits for, and what it slept through.
  /// Bit i is Watch i.
  std::uint32_t mask() const;
  const std::vector<support::WatchHub::L1Range>& ranges() const;
  /// Addresses that a sleeping core polls, or the one that blocks it.
  std::vector<std::uint32_t> addresses() const;
  /// Instructions of poll iterations that were not executed, up to cycle `now`.
  std::uint64_t slept_instructions(Cycle now) const;

 private:
  static constexpr unsigned kFirstHunt = 16;  ///< runs of the core until then
  static constexpr unsigned kSoon = 3;        ///< not in the run that makes good
  static constexpr unsigned kMostFailures = 10;

  bool executes_polls() const;
  void hunt();
  void begin_following(std::uint32_t pc, Cycle t, const PollTiming& timing);
  bool at_turn(std::uint32_t pc, Cycle t, const PollTiming& timing);
  /// Nobody looks at what a turn stores.
  bool unseen(Cycle until) const;
  /// Whole iterations that pass without being executed.
  void skip(std::uint64_t iterations);
  void go_on(Cycle from);

  support::Agent& agent_;
  ExecutionState& s_;
  CoreStatus& status_;
  support::WatchHub& watches_;
  const support::MemoryObserver* memory_ = nullptr;
  bool on_ = true;
  PollDetector poll_;
  support::Watch blocked_on_ = support::Watch::kNone;
  std::uint64_t slept_ = 0;

  bool counting_on_ = false;
  bool counts_ = false;  ///< asleep in a loop that counts
  unsigned until_hunt_ = kFirstHunt;
  unsigned failures_ = 0;
  unsigned jumps_to_pass_ = 0;  ///< until one is followed: another one after each failure
  CountingLoop counting_;
  CountingLoop::Memory memory_of_core_;
};

}  // namespace tvp::riscv
