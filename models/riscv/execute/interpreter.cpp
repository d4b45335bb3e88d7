// Threaded dispatch over predecoded words. pipeline.h computes the times.
#include "models/riscv/execute/interpreter.h"

#include <algorithm>
#include <cstring>

#include "models/riscv/decode/disassembler.h"
#include "models/riscv/decode/instruction_meanings.h"
#include "models/riscv/decode/multiply_divide.h"

namespace tvp::riscv {

using support::Cycle;
using support::kNever;
using Outcome = LoadStoreUnit::Outcome;

// Waits for both operands.
#define TVP_OPERANDS(a, b)             \
  if (p.waits(a, b, t)) [[unlikely]] { \
    t = p.stalled(t, a, b);            \
  }
#define TVP_NEXT()            \
  do {                        \
    ++op;                     \
    goto* dispatch[op->code]; \
  } while (false)
// Saves the state that a cold path, a fault or a debugger may read.
#define TVP_SAVE()                                        \
  do {                                                    \
    s.pc = page->pc(op);                                  \
    s.page = page;                                        \
    s.op = op;                                            \
    s.time = t;                                           \
    s.leave = leave;                                      \
    s.activity = activity;                                \
    s.executed += static_cast<std::uint64_t>(op - start); \
    start = op;                                           \
  } while (false)

#define TVP_ALU(name, expression)                                          \
  do_##name : {                                                            \
    TVP_OPERANDS(op->rs1, op->rs2)                                         \
    const std::uint32_t a = s.regs[op->rs1];                               \
    [[maybe_unused]] const std::uint32_t b = s.regs[op->rs2];              \
    [[maybe_unused]] const auto imm = static_cast<std::uint32_t>(op->imm); \
    s.regs[op->rd] = static_cast<std::uint32_t>(expression);               \
    finish(op->rd, 1);                                                     \
    TVP_NEXT();                                                            \
  }
// Like TVP_ALU, but with one operand.
#define TVP_ALU_IMM(name, expression)                                      \
  do_##name : {                                                            \
    TVP_OPERANDS(op->rs1, op->rs1)                                         \
    const std::uint32_t a = s.regs[op->rs1];                               \
    [[maybe_unused]] const auto imm = static_cast<std::uint32_t>(op->imm); \
    s.regs[op->rd] = static_cast<std::uint32_t>(expression);               \
    finish(op->rd, 1);                                                     \
    TVP_NEXT();                                                            \
  }
#define TVP_LONG(name, cycles, expression)   \
  do_##name : {                              \
    TVP_OPERANDS(op->rs1, op->rs2)           \
    const std::uint32_t a = s.regs[op->rs1]; \
    const std::uint32_t b = s.regs[op->rs2]; \
    s.regs[op->rd] = (expression);           \
    finish(op->rd, cycles);                  \
    TVP_NEXT();                              \
  }
#define TVP_MULTIPLY(name, expression)       \
  do_##name : {                              \
    TVP_OPERANDS(op->rs1, op->rs2)           \
    const std::uint32_t a = s.regs[op->rs1]; \
    const std::uint32_t b = s.regs[op->rs2]; \
    s.regs[op->rd] = (expression);           \
    p.multiplied(op->rd, t, leave);          \
    TVP_NEXT();                              \
  }
#define TVP_DIVIDE(name, is_signed, expression) \
  TVP_LONG(name, p.divide_cycles(is_signed, a, b), expression)
#define TVP_BRANCH(name, condition)                              \
  do_##name : {                                                  \
    TVP_OPERANDS(op->rs1, op->rs2)                               \
    const std::uint32_t a = s.regs[op->rs1];                     \
    const std::uint32_t b = s.regs[op->rs2];                     \
    const bool taken = (condition);                              \
    finish(Op::kSink, 1);                                        \
    if (!s.branches.settled(op->prediction, taken)) [[unlikely]] \
      t = resolve(*op, taken, t, activity);                      \
    if (!taken) TVP_NEXT();                                      \
    TVP_JUMP()                                                   \
  }
