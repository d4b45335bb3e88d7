#include "models/tensix/coprocessor/frontend/issue_stage.h"

#include <algorithm>

#include "models/support/tile_scheduler.h"

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;
using support::kNever;
using support::Watch;

IssueStage::IssueStage(const std::string& where, Backend& backend, const SharedState& state,
                       support::WatchHub& watch_hub, IssueFaults& faults,
                       const CoprocessorConfig& config, Generation generation)
    : where_(where),
      backend_(backend),
      write_back_(state.write_back),
      watch_hub_(watch_hub),
      faults_(faults),
      form_(regs::tensix::InstructionForm::of(generation)),
      gate_(backend, state.registers),
      dropped_(config, where),
      inspector_(threads_, backend, gate_, state.registers) {
  last_served_.fill(kThreads - 1);
}

bool IssueStage::push(unsigned t, std::uint32_t instruction, Cycle now, unsigned other_order) {
  Thread& thread = threads_[t];
  if (!thread.frontend.push_from_t(form_.internal(instruction), *core_pc_[t])) return false;
  thread.idle = false;
  next_[t].epoch = NextOf::kUnknown;
  wake_at(other_order < order() ? now : now + 1);
  return true;
}

bool IssueStage::push_from_b(unsigned t, std::uint32_t instruction, Cycle now,
                             unsigned other_order) {
  Thread& thread = threads_[t];
  bool collided = false;
  const bool pushed = thread.frontend.push_from_b(form_.internal(instruction), now, collided);
  if (collided) {
    faults_.raise(Fault(FaultKind::kFirmware, where_ + ".T" + std::to_string(t),
                        "B pushes an instruction in the cycle in which one of the thread's own "
                        "leaves the MOP expander: the latter is lost"));
  }
  if (!pushed) return false;
  thread.idle = false;
  next_[t].epoch = NextOf::kUnknown;
  wake_at(other_order < order() ? now : now + 1);
  return true;
}

void IssueStage::configure_mop(unsigned t, unsigned index, std::uint32_t value) {
  MopExpander& expander = threads_[t].frontend.mop_expander();
  if (expander.expanding()) {
    faults_.raise(Fault(FaultKind::kFirmware, where_ + ".T" + std::to_string(t),
                        "MOP configuration written while a MOP is being expanded"));
  }
  const bool is_instruction = index >= MopExpander::kFirstInstruction;
  expander.set_config(index, is_instruction ? form_.internal(value) : value, *core_pc_[t]);
}

// ---- The clock ----------------------------------------------------------------------------------

void IssueStage::wake_at(Cycle t) {
  if (has_scheduler()) {
    scheduler().wake(*this, t);
  } else if (t < next()) {
    set_next(t);
  }
}

void IssueStage::touched(Cycle now, unsigned other_order) {
  ++epoch_;
  wake_at(other_order < order() ? now : now + 1);
}

[[gnu::always_inline]] inline bool IssueStage::is_candidate(Thread& thread, Cycle now) {
  if (!thread.frontend.has_head() || now < thread.free_at) return false;
  if (thread.blocked ? thread.blocked_epoch == cycle_epoch_ : now < thread.try_at) return false;
  return !thread.head_is_held();
}

[[gnu::always_inline]] inline void IssueStage::advance_frontend(Thread& thread, unsigned t,
                                                                Cycle now) {
  if (thread.frontend.advance(now)) watch_hub_.changed(Watch::kCoprocessor, now, order());
  if (thread.done_at <= now && thread.frontend.empty() && !backend_.waits_for_bank(t)) {
    thread.idle = true;
    watch_hub_.changed(Watch::kCoprocessor, now, order());
  }
}

Cycle IssueStage::next_of(unsigned t, Cycle now) {
  Thread& thread = threads_[t];
  if (thread.asleep()) return kNever;
  if (thread.frontend.can_advance()) return now + 1;
  const WaitLatch& latch = thread.latch;
  // A condition may hold and then fail again, so it must be checked even without an instruction.
  if (latch.valid && latch.released_at > now + 1 && latch.epoch != epoch_) return now + 1;
  if (!thread.frontend.has_head()) {
    const bool drained = !thread.idle && thread.frontend.empty();
    return drained && !backend_.waits_for_bank(t) ? std::max(now + 1, thread.done_at) : kNever;
  }
  if (thread.head_is_held()) return latch.released_at;
  if (thread.blocked) return thread.blocked_epoch != epoch_ ? now + 1 : kNever;
  return std::max({now + 1, thread.try_at, thread.free_at});
}

