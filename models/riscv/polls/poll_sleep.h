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
  bool is_on() const { return on_; }
  /// Of the memories that the core uses: one that wants polls has them executed.
  void set_memory_observer(const support::Probe::Listener* observer) { memory_ = observer; }

  PollDetector& detector() { return poll_; }
  const support::Agent& agent() const { return agent_; }

  // A loop that only counts is slept through as well, as long as nobody else looks at what it
  // stores or changes what it loads. What the core's memories and registers then hold is of the
  // moment of falling asleep.

  /// Allows or forbids skipping of counting loops. Code that reads memories without acting in the
  /// tile calls Calendar::settle.
  void set_counting(bool on, const CountingLoop::Memory& memory) {
    counting_on_ = on;
    memory_of_core_ = memory;
  }
  /// Follows an instruction of a loop that perhaps counts; false when it does more.
  bool follow(const Op& op) { return counting_.note(s_.pc, op, s_.executed, s_.regs); }
  void stop_following();
  /// For a turn that is made good: what it found in a register that has changed meanwhile; null
  /// when it comes behind that change.
  const PollDetector::Load* as_it_was(std::uint32_t address, std::uint32_t bytes, Cycle t);
  /// To be called when the core begins to run: looks now and then for such a loop.
  void hunt_now_and_then() {
    if (counting_on_ && --until_hunt_ == 0) [[unlikely]]
      hunt();
  }
  /// The agent with that order acts at cycle t: what happened before is made good.
  void catch_up(Cycle t, unsigned order);
  /// True when the core falls asleep at the jump to `pc`.
  bool at_backward_jump(std::uint32_t pc, Cycle t, const InstructionCache::Tags& cached);
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
  /// The agent with that order calls this.
  void reset(Cycle now, unsigned order);

  // A recorded iteration that is interrupted must learn of changes behind its back.
  void guard_recording();
  void end_guard() {
    watches_.cancel(*this);
    s_.guarded = false;
  }

  void location_changed(Cycle when, unsigned order) override;

  // For people: what a core that sleeps or is blocked waits for, and what it slept through. A loop
  // that only counts is told of, too, when it was caught up with and the core has not slept since.

  /// The core's state for whoever looks at cycle `now`: that a core which counts was caught up with
  /// just for him makes no difference.
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
  /// Instructions of poll iterations that were not executed, up to where a core that executes them
  /// has come before cycle `now`.
  std::uint64_t slept_instructions(Cycle now) const;

 private:
  static constexpr unsigned kFirstHunt = 16;  ///< runs of the core until then
  static constexpr unsigned kSoon = 3;        ///< not in the run that makes good
  static constexpr unsigned kMostFailures = 10;

  /// Turns that pass before sleeping is worth what it costs to prove them.
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
  /// Nobody looks at what a turn stores, or changes what it loads.
  bool unseen(Cycle until) const;
  std::uint64_t slept_until(Cycle now, bool first) const;
  /// Whole iterations that pass without being executed.
  void skip(std::uint64_t iterations);
  /// Publishes the loads of L1 that the loop makes meanwhile, until cycle `from`.
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
  std::uint64_t slept_before_ = 0;  ///< the present wake

  bool counting_on_ = false;
  bool counts_ = false;  ///< asleep in a loop that counts
  unsigned until_hunt_ = kFirstHunt;
  unsigned failures_ = 0;
  unsigned interruptions_ = 0;  ///< soon after it fell asleep, one after the other
  unsigned jumps_to_pass_ = 0;  ///< until one is followed: another one after each failure
  CountingLoop counting_;
  CountingLoop::Memory memory_of_core_;
  support::LeftAgents::Use use_;
  std::uint32_t registers_ = 0;           ///< bit i: a turn reads Watch i, other than L1
  std::vector<std::uint32_t> addresses_;  ///< that a turn loads, but for what it stores
  CoreState slept_as_ = CoreState::kRunning;
  Cycle caught_up_at_ = support::kNever;
  Cycle late_until_ = 0;         ///< with kLate: when registers changed
  bool late_with_ties_ = false;  ///< what it reads in that very cycle comes before the change
};

}  // namespace tvp::riscv