// A jump or taken branch with its distance in aux.
#define TVP_JUMP()                                                                           \
  jumped = op;                                                                               \
  if (op->aux == Op::kFar) [[unlikely]] {                                                    \
    target = static_cast<std::uint32_t>(op->imm);                                            \
    goto far_jump;                                                                           \
  }                                                                                          \
  s.executed += static_cast<std::uint64_t>(op - start + 1);                                  \
  op += op->aux;                                                                             \
  start = op;                                                                                \
  if (op <= jumped) {                                                                        \
    if ((activity & (kLoaded | kDirty)) == kLoaded || activity >= kRecording) [[unlikely]] { \
      if (activity >= kRecording || !held_back(jumped)) goto maybe_poll;                     \
    }                                                                                        \
    activity = 0;                                                                            \
  }                                                                                          \
  if (t >= s.ahead_until) [[unlikely]]                                                       \
    goto stop_point;                                                                         \
  if (--s.until_blocks == 0) [[unlikely]]                                                    \
    goto try_blocks;                                                                         \
  goto* dispatch[op->code];

#define TVP_LOAD(name, type)                                                                      \
  do_##name : {                                                                                   \
    TVP_OPERANDS(op->rs1, op->rs1)                                                                \
    const std::uint32_t address = s.regs[op->rs1] + static_cast<std::uint32_t>(op->imm);          \
    Cycle e = p.room_at(t + 1, leave);                                                            \
    if (p.has_stores_after(e)) [[unlikely]]                                                       \
      e = p.behind_same_address(address, e);                                                      \
    const std::uint32_t offset = address - kLocalBase;                                            \
    if (offset < local_bytes && (address & (sizeof(type) - 1)) == 0) {                            \
      type value;                                                                                 \
      std::memcpy(&value, local + offset, sizeof value);                                          \
      s.regs[op->rd] = static_cast<std::uint32_t>(value);                                         \
      loaded(op->rd, e - 1, p.local_latency());                                                   \
      TVP_NEXT();                                                                                 \
    }                                                                                             \
    if ((address < s.l1_direct || s.is_beyond(address)) && (address & (sizeof(type) - 1)) == 0 && \
        activity < kRecording) [[likely]] {                                                       \
      const Cycle c = std::max(e - 1, p.slot_free());                                             \
      if (!s.may_act(c)) [[unlikely]] {                                                           \
        later = c;                                                                                \
        goto not_yet;                                                                             \
      }                                                                                           \
      type value;                                                                                 \
      std::memcpy(&value, s.l1 + address, sizeof value);                                          \
      s.regs[op->rd] = static_cast<std::uint32_t>(value);                                         \
      activity |= kLoaded;                                                                        \
      const Cycle latency = p.l1_load_latency(address, c);                                        \
      in_flight(c, latency);                                                                      \
      loaded(op->rd, c, latency);                                                                 \
      TVP_NEXT();                                                                                 \
    }                                                                                             \
    TVP_SAVE();                                                                                   \
    outcome = memory_.load(address, sizeof(type), e - 1);                                         \
    activity = s.activity;                                                                        \
    if (outcome != Outcome::kDone) goto not_done;                                                 \
    s.regs[op->rd] = static_cast<std::uint32_t>(static_cast<type>(memory_.value()));              \
    if (!memory_.is_local(address)) in_flight(memory_.cycle(), memory_.latency());                \
    loaded(op->rd, memory_.cycle(), memory_.latency());                                           \
    TVP_NEXT();                                                                                   \
  }

#define TVP_STOP_AT_STORE(place)                   \
  if ((place) == s.stop_store) [[unlikely]] {      \
    if (hooks_.stops_at(value)) goto behind_store; \
  }