void IssueStage::run() {
  backend_.set_agent_order(order());
  Turn turn{.now = next(), .until = next()};
  if (alone_paid_) find_alone(turn);
  while (may_act(turn.now)) {
    if (turn.now < turn.until && !signals_) {
      run_alone(turn);
    } else {
      step(turn.now);
      next_after(turn.now, turn);
    }
    set_next(turn.now);
  }
}

/// Threads that can do something at `now`, one bit each.
inline unsigned IssueStage::acting_at(Cycle now) const {
  unsigned acting = 0;
  for (unsigned t = 0; t < kThreads; ++t) {
    const bool waits = knows_next_of(t) && next_[t].cycle > now;
    acting |= (waits ? 0U : 1U) << t;
  }
  return acting;
}

/// Finds out if only one thread can act at `turn.now`.
inline void IssueStage::find_alone(Turn& turn) const {
  const unsigned acting = acting_at(turn.now);
  if (acting == 0 || (acting & (acting - 1)) != 0) return;
  turn.thread = acting >> 1;  // index of the only set bit
  turn.until = write_back_.next();
  for (unsigned t = 0; t < kThreads; ++t) {
    if (t != turn.thread) turn.until = std::min(turn.until, next_[t].cycle);
  }
}

/// Runs the cycles of one thread while the others are idle and it does nothing that concerns them:
/// most of a sequence of MOP or REPLAY. Leaves the next event in `turn`.
void IssueStage::run_alone(Turn& turn) {
  Thread& thread = threads_[turn.thread];
  next_[turn.thread].epoch = NextOf::kAny;
  bool others_wait = false;
  for (const NextOf& next : next_) others_wait |= next.epoch != NextOf::kAny;
  next_[turn.thread].epoch = NextOf::kUnknown;
  std::uint64_t epoch = epoch_;
  Cycle now = turn.now;
  Cycle last = now;  // last cycle with an event
  while (now < turn.until && may_act(now)) {
    last = now;
    if (thread.frontend.only_replays()) now = last = run_replays(turn.thread, now, turn.until);
    if (epoch_ == epoch) {
      if (now >= turn.until || !may_act(now)) {
        last = now - 1;
        break;
      }
      counters_.active();
      cycle_epoch_ = epoch_;
      if (thread.latch.valid) gate_.look_at(thread.latch, turn.thread, now, cycle_epoch_);
      if (is_candidate(thread, now)) offer(turn.thread, now);
      if (!thread.idle) advance_frontend(thread, turn.thread, now);
    }
    if (epoch_ != epoch) {
      if (others_wait) break;
      // The change concerns no thread, unless a result is on its way.
      epoch = epoch_;
      turn.until = std::min(turn.until, write_back_.next());
    }
    now = std::max(next_of(turn.thread, now), now + 1);
  }
  faults_.offer_nothing();
  alone_paid_ |= last != turn.now;
  next_after(last, turn);
}

/// Runs the cycles in which only REPLAYs move and the matrix or vector unit takes the instruction
/// at the gate. Returns the first cycle that may be different, before anything has happened in it,
/// or one in which a value changed for which another agent may wait (epoch_).
Cycle IssueStage::run_replays(unsigned t, Cycle now, Cycle until) {
  Thread& thread = threads_[t];
  if (thread.latch.valid || thread.blocked || now < std::max(thread.try_at, thread.free_at))
    return now;
  const std::uint64_t epoch = epoch_;
  while (thread.frontend.only_replays()) {
    now = run_replay(t, now, until);
    if (epoch_ != epoch || now >= until || !may_act(now) || !begin_replay(t, now)) break;
    ++now;
  }
  return now;
}

