#include "models/riscv/polls/poll_sleep.h"

#include <algorithm>

namespace tvp::riscv {

using support::Cycle;
using support::Watch;

bool PollSleep::executes_polls() const {
  return !on_ || (s_.observer != nullptr && s_.observer->wants_polls()) ||
         (memory_ != nullptr && memory_->wants_polls());
}

PollTiming PollSleep::timing(Cycle t, const InstructionCache::Tags& cached) const {
  s_.settle();
  PollTiming timing = s_.pipeline.seen_from(t, s_.leave, cached);
  timing.ahead = s_.ahead_until > t ? s_.ahead_until - t : 0;
  timing.contended = s_.pipeline.take_contended();
  timing.fetches = s_.fetches.seen_from(t);
  return timing;
}

bool PollSleep::at_backward_jump(std::uint32_t pc, Cycle t, const InstructionCache::Tags& cached) {
  poll_.drop_hold();
  if (s_.activity & (ExecutionState::kReplaying | ExecutionState::kRefetching)) return false;
  if (s_.activity & ExecutionState::kLate) {
    s_.activity = t <= late_until_ ? unsigned{ExecutionState::kLate} : 0U;
    return false;
  }
  if (s_.activity & ExecutionState::kFollowing) return at_turn(pc, t, timing(t, cached));
  if (s_.activity & ExecutionState::kHunting) {
    const bool polls = (s_.activity & (ExecutionState::kDirty | ExecutionState::kLoaded)) ==
                           ExecutionState::kLoaded &&
                       !poll_.has_failed(pc);
    if (!polls) {
      s_.activity = ExecutionState::kHunting;
      if (jumps_to_pass_-- == 0) begin_following(pc, t, timing(t, cached));
      return false;
    }
    s_.activity &= ~ExecutionState::kHunting;
    until_hunt_ = kSoon;
  }
  const bool recording = (s_.activity & ExecutionState::kRecording) != 0;
  const bool dirty = (s_.activity & ExecutionState::kDirty) != 0;
  if (recording && !dirty && pc != poll_.target() && poll_.inner_jump()) return false;
  s_.activity = 0;
  if (executes_polls()) return false;
  if (!recording) {
    if (!dirty && poll_.candidate(pc)) {
      poll_.begin(t, s_.executed, s_.regs, timing(t, cached), s_.branches.mark());
      s_.activity = ExecutionState::kRecording;
    }
    return false;
  }
  if (!dirty && pc == poll_.target()) return judge_poll(t, timing(t, cached));
  poll_.failed();
  return false;
}

/// At the end of a recorded iteration.
bool PollSleep::judge_poll(Cycle t, const PollTiming& timing) {
  switch (poll_.judge(t, s_.executed, s_.regs, timing, s_.branches)) {
    case PollDetector::Verdict::kPoll:
      return true;
    case PollDetector::Verdict::kNotYet:
      // Without a load, these places come again after some turns. The last load of a turn decides
      // them, so one turn that begins as this one ended is enough.
      s_.activity = ExecutionState::kRecording;
      if (poll_.mask() != 0) {
        poll_.begin(t, s_.executed, s_.regs, timing, s_.branches.mark());
      } else if (!poll_.inner_jump()) {
        break;
      }
      return false;
    case PollDetector::Verdict::kNoPoll:
      break;
  }
  s_.activity = 0;
  poll_.failed();
  return false;
}

// ---- Loops that count ---------------------------------------------------------------------------

void PollSleep::hunt() {
  until_hunt_ = kFirstHunt << failures_;
  constexpr unsigned kBusy = ExecutionState::kRecording | ExecutionState::kReplaying |
                             ExecutionState::kRefetching | ExecutionState::kLate;
  // Observers must see every store.
  if ((s_.activity & kBusy) || executes_polls() || memory_ != nullptr || s_.l1_bytes == 0) return;
  if (s_.scheduler->next_unasked(agent_) < s_.time + ExecutionState::kRunAhead) return;
  jumps_to_pass_ = failures_;
  s_.activity |= ExecutionState::kHunting;
}

void PollSleep::begin_following(std::uint32_t pc, Cycle t, const PollTiming& timing) {
  constexpr unsigned kMostAtFirst = 512;
  constexpr unsigned kMost = 8192;
  poll_.begin(t, s_.executed, s_.regs, timing, s_.branches.mark(), true);
  CountingLoop::Memory memory = memory_of_core_;
  memory.l1 = s_.l1;
  memory.l1_bytes = s_.l1_bytes;
  memory.stop_store = s_.stop_store;
  caught_up_at_ = support::kNever;
  counting_.begin(pc, s_.regs, memory, failures_ < 4 ? kMostAtFirst : kMost);
  s_.activity = ExecutionState::kRecording | ExecutionState::kFollowing;
}

/// At a backward jump of a followed loop: the turn gets another round unless the rounds so far
/// prove it.
bool PollSleep::at_turn(std::uint32_t pc, Cycle t, const PollTiming& timing) {
  s_.activity &= ExecutionState::kRecording | ExecutionState::kFollowing;
  if (pc == counting_.target() && !timing.contended && poll_.periodic(timing, s_.branches) &&
      counting_.proves(s_.regs)) {
    poll_.proved(t, s_.executed);
    find_use();
    if (unseen(t + poll_.period())) {
      counts_ = true;
      failures_ = 0;
      return true;
    }
    s_.activity = 0;
  } else if (counting_.too_long() || timing.contended) {
    stop_following();
  }
  return false;
}

void PollSleep::stop_following() {
  failures_ = std::min(failures_ + 1, kMostFailures);
  s_.activity = ExecutionState::kDirty;
}

/// True if the counting loop stores to the range.
bool PollSleep::stores(const support::WatchHub::L1Range& range) const {
  return std::any_of(use_.stored.begin(), use_.stored.end(),
                     [&](const auto& r) { return r.first <= range.last && range.first <= r.last; });
}

/// Finds the ranges that other agents must not access without asking while the core sleeps.
void PollSleep::find_use() {
  use_.stored = counting_.stored();
  use_.loaded.clear();
  for (const support::WatchHub::L1Range& range : poll_.ranges()) {
    if (!stores(range)) use_.loaded.push_back(range);
  }
  registers_ = poll_.mask() & ~1U;
  addresses_ = poll_.addresses();
  std::erase_if(addresses_, [&](std::uint32_t address) { return stores({address, address}); });
}

bool PollSleep::unseen(Cycle until) const {
  const support::TileScheduler& tile = *s_.scheduler;
  if (tile.next_unasked(agent_) < until) return false;
  // Another agent can conflict with its L1 accesses, which are not executed.
  const bool at_l1 = !use_.stored.empty() || !use_.loaded.empty() || poll_.fetches();
  if (at_l1 && s_.pipeline.is_heard(s_.time)) return false;
  // A turn is made up for with the values that it found in registers.
  if (registers_ != 0 && !poll_.has_all_loads()) return false;
  const auto bytes = [](const support::WatchHub::L1Range& r) { return r.last - r.first + 1; };
  for (const support::WatchHub::L1Range& range : use_.stored) {
    if (watches_.is_watched(range) || tile.is_used(range.first, bytes(range), true)) return false;
  }
  for (const support::WatchHub::L1Range& range : use_.loaded) {
    if (tile.is_used(range.first, bytes(range), false)) return false;
  }
  return true;
}

// Executes the last complete turn, which restores the values computed from the counters. Also
// executes the part before the first visible access at or after t, which no agent waits for.
void PollSleep::catch_up(Cycle t, unsigned order) {
  if (!counts_) return;
  counts_ = false;
  s_.scheduler->return_to(agent_);
  watches_.cancel(*this);
  const std::uint64_t turns = poll_.iterations_until(t);
  const std::uint64_t skipped = std::max(turns, std::uint64_t{1}) - 1;
  counting_.advance(skipped, s_.regs);
  skip(skipped);
  status_.end_wait(s_.time);
  slept_as_ = s_.state;
  caught_up_at_ = t;
  s_.activity = 0;
  if (registers_ != 0) {
    s_.activity = ExecutionState::kLate;
    late_until_ = t;
    late_with_ties_ = s_.order < order;
  }
  interruptions_ = turns < kWorthwhile ? std::min(interruptions_ + 1, kMostInterruptions) : 0;
  until_hunt_ = interruptions_ > 1 ? kFirstHunt << interruptions_ : kSoon;
  status_.enter_unheard(CoreState::kRunning, s_.time);
  s_.scheduler->wake(agent_, t > 0 ? std::min(s_.time, t - 1) : 0);
}

const PollDetector::Load* PollSleep::as_it_was(std::uint32_t address, std::uint32_t bytes,
                                               Cycle t) {
  if (t < late_until_ || (t == late_until_ && late_with_ties_)) {
    return poll_.load_of(address, bytes);
  }
  s_.activity &= ~ExecutionState::kLate;
  return nullptr;
}

// ---- Falling asleep and waking ------------------------------------------------------------------

void PollSleep::fall_asleep() {
  // The jump is a place to stop, as if the core had continued.
  if (s_.time >= s_.ahead_until) s_.ahead_until = s_.time + ExecutionState::kRunAhead;
  if (counts_) {
    s_.scheduler->leave_to_itself(agent_, use_);
    if (registers_ != 0) watches_.sleep(*this, registers_, {});
    status_.enter_unheard(mask() == 0 ? CoreState::kSpinning : CoreState::kSleepingOnPoll, s_.time);
    return;
  }
  tell_l1();
  if (poll_.mask() == 0) {
    status_.enter(CoreState::kSpinning, s_.time);
    return;
  }
  watches_.sleep(*this, poll_.mask(), poll_.ranges());
  status_.enter(CoreState::kSleepingOnPoll, s_.time);
}

void PollSleep::tell_l1() {
  L1Arbiter* const arbiter = s_.pipeline.l1_arbiter();
  if (arbiter == nullptr) return;
  polled_.clear();
  poll_.for_l1_reads([this](std::uint32_t address, Cycle offset) {
    polled_.push_back({offset, address});
  });
  if (polled_.empty()) return;
  arbiter->polls(s_.pipeline.master(), poll_.asleep_since(), poll_.period(), polled_);
}

void PollSleep::tell_l1_no_more(Cycle from) {
  L1Arbiter* const arbiter = s_.pipeline.l1_arbiter();
  if (arbiter != nullptr) arbiter->polls_no_more(s_.pipeline.master(), from);
}

void PollSleep::wait_for(Watch watch) {
  blocked_on_ = watch;
  if (watch != Watch::kNone) watches_.sleep(*this, 1U << static_cast<unsigned>(watch), {});
}

void PollSleep::guard_recording() {
  if (poll_.mask() == 0) return;
  watches_.sleep(*this, poll_.mask(), poll_.ranges());
  s_.guarded = true;
}

void PollSleep::skip(std::uint64_t iterations) {
  slept_ += iterations * poll_.instructions();
  const Cycle by = iterations * poll_.period();
  s_.settle();
  s_.pipeline.shift(poll_.asleep_since(), by, s_.leave);
  s_.ahead_until += by;
  s_.fetches.shift(by);
  s_.time += by;
}

void PollSleep::go_on(Cycle from) {
  status_.enter(CoreState::kRunning, from);
  s_.scheduler->wake(agent_, from);
}

void PollSleep::execute_poll(Cycle now) {
  if (counts_) {
    catch_up(now, 0);
  } else if (s_.state == CoreState::kSleepingOnPoll) {
    location_changed(now, 0);
  } else if (s_.state == CoreState::kSpinning) {
    // Without a load, the core is at the first turn that begins at `now` or later.
    std::uint64_t turns = poll_.iterations_until(now);
    if (poll_.asleep_since() + turns * poll_.period() < now) ++turns;
    skip(turns);
    tell_l1_no_more(s_.time);
    s_.activity = 0;
    go_on(s_.time);
  }
}

bool PollSleep::refetch(Cycle now, unsigned order) {
  catch_up(now, order);
  if (s_.state == CoreState::kSleepingOnPoll || s_.woken) {
    if (s_.activity & ExecutionState::kRefetching) return true;
    if (!s_.woken) location_changed(now, order);
    s_.activity |= ExecutionState::kRefetching;
    s_.refetch_from = s_.order > order ? now : now + 1;
    return true;
  }
  // Branches of the iteration have forgotten what they learned before.
  poll_.spoil();
  execute_poll(now);
  return false;
}

void PollSleep::location_changed(Cycle when, unsigned change_order) {
  if (counts_) return catch_up(when, change_order);
  watches_.cancel(*this);
  if (s_.state == CoreState::kSleepingOnPoll) {
    const PollDetector::Resume resume = poll_.after_change(when, change_order, s_.order);
    slept_before_ = slept_;
    tell_l1_no_more(resume.cycle);
    skip(resume.iterations);
    status_.end_wait(s_.time);
    poll_.start_replay(resume.replayed);
    s_.activity = resume.replayed > 0 ? unsigned{ExecutionState::kReplaying} : 0U;
    s_.woken = true;
    go_on(resume.cycle);
  } else if (s_.state == CoreState::kBlocked) {
    const Cycle retry = when + 1;
    const Cycle since = status_.since();
    status_.end_wait(retry);
    s_.time = std::max(s_.time, retry);
    status_.enter(CoreState::kRunning, std::max(retry, since));
    s_.scheduler->wake(agent_, retry);
  } else {
    s_.guarded = false;
    poll_.spoil();
  }
}

void PollSleep::reset(Cycle now, unsigned order) {
  catch_up(now, order);
  // At `now` itself it reads before agents that come later in the order.
  tell_l1_no_more(now + (s_.order < order ? 1 : 0));
  if (L1Arbiter* const arbiter = s_.pipeline.l1_arbiter(); arbiter != nullptr)
    arbiter->reset(s_.pipeline.master(), now + 1);
  slept_ = slept_until(now, s_.order < order);
  s_.woken = false;
  caught_up_at_ = support::kNever;
  failures_ = 0;
  interruptions_ = 0;
  until_hunt_ = kFirstHunt;
  status_.end_wait(now);
  end_guard();
  poll_.reset();
}

std::uint64_t PollSleep::slept_until(Cycle now, bool first) const {
  if (counts_) return slept_ + poll_.iterations_until(now) * poll_.instructions();
  // It was woken for a later cycle, but would have come closer by now.
  if (s_.woken) return slept_before_ + poll_.instructions_until(now, first);
  if (s_.state != CoreState::kSleepingOnPoll && s_.state != CoreState::kSpinning) return slept_;
  return slept_ + poll_.instructions_until(now, first);
}

std::uint64_t PollSleep::slept_instructions(Cycle now) const { return slept_until(now, false); }

CoreState PollSleep::state_at(Cycle now) const {
  return s_.state == CoreState::kRunning && caught_up_at_ == now ? slept_as_ : s_.state;
}

std::uint32_t PollSleep::mask() const {
  if (s_.state == CoreState::kBlocked) return 1U << static_cast<unsigned>(blocked_on_);
  if (is_counting()) return registers_ | (use_.loaded.empty() ? 0U : 1U);
  return s_.state == CoreState::kSleepingOnPoll ? poll_.mask() : 0;
}

const std::vector<support::WatchHub::L1Range>& PollSleep::ranges() const {
  static const std::vector<support::WatchHub::L1Range> kNone;
  if (is_counting()) return use_.loaded;
  return s_.state == CoreState::kSleepingOnPoll ? poll_.ranges() : kNone;
}

std::vector<CountingLoop::Count> PollSleep::counts() const {
  return is_counting() ? counting_.counts() : std::vector<CountingLoop::Count>{};
}

std::vector<std::uint32_t> PollSleep::addresses() const {
  if (s_.state == CoreState::kBlocked) return {status_.blocked_address()};
  if (is_counting()) return addresses_;
  return s_.state == CoreState::kSleepingOnPoll ? poll_.addresses() : std::vector<std::uint32_t>{};
}

}  // namespace tvp::riscv