#define TVP_STORE(name, type)                                                                   \
  do_##name : {                                                                                 \
    TVP_OPERANDS(op->rs1, op->rs2)                                                              \
    const std::uint32_t address = s.regs[op->rs1] + static_cast<std::uint32_t>(op->imm);        \
    const auto value = static_cast<type>(s.regs[op->rs2]);                                      \
    const Cycle e = p.room_at(t + 1, leave);                                                    \
    const std::uint32_t offset = address - kLocalBase;                                          \
    if (offset < local_bytes && (address & (sizeof(type) - 1)) == 0) {                          \
      type old;                                                                                 \
      std::memcpy(&old, local + offset, sizeof old);                                            \
      if (old != value) {                                                                       \
        std::memcpy(local + offset, &value, sizeof value);                                      \
        activity |= kDirty;                                                                     \
      }                                                                                         \
      p.stored(address, e, e + 1, t, leave);                                                    \
      TVP_STOP_AT_STORE(address)                                                                \
      TVP_NEXT();                                                                               \
    }                                                                                           \
    if ((address < s.l1_direct || s.is_beyond(address)) && (address & (sizeof(type) - 1)) == 0) \
        [[likely]] {                                                                            \
      if (!s.may_act(e - 1)) [[unlikely]] {                                                     \
        later = e - 1;                                                                          \
        goto not_yet;                                                                           \
      }                                                                                         \
      std::memcpy(s.l1 + address, &value, sizeof value);                                        \
      s.l1_stored = std::max(s.l1_stored, address);                                             \
      watches.l1_written(address, sizeof value, e - 1, s.order);                                \
      activity |= kDirty;                                                                       \
      s.ahead_until = e + kRunAhead;                                                            \
      p.stored_l1(address, e, t, leave);                                                        \
      TVP_STOP_AT_STORE(address)                                                                \
      TVP_NEXT();                                                                               \
    }                                                                                           \
    TVP_SAVE();                                                                                 \
    outcome = memory_.store(address, sizeof(type), value, e - 1);                               \
    activity = s.activity;                                                                      \
    if (outcome != Outcome::kDone) goto not_done;                                               \
    if (memory_.is_local(address) && (address & (sizeof(type) - 1)) == 0) {                     \
      p.stored(address, e, e + 1, t, leave);                                                    \
    } else {                                                                                    \
      stored_elsewhere(address, e);                                                             \
    }                                                                                           \
    /* As memory sees it: a misaligned one that goes on was rounded down. */                    \
    TVP_STOP_AT_STORE(address & ~static_cast<std::uint32_t>(sizeof value - 1))                  \
    TVP_NEXT();                                                                                 \
  }

// Separate functions, so that execute() keeps its times in registers.

/// The front end restarts. The bubble is part of fetching an absent line.
Cycle Interpreter::mispredicted(Cycle t) {
  state_.fetches.redirect(t);
  return t + state_.branches.penalty();
}

Cycle Interpreter::resolve(Op& op, bool taken, Cycle t, unsigned activity) {
  const bool foreseen = state_.branches.predicts_taken(op.prediction) == taken;
  if (activity & ExecutionState::kRecording) sleep_.detector().note_prediction(op);
  op.prediction = state_.branches.learned(op.prediction, taken);
  return foreseen ? t : mispredicted(t);
}

Cycle Interpreter::resolve_jump(Op& op, Cycle t, unsigned activity) {
  if (activity & ExecutionState::kRecording) sleep_.detector().note_prediction(op);
  op.prediction = state_.branches.learned_jump(op.prediction);
  return mispredicted(t);
}

/// Describes the jump that led to a wrong pc, since the pc alone does not explain it.
std::string Interpreter::led_by_jump() const {
  if (state_.jumped_to != state_.pc || state_.jumped_from == state_.jumped_to) return {};
  return ", reached by the jump at pc " + hex(state_.jumped_from);
}