Cycle IssueStage::run_replay(unsigned t, Cycle now, Cycle until) {
  Replayed replayed(threads_[t]);
  while (replayed.left() != 0 && now < until && may_act(now)) {
    const Pushed head = replayed.head();
    const Unit unit = kDispatchTable[head.instruction >> 24].unit;
    if (unit == Unit::kVector && run_plain_vectors(t, now, until, replayed)) continue;
    if (unit == Unit::kMatrix && run_products(t, now, until, replayed)) continue;
    if (unit != Unit::kVector && unit != Unit::kMatrix) break;
    if (backend_.free_from(unit) > now) break;
    if (dropped_.takes(head.instruction, counters_)) [[unlikely]]
      break;
    faults_.offer(t, head);
    const Issue issue = backend_.issue_arithmetic(head.instruction, t, unit, now);
    if (issue.kind != Issue::Kind::kStarted) break;
    counters_.active();
    if (!issue.quiet) {
      replayed.settle();
      started(t, head.instruction, unit, issue, now);
      advance_frontend(threads_[t], t, now);
      return now;
    }
    counters_.count(t, head.instruction);
    backend_.started_arithmetic(t, unit, issue);
    last_served_[static_cast<unsigned>(unit)] = t;
    replayed.took_one(++now, issue.done);
  }
  return now;
}

namespace {

/// Consecutive instructions that a unit has taken. `replayed` is updated at the end, also at a
/// fault.
struct TakenInARow {
  TakenInARow(Replayed& to, Cycle now) : replayed(to), at(now) {}
  ~TakenInARow() {
    if (count != 0) replayed.took(count, at, latest);
  }
  TakenInARow(const TakenInARow&) = delete;
  TakenInARow& operator=(const TakenInARow&) = delete;

  void took_one(Cycle done) {
    ++at;
    ++count;
    latest = std::max(latest, done);
  }

  Replayed& replayed;
  unsigned count = 0;
  Cycle at;  ///< cycle of the next one
  Cycle latest = 0;
};

}  // namespace

/// Moves `now` behind all instructions that the vector unit can take without detailed checks. True
/// if there were any.
bool IssueStage::run_plain_vectors(unsigned t, Cycle& now, Cycle until, Replayed& replayed) {
  VectorUnit* const vector = plain_vector_unit(now);
  if (vector == nullptr) return false;
  // They wake no agent, so the limit stays.
  const Cycle end = std::min(until, scheduler().limit());
  const unsigned most = replayed.left();
  TakenInARow taken(replayed, now);
  const auto may_go_on = [&] { return taken.at < end && taken.count < most; };
  const auto take = [&](const Pushed& head) __attribute__((always_inline)) {
    faults_.offer(t, head);
    const Cycle done = vector->issue_plain(head.instruction, t, taken.at);
    if (done == 0) return false;
    counters_.count(t, head.instruction);
    taken.took_one(done);
    return true;
  };
  bool plain = true;
  if (!replayed.gate_is_of_replay()) {
    while (plain && may_go_on() && replayed.is_at_gate(taken.count))
      plain = take(replayed.head(taken.count));
  }
  if (plain && may_go_on()) faults_.offer(t, {0, replayed.pc()});
  const ReplayExpander& buffer = replayed.buffer();
  while (plain && may_go_on()) {
    const bool any = vector->issue_sequence(
        t, buffer.buffer(), buffer.changes(), replayed.place(taken.count), most - taken.count, end,
        replayed.gate_is_full(), taken.at, taken.latest,
        [&](std::uint32_t instruction) { faults_.offer_next(instruction); },
        [&](std::uint32_t instruction) {
          counters_.count(t, instruction);
          ++taken.count;
        });
    if (!any) plain = take(replayed.head(taken.count));
  }
  if (taken.count == 0) return false;
  counters_.active(taken.at - now);
  now = taken.at;
  took_plain_vectors(t, taken.latest, now);
  return true;
}

