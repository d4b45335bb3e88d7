#include "models/riscv/poll_sleep.h"

#include <algorithm>

namespace tvp::riscv {

using support::Cycle;
using support::Watch;

bool PollSleep::executes_polls() const {
  return !on_ || (s_.observer != nullptr && s_.observer->wants_polls()) ||
         (memory_ != nullptr && memory_->wants_polls());
}

bool PollSleep::at_backward_jump(std::uint32_t pc, Cycle t, Cycle leave,
                                 const InstructionCache::Tags& cached) {
  if (s_.activity & (ExecutionState::kReplaying | ExecutionState::kRefetching)) return false;
  if (s_.activity & ExecutionState::kFollowing) {
    return at_turn(pc, t, s_.pipeline.seen_from(t, leave, cached));
  }
  if (s_.activity & ExecutionState::kHunting) {
    const bool polls = (s_.activity & (ExecutionState::kDirty | ExecutionState::kLoaded)) ==
                           ExecutionState::kLoaded &&
                       !poll_.has_failed(pc);
    if (!polls) {
      s_.activity = ExecutionState::kHunting;
      if (jumps_to_pass_-- == 0) {
        begin_following(pc, t, s_.pipeline.seen_from(t, leave, cached));
      }
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
      poll_.begin(t, s_.executed, s_.regs, s_.pipeline.seen_from(t, leave, cached));
      s_.activity = ExecutionState::kRecording;
    }
    return false;
  }
  if (!dirty && pc == poll_.target() &&
      poll_.proves(t, s_.executed, s_.regs, s_.pipeline.seen_from(t, leave, cached))) {
    return true;
  }
  poll_.failed();
  return false;
}

// ---- Loops that count ---------------------------------------------------------------------------

void PollSleep::hunt() {
  until_hunt_ = kFirstHunt << failures_;
  constexpr unsigned kBusy =
      ExecutionState::kRecording | ExecutionState::kReplaying | ExecutionState::kRefetching;
  // Observers are told of every store.
  if ((s_.activity & kBusy) || executes_polls() || memory_ != nullptr || s_.l1_bytes == 0) return;
  if (s_.scheduler->next_of_others(agent_) < s_.time + ExecutionState::kRunAhead) return;
  jumps_to_pass_ = failures_;
  s_.activity |= ExecutionState::kHunting;
}

void PollSleep::begin_following(std::uint32_t pc, Cycle t, const PollTiming& timing) {
  constexpr unsigned kMostAtFirst = 512;
  constexpr unsigned kMost = 8192;
  poll_.begin(t, s_.executed, s_.regs, timing, true);
  CountingLoop::Memory memory = memory_of_core_;
  memory.l1 = s_.l1;
  memory.l1_bytes = s_.l1_bytes;
  memory.stop_store = s_.stop_store;
  counting_.begin(pc, s_.regs, memory, failures_ < 4 ? kMostAtFirst : kMost);
  s_.activity = ExecutionState::kRecording | ExecutionState::kFollowing;
}

/// At a backward jump of a loop that is followed: another round belongs to the turn unless the
/// rounds so far prove it.
bool PollSleep::at_turn(std::uint32_t pc, Cycle t, const PollTiming& timing) {
  s_.activity &= ExecutionState::kRecording | ExecutionState::kFollowing;
  if (pc == counting_.target() && poll_.periodic(timing) && counting_.proves(s_.regs)) {
    poll_.proved(t, s_.executed);
    if (unseen(t + poll_.period())) {
      counts_ = true;
      failures_ = 0;
      return true;
    }
    s_.activity = 0;
  } else if (counting_.too_long()) {
    stop_following();
  }
  return false;
}

void PollSleep::stop_following() {
  failures_ = std::min(failures_ + 1, kMostFailures);
  s_.activity = ExecutionState::kDirty;
}

bool PollSleep::unseen(Cycle until) const {
  if (s_.scheduler->next_of_others(agent_) < until) return false;
  for (const support::WatchHub::L1Range& range : counting_.stored()) {
    if (watches_.is_watched(range)) return false;
  }
  return true;
}

// The last whole turn is executed: what it computes from the counters is then there again. So is
// what comes in front of the first visible access that is not before t: nobody waits for that.
void PollSleep::catch_up(Cycle t) {
  if (!counts_) return;
  counts_ = false;
  const std::uint64_t turns = poll_.iterations_until(t);
  if (turns > 1) {
    counting_.advance(turns - 1, s_.regs);
    skip(turns - 1);
  }
  status_.end_wait(s_.time);
  s_.activity = 0;
  until_hunt_ = kSoon;
  status_.enter(CoreState::kRunning, s_.time);
  s_.scheduler->wake(agent_, t > 0 ? std::min(s_.time, t - 1) : 0);
}

// ---- Falling asleep and waking ------------------------------------------------------------------

void PollSleep::fall_asleep() {
  if (counts_) {
    s_.scheduler->leave_to_itself(agent_);
    status_.enter(poll_.mask() == 0 ? CoreState::kSpinning : CoreState::kSleepingOnPoll, s_.time);
    return;
  }
  if (poll_.mask() == 0) {
    status_.enter(CoreState::kSpinning, s_.time);
    return;
  }
  watches_.sleep(*this, poll_.mask(), poll_.ranges());
  status_.enter(CoreState::kSleepingOnPoll, s_.time);
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
  s_.pipeline.shift(poll_.asleep_since(), by, s_.leave);
  s_.ahead_until += by;
  s_.time += by;
}

void PollSleep::go_on(Cycle from) {
  status_.enter(CoreState::kRunning, from);
  s_.scheduler->wake(agent_, from);
}

void PollSleep::execute_poll(Cycle now) {
  if (counts_) {
    catch_up(now);
  } else if (s_.state == CoreState::kSleepingOnPoll) {
    location_changed(now, 0);
  } else if (s_.state == CoreState::kSpinning) {
    // No load to be in time for: it is at the first turn of its loop that begins at `now` or later.
    std::uint64_t turns = poll_.iterations_until(now);
    if (poll_.asleep_since() + turns * poll_.period() < now) ++turns;
    skip(turns);
    s_.activity = 0;
    go_on(s_.time);
  }
}

bool PollSleep::refetch(Cycle now, unsigned order) {
  catch_up(now);
  if (s_.state == CoreState::kSleepingOnPoll || s_.woken) {
    if (s_.activity & ExecutionState::kRefetching) return true;
    if (!s_.woken) location_changed(now, order);
    s_.activity |= ExecutionState::kRefetching;
    s_.refetch_from = s_.order > order ? now : now + 1;
    return true;
  }
  // Branches of the iteration that were met before have forgotten what they learned.
  poll_.spoil();
  execute_poll(now);
  return false;
}

void PollSleep::location_changed(Cycle when, unsigned change_order) {
  watches_.cancel(*this);
  if (s_.state == CoreState::kSleepingOnPoll) {
    const PollDetector::Resume resume = poll_.after_change(when, change_order, s_.order);
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

void PollSleep::reset(Cycle now) {
  catch_up(now);
  slept_ = slept_instructions(now);
  s_.woken = false;
  failures_ = 0;
  until_hunt_ = kFirstHunt;
  status_.end_wait(now);
  end_guard();
  poll_.reset();
}

std::uint64_t PollSleep::slept_instructions(Cycle now) const {
  if (s_.state != CoreState::kSleepingOnPoll && s_.state != CoreState::kSpinning) return slept_;
  return slept_ + poll_.iterations_until(now) * poll_.instructions();
}

std::uint32_t PollSleep::mask() const {
  if (s_.state == CoreState::kBlocked) return 1U << static_cast<unsigned>(blocked_on_);
  return s_.state == CoreState::kSleepingOnPoll ? poll_.mask() : 0;
}

const std::vector<support::WatchHub::L1Range>& PollSleep::ranges() const {
  static const std::vector<support::WatchHub::L1Range> kNone;
  return s_.state == CoreState::kSleepingOnPoll ? poll_.ranges() : kNone;
}

std::vector<std::uint32_t> PollSleep::addresses() const {
  if (s_.state == CoreState::kBlocked) return {status_.blocked_address()};
  return s_.state == CoreState::kSleepingOnPoll ? poll_.addresses() : std::vector<std::uint32_t>{};
}

}  // namespace tvp::riscv