/// Returns the old value.
std::uint32_t Interpreter::access_csr(const Op& op, Cycle t) {
  const auto code = static_cast<Code>(op.code);
  const auto number = static_cast<std::uint32_t>(op.imm);
  const bool immediate = code >= Code::kCsrrwi;
  const std::uint32_t operand = immediate ? op.rs2 : state_.regs[op.rs1];
  CsrFile& csrs = state_.csrs;
  const std::uint64_t instructions = state_.executed + sleep_.slept_instructions(t);
  std::uint32_t value = 0;
  if (const char* const problem = csrs.read(number, {t, instructions}, value)) {
    status_.raise("access of CSR " + hex(number) + ", " + problem);
    return 0;
  }
  const bool swaps = code == Code::kCsrrw || code == Code::kCsrrwi;
  const bool sets = code == Code::kCsrrs || code == Code::kCsrrsi;
  if (!swaps && (immediate ? op.rs2 : op.rs1) == 0) return value;
  csrs.write(number, {t, instructions},
             swaps  ? operand
             : sets ? value | operand
                    : value & ~operand);
  if (number == CsrFile::kCfg0) {
    state_.pipeline.set_merging(csrs.merges_stores(), csrs.merge_cycles());
  }
  return value;
}

Cycle Interpreter::execute() {
#define TVP_LABEL(name) &&do_##name,
#define TVP_OBSERVED(name) &&observed,
  static const void* const kFast[] = {TVP_RISCV_CODES(TVP_LABEL)};
  static const void* const kObserved[] = {&&do_Undecoded, &&do_PageEnd, &&do_Absent, &&observed,
                                          TVP_RISCV_INSTRUCTIONS(TVP_OBSERVED)};
#define TVP_FOLLOWED(name) &&followed,
  static const void* const kFollowed[] = {&&do_Undecoded, &&do_PageEnd, &&do_Absent, &&followed,
                                          TVP_RISCV_INSTRUCTIONS(TVP_FOLLOWED)};
#undef TVP_LABEL
#undef TVP_OBSERVED
#undef TVP_FOLLOWED
  // Not `using enum`, which the parser of clang 14 does not support.
  constexpr unsigned kDirty = ExecutionState::kDirty;
  constexpr unsigned kLoaded = ExecutionState::kLoaded;
  constexpr unsigned kRecording = ExecutionState::kRecording;
  constexpr unsigned kRefetching = ExecutionState::kRefetching;
  constexpr unsigned kSuspect = ExecutionState::kSuspect;
  constexpr unsigned kFollowing = ExecutionState::kFollowing;
  constexpr Cycle kRunAhead = ExecutionState::kRunAhead;
  constexpr std::uint32_t kLocalBase = LoadStoreUnit::kLocalBase;
  constexpr std::uint32_t kPushAddress = LoadStoreUnit::kPushAddress;
  ExecutionState& s = state_;
  Pipeline& p = s.pipeline;
  support::WatchHub& watches = watches_;
  const void* const* dispatch = s.observer == nullptr ? kFast : kObserved;
  if (s.activity & kFollowing) dispatch = kFollowed;
  const bool by_blocks =
      s.deferred != nullptr && s.page != nullptr && dispatch == kFast && blocks_.may_run();
  if (!by_blocks) s.settle();
  Cycle t = s.time;
  Cycle leave = s.leave;
  unsigned activity = s.activity;
  std::uint8_t* const local = memory_.local().data();
  const std::uint32_t local_bytes = memory_.local().direct_bytes();
  Cycle later = 0;
  std::uint32_t target = s.pc;
  Op* jumped = nullptr;  ///< a branch or jal, to op
  bool behind_jump = false;
  Outcome outcome = Outcome::kDone;
  PredecodedCode::Page* page = s.page != nullptr ? s.page : fetch_.page_to_begin_at(s.pc);
  Op* op = s.page != nullptr ? s.op : (page == nullptr ? nullptr : page->at(s.pc));
  const Op* start = op;

  const auto finish = [&](unsigned rd, Cycle cycles) __attribute__((always_inline)) {
    p.finish(rd, cycles, t, leave);
  };
  const auto loaded = [&](unsigned rd, Cycle c, Cycle latency) __attribute__((always_inline)) {
    p.loaded(rd, c, latency, t, leave);
  };
  const auto in_flight = [&](Cycle c, Cycle latency) __attribute__((always_inline)) {
    s.ahead_until = c + kRunAhead;
    p.in_flight(c, latency);
  };
  // A store that the load/store unit has made.
  const auto stored_elsewhere = [&](std::uint32_t address, Cycle e) __attribute__((always_inline)) {
    s.ahead_until = e + kRunAhead;
    if (memory_.latency() == 0) {
      p.stored_l1(address, e, t, leave);
    } else {
      p.stored_register(address, e, memory_.latency(), t, leave);
    }
  };

  // The loop of this jump was no poll lately.
  const auto held_back = [](Op * jump) __attribute__((always_inline)) {
    if (jump == nullptr) return false;
    std::uint8_t& unchecked = jump->unchecked(static_cast<Code>(jump->code));
    if (unchecked == 0) return false;
    --unchecked;
    return true;
  };
  if (by_blocks) goto run_blocks;
  if (op == nullptr || s.pc % 4 != 0) goto bad_target;
  goto* dispatch[op->code];

observed:
  TVP_SAVE();
  if (!hooks_.before(*page, op, t)) {
    status_.enter(CoreState::kPaused, s.time);
    return kNever;
  }
  if (s.page == nullptr) goto moved;
  goto* kFast[op->code];

followed:
  TVP_SAVE();
  if (!sleep_.follow(*op)) {
    sleep_.stop_following();
    activity = s.activity;
    dispatch = kFast;
  }
  goto* kFast[op->code];

moved:
  // A debugger has set the pc.
  hooks_.forget_commit();
  dispatch = s.observer == nullptr ? kFast : kObserved;
  target = s.pc;
  page = fetch_.page_to_begin_at(target);
  op = page == nullptr ? nullptr : page->at(target);
  start = op;
  if (op == nullptr || target % 4 != 0) goto bad_target;
  goto* dispatch[op->code];

do_Breakpoint:
  TVP_SAVE();
  hooks_.at_breakpoint();
  if (s.page == nullptr) goto moved;
  // A debugger that stops in a poll loop must be able to stop there again and again.
  activity |= kDirty;
  if (s.observer != nullptr && dispatch == kFast) {
    // A single step begins.
    dispatch = kObserved;
    if (!hooks_.before(*page, op, t)) {
      status_.enter(CoreState::kPaused, s.time);
      return kNever;
    }
  }
  goto* kFast[fetch_.cores().decode(page->word(op), s.pc).code];

stop_point:
  // Updated even if the core does not stop, since the next place to stop must not depend on the
  // horizon.
  s.ahead_until = t + kRunAhead;
  if (activity == 0) activity = kSuspect;
  if (activity & kRecording) [[unlikely]]
    sleep_.detector().note_stop(t, s.executed);
  if (!s.may_act(t) || ((activity & kRefetching) && t >= s.refetch_from)) goto out_of_time;
  if (s.deferred != nullptr) [[unlikely]]
    goto blocks;
  goto* dispatch[op->code];

try_blocks:
  blocks_.wake();
blocks:
  TVP_SAVE();
  if (dispatch != kFast || !blocks_.may_run()) {
    s.settle();
    leave = s.leave;
    goto* dispatch[op->code];
  }
run_blocks:
  switch (blocks_.run()) {
    case BlockRunner::Next::kReturn:
      return blocks_.later();
    case BlockRunner::Next::kAsleep:
      sleep_.fall_asleep();
      return kNever;
    case BlockRunner::Next::kJumped:
      behind_jump = true;
      break;
    case BlockRunner::Next::kOneByOne:
      behind_jump = false;
      break;
  }
  t = s.time;
  leave = s.leave;
  activity = s.activity;
  target = s.pc;
  page = s.page;
  if (page == nullptr) goto bad_target;
  op = s.op;
  start = op;
  if (behind_jump && t >= s.ahead_until) goto stop_point;
  goto* dispatch[op->code];

do_Undecoded:
  // The fetched word depends on earlier writes.
  if (!s.may_act(t)) goto out_of_time;
  TVP_SAVE();
  if (memory_.fetch_disturbs(s.pc, t)) goto out_of_time;
  if (!fetch_.fetch(*page, op, memory_)) {
    target = s.pc;
    goto bad_target;
  }
  goto* dispatch[op->code];

do_Absent:
  t = s.fetches.needed(t);
  s.pipeline.fetched(page->pc(op), t);
  if (activity & kRecording) sleep_.detector().note_fetch(page->pc(op), t);
  fetch_.take_in(*page, op);
  goto* dispatch[op->code];

do_PageEnd:
  s.executed += static_cast<std::uint64_t>(op - start);
  target = page->pc(op);
  page = fetch_.page(target);
  op = page == nullptr ? nullptr : page->at(target);
  start = op;
  if (op == nullptr) goto bad_target;
  if (t >= s.ahead_until) goto stop_point;
  goto* dispatch[op->code];

do_Constant:
  s.regs[op->rd] = static_cast<std::uint32_t>(op->imm);
  finish(op->rd, 1);
  TVP_NEXT();

do_Nop:
  finish(Op::kSink, 1);
  TVP_NEXT();

  TVP_RISCV_MEANINGS(TVP_ALU_IMM, TVP_ALU, TVP_MULTIPLY, TVP_DIVIDE, TVP_BRANCH, TVP_LOAD,
                     TVP_STORE)

do_Jal:
  s.regs[op->rd] = page->pc(op) + 4;
  finish(op->rd, 1);
  if (!s.branches.predicts_jump(op->prediction)) [[unlikely]] {
    t = resolve_jump(*op, t, activity);
  }
  TVP_JUMP()

do_Jalr : {
  TVP_OPERANDS(op->rs1, op->rs1)
  target = (s.regs[op->rs1] + static_cast<std::uint32_t>(op->imm)) & ~1U;
  s.regs[op->rd] = page->pc(op) + 4;
  finish(op->rd, 1);
  if (target != static_cast<std::uint32_t>(op->aux) || !s.branches.remembers(op->prediction)) {
    t = resolve_jump(*op, t, activity);
    if (s.branches.learns()) op->aux = static_cast<std::int32_t>(target);
    s.jumped_from = page->pc(op);
    s.jumped_to = target;
  }
  jumped = nullptr;
  goto far_jump;
}

do_Ttinsn : {
  const Cycle e = p.room_at(t + 1, leave);
  TVP_SAVE();
  outcome = memory_.push(static_cast<std::uint32_t>(op->imm), e - 1);
  activity = s.activity;
  if (outcome != Outcome::kDone) goto not_done;
  stored_elsewhere(kPushAddress, e);
  TVP_NEXT();
}

#define TVP_CSR(name) do_##name:
  TVP_RISCV_CSRS(TVP_CSR)
#undef TVP_CSR
  TVP_OPERANDS(op->rs1, op->rs1)
  TVP_SAVE();
  s.regs[op->rd] = access_csr(*op, t);
  activity |= kDirty;
  finish(op->rd, 1);
  t = Pipeline::retired(t, leave);
  TVP_NEXT();

#define TVP_ATOMIC(name) do_##name:
  TVP_RISCV_ATOMICS(TVP_ATOMIC)
#undef TVP_ATOMIC
  {
    TVP_OPERANDS(op->rs1, op->rs2)
    Cycle e = p.room_at(t + 1, leave);
    if (p.has_stores_after(e)) e = p.behind_same_address(s.regs[op->rs1], e);
    TVP_SAVE();
    outcome = memory_.atomic(static_cast<Code>(op->code), s.regs[op->rs1], s.regs[op->rs2], e - 1);
    activity = s.activity;
    if (outcome != Outcome::kDone) goto not_done;
    s.regs[op->rd] = memory_.value();
    in_flight(memory_.cycle(), memory_.latency());
    loaded(op->rd, memory_.cycle(), memory_.latency());
    TVP_NEXT();
  }

do_Invalid:
  TVP_SAVE();
  status_.raise("invalid instruction " + hex(page->word(op)) +
                fetch_.cores().why_invalid(page->word(op)) + led_by_jump());
  finish(Op::kSink, 1);
  TVP_NEXT();

do_Ecall:
do_Ebreak:
  TVP_SAVE();
  if (!hooks_.handles_break()) {
    const bool ecall = decode(page->word(op), s.pc).code == static_cast<std::uint8_t>(Code::kEcall);
    status_.raise(ecall ? "ecall pauses the core" : "ebreak pauses the core");
  }
  finish(Op::kSink, 1);
  ++op;
  TVP_SAVE();
  hooks_.commit();
  status_.enter(CoreState::kPaused, s.time);
  hooks_.skip_next_stop();
  return kNever;

behind_store:
  ++op;
  TVP_SAVE();
  hooks_.commit();
  status_.enter(CoreState::kPaused, s.time);
  return kNever;

far_jump : {
  s.executed += static_cast<std::uint64_t>(op - start + 1);
  const std::uint32_t from = page->pc(op);
  if (target % 4 != 0) {
    start = op;
    TVP_SAVE();
    status_.raise("jump to misaligned address " + hex(target));
    target &= ~3U;
  }
  PredecodedCode::Page* const next_page = fetch_.page(target);
  if (next_page == nullptr) {
    start = op;
    TVP_SAVE();
    hooks_.commit();
    status_.raise("jump to " + hex(target) +
                  (target == 0 ? ", which a null pointer is" : ", where no code can be"));
    s.set_pc(target);
    status_.hang(target);
    return kNever;
  }
  page = next_page;
  op = page->at(target);
  start = op;
  if (target <= from) {
    if ((activity & (kLoaded | kDirty)) == kLoaded || activity >= kRecording) {
      if (activity >= kRecording || !held_back(jumped)) goto maybe_poll;
    }
    activity = 0;
  }
  if (t >= s.ahead_until) goto stop_point;
  if (--s.until_blocks == 0) goto try_blocks;
  goto* dispatch[op->code];
}

maybe_poll:
  TVP_SAVE();
  // With rare checks, the check count means nothing.
  if ((activity & kSuspect) != 0) jumped = nullptr;
  if (sleep_.at_backward_jump(s.pc, t, fetch_.cached())) {
    sleep_.fall_asleep();
    return kNever;
  }
  if (jumped != nullptr) {
    jumped->unchecked(static_cast<Code>(jumped->code)) = sleep_.detector().take_hold();
  }
  activity = s.activity;
  leave = s.leave;
  dispatch = activity & kFollowing ? kFollowed : s.observer == nullptr ? kFast : kObserved;
  if (t >= s.ahead_until) goto stop_point;
  if (s.deferred != nullptr) goto blocks;
  goto* dispatch[op->code];

bad_target:
  s.set_pc(target);
  s.time = t;
  s.leave = leave;
  hooks_.commit();
  status_.raise("instruction fetch from " + hex(target));
  status_.hang(target);
  return kNever;

out_of_time:
  TVP_SAVE();
  hooks_.commit();
  return t;

not_done:
  later = memory_.cycle();
  if (outcome == Outcome::kStopped) {
    hooks_.drop_commit();
    return kNever;
  }
not_yet:
  hooks_.drop_commit();  // will be tried again
  TVP_SAVE();
  return later;
}

}  // namespace tvp::riscv