/// The same for MVMULs.
bool IssueStage::run_products(unsigned t, Cycle& now, Cycle until, Replayed& replayed) {
  if (backend_.free_from(Unit::kMatrix) > now || dropped_.any()) return false;
  MatrixUnit* const matrix = backend_.own_matrix();
  if (matrix == nullptr || !replayed.gate_is_of_replay()) return false;
  const Cycle end = std::min({until, scheduler().limit(), now + replayed.left()});
  const ReplayExpander& buffer = replayed.buffer();
  TakenInARow taken(replayed, now);
  faults_.offer(t, {0, replayed.pc()});
  const bool any = matrix->issue_sequence(
      t, buffer.buffer(), buffer.changes(), replayed.place(0), end - now, taken.at,
      [&](std::uint32_t instruction) { faults_.offer_next(instruction); },
      [&](std::uint32_t instruction) {
        counters_.count(t, instruction);
        ++taken.count;
        taken.latest = taken.at + Dst::kWriteToReadCycles;
      });
  if (!any) return false;
  counters_.active(taken.count);
  now = taken.at;
  backend_.started_arithmetic(t, Unit::kMatrix, Issue::started(now, taken.latest));
  last_served_[static_cast<unsigned>(Unit::kMatrix)] = t;
  return true;
}

/// The gate takes an instruction of the vector unit while the following REPLAY arrives at the gate.
bool IssueStage::begin_replay(unsigned t, Cycle now) {
  Thread& thread = threads_[t];
  if (!thread.frontend.begins_replay()) return false;
  VectorUnit* const vector = plain_vector_unit(now);
  if (vector == nullptr) return false;
  const Pushed head = thread.frontend.pushed_head();
  faults_.offer(t, head);
  const Cycle done = vector->issue_plain(head.instruction, t, now);
  if (done == 0) return false;
  counters_.active();
  counters_.count(t, head.instruction);
  thread.frontend.pop_head();
  thread.took(now + 1, done);
  took_plain_vectors(t, done, now + 1);
  advance_frontend(thread, t, now);
  return true;
}

/// The coprocessor's vector unit, if it accepts an instruction at `now` without further checks.
inline VectorUnit* IssueStage::plain_vector_unit(Cycle now) {
  return backend_.free_from(Unit::kVector) > now || dropped_.any() ? nullptr
                                                                   : backend_.own_vector();
}
inline void IssueStage::took_plain_vectors(unsigned t, Cycle done, Cycle free_from) {
  backend_.started_arithmetic(t, Unit::kVector, Issue::started(free_from, done));
  last_served_[static_cast<unsigned>(Unit::kVector)] = t;
}

void IssueStage::step(Cycle now) {
  counters_.active();
  if (write_back_.next() <= now) {
    backend_.deliver(now);
    ++epoch_;
  }
  cycle_epoch_ = epoch_;
  const unsigned acting = acting_at(now);
  for (unsigned t = 0; t < kThreads; ++t) {
    WaitLatch& latch = threads_[t].latch;
    if ((acting >> t & 1) == 0) {
      // The thread has no instruction at its gate that could see the end of the wait.
      if (latch.released_at <= now) latch.valid = false;
      continue;
    }
    next_[t].epoch = NextOf::kUnknown;
    if (latch.valid) gate_.look_at(latch, t, now, cycle_epoch_);
  }
  offer_all(acting, now);
  for (unsigned t = 0; t < kThreads; ++t) {
    if ((acting >> t & 1) != 0 && !threads_[t].idle) advance_frontend(threads_[t], t, now);
  }
  if (signals_) [[unlikely]]
    show(now);
}

inline void IssueStage::find_next_of(unsigned t, Cycle now) {
  const Thread& thread = threads_[t];
  // True if the thread waits for others: at its gate, or for a bank in an unpacker.
  const bool waits =
      thread.latch.valid || (thread.frontend.has_head() ? thread.blocked : !thread.idle);
  next_[t] = {.cycle = next_of(t, now), .epoch = waits ? epoch_ : NextOf::kAny};
}

void IssueStage::next_after(Cycle now, Turn& turn) {
  Cycle first = kNever;
  Cycle until = write_back_.next();
  for (unsigned t = 0; t < kThreads; ++t) {
    if (!knows_next_of(t)) find_next_of(t, now);
    const Cycle next = next_[t].cycle;
    if (next < first) {
      until = std::min(until, first);
      first = next;
      turn.thread = t;
    } else {
      until = std::min(until, next);
    }
  }
  turn.now = std::max(std::min(first, until), now + 1);
  turn.until = until;
}

// ---- Offers -------------------------------------------------------------------------------------

