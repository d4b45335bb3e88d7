#pragma once

#include <cstdint>
#include <vector>

#include "models/riscv/debug/core_status.h"
#include "models/riscv/execute/counting_loop.h"
#include "models/riscv/execute/execution_state.h"
#include "models/riscv/execute/l1_arbiter.h"
#include "models/riscv/polls/poll_detector.h"
#include "models/riscv/timing/instruction_cache.h"
#include "models/support/agent.h"
#include "models/support/probe.h"
#include "models/support/watch.h"

namespace tvp::riscv {

/// Lets a core sleep in polls that the detector proves, and before accesses without a response yet.
/// Wakes it at the exact cycle at which it would have seen the change.
class PollSleep : public support::Sleeper {
 public:
  using Cycle = support::Cycle;

  PollSleep(support::Agent& agent, ExecutionState& state, CoreStatus& status,
            support::WatchHub& watches)
      : agent_(agent), s_(state), status_(status), watches_(watches) {}
  PollSleep(const PollSleep&) = delete;
  PollSleep& operator=(const PollSleep&) = delete;
  ~PollSleep() override { watches_.cancel(*this); }

  /// Off: the core executes every poll. Never changes simulated time.
  void set_on(bool on) { on_ = on; }
  bool is_on() const { return on_; }
  /// Sets the observer of the core's memories. One that wants polls makes the core execute them.
  void set_memory_observer(const support::Probe::Listener* observer) { memory_ = observer; }

  PollDetector& detector() { return poll_; }
  const support::Agent& agent() const { return agent_; }

  // The core also sleeps through counting loops, while no other agent reads what the loop stores or
  // changes what it loads. Its memories and registers meanwhile keep the values from the moment of
  // falling asleep.

  /// Allows or forbids skipping of counting loops. Code that reads memories without acting in the
  /// tile calls Calendar::settle.
  void set_counting(bool on, const CountingLoop::Memory& memory) {
    counting_on_ = on;
    memory_of_core_ = memory;
  }
  /// Follows an instruction of a loop that may count; false if it does more.
  bool follow(const Op& op) { return counting_.note(s_.pc, op, s_.executed, s_.regs); }
  void stop_following();
  /// For a turn that is made up for: the value that it read from a register which has changed
  /// meanwhile. Null if the turn comes after the change.
  const PollDetector::Load* as_it_was(std::uint32_t address, std::uint32_t bytes, Cycle t);
  /// Call it when the core begins to run: it looks for such a loop from time to time.
  void hunt_now_and_then() {
    if (counting_on_ && --until_hunt_ == 0) [[unlikely]]
      hunt();
  }
  /// Before the agent with that order acts at cycle t: executes the skipped part.
  void catch_up(Cycle t, unsigned order);
  /// True if the core falls asleep at the jump to `pc`.
  bool at_backward_jump(std::uint32_t pc, Cycle t, const InstructionCache::Tags& cached);
  /// Falls asleep in the proved poll.
  void fall_asleep();
  /// Blocks until a change of `watch`; forever with kNone.
  void wait_for(support::Watch watch);
  /// A core that sleeps in a poll, or spins, executes that loop from cycle `now` on.
  void execute_poll(Cycle now);
  /// The agent with that order makes fetched code invalid from `now` on. True if the core sleeps in
  /// a poll. It then wakes and fetches again from the next place at which it can stop, since it
  /// would have executed the part before that.
  bool refetch(Cycle now, unsigned order);
  /// The agent with that order calls this.
  void reset(Cycle now, unsigned order);

  // An interrupted recording must see later changes.
  void guard_recording();
  void end_guard() {
    watches_.cancel(*this);
    s_.guarded = false;
  }

  void location_changed(Cycle when, unsigned order) override;

  // For reports: the event for which a sleeping or blocked core waits, and the loop that it slept
  // through. A counting loop is included even if it was caught up with and the core has not slept
  // since.

  /// The core's state for an observer at cycle `now`. It does not change if a counting core was
  /// caught up with for the observer.
  CoreState state_at(Cycle now) const;
  /// Bit i is Watch i.
  std::uint32_t mask() const;
  const std::vector<support::WatchHub::L1Range>& ranges() const;
  /// Addresses that a sleeping core polls, or the one that blocks it.
  std::vector<std::uint32_t> addresses() const;
  bool is_counting() const {
    return counts_ || (s_.state == CoreState::kRunning && caught_up_at_ != support::kNever);
  }
  /// The counts of that loop in memory.
  std::vector<CountingLoop::Count> counts() const;
  /// Instructions of poll iterations that were not executed, up to the place that an executing core
  /// would have reached before cycle `now`.
  std::uint64_t slept_instructions(Cycle now) const;

 private:
  static constexpr unsigned kFirstHunt = 16;  ///< runs of the core before that
  static constexpr unsigned kSoon = 3;        ///< not in the run that executes the skipped part
  static constexpr unsigned kMostFailures = 10;

  /// Turns that must pass before sleeping pays for its proof.
  static constexpr std::uint64_t kWorthwhile = 8;
  static constexpr unsigned kMostInterruptions = 6;

  bool executes_polls() const;
  PollTiming timing(Cycle t, const InstructionCache::Tags& cached) const;
  bool judge_poll(Cycle t, const PollTiming& timing);
  void hunt();
  void begin_following(std::uint32_t pc, Cycle t, const PollTiming& timing);
  bool at_turn(std::uint32_t pc, Cycle t, const PollTiming& timing);
  void find_use();
  bool stores(const support::WatchHub::L1Range& range) const;
  /// True if no agent reads what a turn stores, or changes what it loads.
  bool unseen(Cycle until) const;
  std::uint64_t slept_until(Cycle now, bool first) const;
  /// Skips complete iterations.
  void skip(std::uint64_t iterations);
  /// Publishes the loads of L1 that the loop makes while the core sleeps.
  void tell_l1();
  void tell_l1_no_more(Cycle from);
  void go_on(Cycle from);

  support::Agent& agent_;
  ExecutionState& s_;
  CoreStatus& status_;
  support::WatchHub& watches_;
  const support::Probe::Listener* memory_ = nullptr;
  bool on_ = true;
  PollDetector poll_;
  std::vector<L1Arbiter::Polled> polled_;
  support::Watch blocked_on_ = support::Watch::kNone;
  std::uint64_t slept_ = 0;
  std::uint64_t slept_before_ = 0;  ///< the current wake-up

  bool counting_on_ = false;
  bool counts_ = false;  ///< asleep in a counting loop
  unsigned until_hunt_ = kFirstHunt;
  unsigned failures_ = 0;
  unsigned interruptions_ = 0;  ///< consecutive ones soon after falling asleep
  unsigned jumps_to_pass_ = 0;  ///< jumps until one is followed; one more after each failure
  CountingLoop counting_;
  CountingLoop::Memory memory_of_core_;
  support::LeftAgents::Use use_;
  std::uint32_t registers_ = 0;  ///< bit i: a turn reads Watch i, other than L1
  /// Addresses that a turn loads, without those that it stores.
  std::vector<std::uint32_t> addresses_;
  CoreState slept_as_ = CoreState::kRunning;
  Cycle caught_up_at_ = support::kNever;
  Cycle late_until_ = 0;         ///< with kLate: cycle at which registers changed
  bool late_with_ties_ = false;  ///< true if its reads at that cycle come before the change
};

}  // namespace tvp::riscv