void IssueStage::offer_all(unsigned acting, Cycle now) {
  unsigned waiting = 0;
  for (unsigned t = 0; t < kThreads; ++t) {
    if ((acting >> t & 1) != 0 && is_candidate(threads_[t], now)) waiting |= 1U << t;
  }
  if (waiting == 0) return;
  for (unsigned t = 0; waiting != 0; ++t) {
    if ((waiting & (1U << t)) == 0) continue;
    const Unit unit = threads_[t].head_dispatch().unit;
    if ((waiting & (waiting - 1)) == 0 || unit == Unit::kNone) {
      waiting &= ~(1U << t);
      offer(t, now);
      continue;
    }
    const unsigned last = last_served_[static_cast<unsigned>(unit)];
    for (unsigned turn = 1; turn <= kThreads; ++turn) {
      const unsigned other = (last + turn) % kThreads;
      if ((waiting & (1U << other)) == 0 || threads_[other].head_dispatch().unit != unit) continue;
      waiting &= ~(1U << other);
      offer(other, now);
    }
  }
  faults_.offer_nothing();
}

void IssueStage::offer(unsigned t, Cycle now) {
  Thread& thread = threads_[t];
  const Pushed head = thread.frontend.pushed_head();
  const std::uint32_t instruction = head.instruction;
  const Unit unit = thread.head_dispatch().unit;
  thread.blocked = false;
  if (unit != Unit::kNone && backend_.free_from(unit) > now) {
    thread.try_at = backend_.free_from(unit);
    return;
  }
  faults_.offer(t, head);
  if (dropped_.takes(instruction, counters_)) [[unlikely]]
    return started(t, instruction, unit, Issue::started(now + 1, now + 1), now);
  const Issue result = backend_.issue(instruction, t, unit, now, thread.latch);
  switch (result.kind) {
    case Issue::Kind::kStarted:
      started(t, instruction, unit, result, now);
      break;
    case Issue::Kind::kRetryAt:
      thread.try_at = result.retry;
      break;
    case Issue::Kind::kBlocked:
      thread.blocked = true;
      thread.blocked_epoch = cycle_epoch_;
      break;
  }
}

void IssueStage::started(unsigned t, std::uint32_t instruction, Unit unit, const Issue& issue,
                         Cycle now) {
  Thread& thread = threads_[t];
  thread.frontend.pop_head();
  thread.dispatched = false;
  thread.try_at = now + 1;
  thread.done_at = std::max(thread.done_at, issue.done);
  thread.free_at = unit == Unit::kScalar ? issue.unit_free : issue.thread_free;
  if (unit != Unit::kNone) last_served_[static_cast<unsigned>(unit)] = t;
  backend_.started(instruction, t, unit, issue);
  counters_.count(t, instruction);
  // The thread's own wait may be for the pipeline that the instruction occupies.
  if (!issue.quiet || thread.latch.valid) {
    if (unit == Unit::kMatrix && backend_.unpackers().any_waits_for_bank()) bring_in_waiting(now);
    ++epoch_;
  }
  if (signals_) [[unlikely]]
    signals_->issued(t, instruction, unit, now, std::max(issue.unit_free, issue.done));
}

/// The matrix unit may have returned a bank for which an UNPACR waits.
void IssueStage::bring_in_waiting(Cycle now) {
  faults_.offer_nothing();  // the units continue with instructions of earlier cycles
  Unpackers& unpackers = backend_.unpackers();
  if (!unpackers.banks_given_back(now)) return;
  for (unsigned t = 0; t < kThreads; ++t) {
    Cycle& done_at = threads_[t].done_at;
    for (unsigned i = 0; i < Unpackers::kUnpackers; ++i) {
      if (!unpackers.waits_for_bank(i, t)) done_at = std::max(done_at, unpackers.idle_from(i, t));
    }
  }
}

// ---- For waves and reports ----------------------------------------------------------------------

CoprocessorSignals& IssueStage::signals() {
  if (!signals_) signals_ = std::make_unique<CoprocessorSignals>();
  return *signals_;
}

void IssueStage::show(Cycle now) {
  for (unsigned t = 0; t < kThreads; ++t) {
    const ThreadActivity next = inspector_.activity(t, now + 1);
    const bool issues = signals_->issues_at(t, now);
    signals_->thread_state(t, now, issues ? signals_->last_issued(t) : inspector_.activity(t, now),
                           next);
  }
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) show_semaphore(i, now);
}

}  // namespace tvp::tensix::coprocessor
