// The interpreter: threaded dispatch over predecoded words, with the pipeline's times.
//
// For each instruction, t is the cycle at which it enters the integer unit, e the one at which it
// passes to the load/store unit, and `leave` the one at which it leaves that. Instructions leave in
// order, one a cycle. As long as nothing slow is in front, an instruction leaves at e + 1, and then
// neither the retire queue nor forwarding can hold up anybody: one comparison (leave <= e) keeps
// the common case short. A slow load raises `leave`; the instructions behind it then take the
// longer way until they have caught up.
#include <algorithm>
#include <cstring>

#include "models/riscv/core.h"
#include "models/riscv/disassembler.h"
#include "models/support/tile_scheduler.h"

namespace tvp::riscv {

using support::Cycle;
using support::kNever;

namespace {

std::uint32_t high_signed(std::uint32_t a, std::uint32_t b) {
  const std::int64_t product =
      std::int64_t{static_cast<std::int32_t>(a)} * std::int64_t{static_cast<std::int32_t>(b)};
  return static_cast<std::uint32_t>(product >> 32);
}
std::uint32_t high_mixed(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(
      (std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int64_t>(b)) >> 32);
}
std::uint32_t divide_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0U;
  if (a == 0x80000000U && b == ~0U) return a;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) / static_cast<std::int32_t>(b));
}
std::uint32_t remainder_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (a == 0x80000000U && b == ~0U) return 0;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) % static_cast<std::int32_t>(b));
}

}  // namespace

void Core::run() {
  if (state_ != CoreState::kRunning) {
    set_next(kNever);
    return;
  }
  if (guarded_) {
    watches_.cancel(*this);
    guarded_ = false;
  }
  execute();
  const auto* const hot = reinterpret_cast<const char*>(&state_);
  set_hot(hot, static_cast<std::size_t>(reinterpret_cast<const char*>(&local_) - hot), op_);
  // A recorded iteration that is interrupted must learn of changes behind its back.
  if ((activity_ & kRecording) && state_ == CoreState::kRunning) guard_recording();
}

void Core::guard_recording() {
  if (poll_.mask() == 0) return;
  watches_.sleep(*this, poll_.mask(), poll_.ranges());
  guarded_ = true;
}

// Waits for the operands: both read ports at once.
#define TVP_OPERANDS(a, b)                           \
  if (ready_[a] > t || ready_[b] > t) [[unlikely]] { \
    t = stalled(t, a, b);                            \
  }
#define TVP_NEXT()            \
  do {                        \
    ++op;                     \
    goto* dispatch[op->code]; \
  } while (false)
// What a cold path, a fault or a debugger may look at.
#define TVP_SAVE()                                       \
  do {                                                   \
    pc_ = page->pc(op);                                  \
    page_ = page;                                        \
    op_ = op;                                            \
    time_ = t;                                           \
    leave_ = leave;                                      \
    activity_ = activity;                                \
    executed_ += static_cast<std::uint64_t>(op - start); \
    start = op;                                          \
  } while (false)

#define TVP_ALU(name, expression)                                          \
  do_##name : {                                                            \
    TVP_OPERANDS(op->rs1, op->rs2)                                         \
    const std::uint32_t a = regs_[op->rs1];                                \
    [[maybe_unused]] const std::uint32_t b = regs_[op->rs2];               \
    [[maybe_unused]] const auto imm = static_cast<std::uint32_t>(op->imm); \
    regs_[op->rd] = static_cast<std::uint32_t>(expression);                \
    finish(op->rd, 1);                                                     \
    TVP_NEXT();                                                            \
  }
// Like TVP_ALU, but with one operand.
#define TVP_ALU_IMM(name, expression)                       \
  do_##name : {                                             \
    TVP_OPERANDS(op->rs1, op->rs1)                          \
    const std::uint32_t a = regs_[op->rs1];                 \
    const auto imm = static_cast<std::uint32_t>(op->imm);   \
    regs_[op->rd] = static_cast<std::uint32_t>(expression); \
    finish(op->rd, 1);                                      \
    TVP_NEXT();                                             \
  }
#define TVP_LONG(name, cycles, expression)  \
  do_##name : {                             \
    TVP_OPERANDS(op->rs1, op->rs2)          \
    const std::uint32_t a = regs_[op->rs1]; \
    const std::uint32_t b = regs_[op->rs2]; \
    regs_[op->rd] = (expression);           \
    finish(op->rd, cycles);                 \
    TVP_NEXT();                             \
  }
#define TVP_BRANCH(name, condition)                                  \
  do_##name : {                                                      \
    TVP_OPERANDS(op->rs1, op->rs2)                                   \
    const std::uint32_t a = regs_[op->rs1];                          \
    const std::uint32_t b = regs_[op->rs2];                          \
    const bool taken = (condition);                                  \
    finish(Op::kSink, 1);                                            \
    const std::uint8_t predictor = op->predictor;                    \
    if (taken != (predictor >= 2)) [[unlikely]]                      \
      t += mispredict_;                                              \
    const std::uint8_t learned = next_prediction_[taken][predictor]; \
    if (learned != predictor) [[unlikely]] {                         \
      if (activity & kRecording) poll_.note_prediction(*op);         \
      op->predictor = learned;                                       \
    }                                                                \
    if (!taken) TVP_NEXT();                                          \
    TVP_JUMP()                                                       \
  }
// A jump or taken branch with its distance in aux.
#define TVP_JUMP()                                                                           \
  if (op->aux == Op::kFar) [[unlikely]] {                                                    \
    target = static_cast<std::uint32_t>(op->imm);                                            \
    goto far_jump;                                                                           \
  }                                                                                          \
  if (cached_) t += fetched(static_cast<std::uint32_t>(op->imm));                            \
  executed_ += static_cast<std::uint64_t>(op - start + 1);                                   \
  backward = op->aux <= 0;                                                                   \
  op += op->aux;                                                                             \
  start = op;                                                                                \
  if (backward) {                                                                            \
    if ((activity & (kLoaded | kDirty)) == kLoaded || activity >= kRecording) [[unlikely]] { \
      goto maybe_poll;                                                                       \
    }                                                                                        \
    activity = 0;                                                                            \
  }                                                                                          \
  if (t >= ahead_until_) [[unlikely]]                                                        \
    goto stop_point;                                                                         \
  goto* dispatch[op->code];

#define TVP_LOAD(name, type)                                                                 \
  do_##name : {                                                                              \
    TVP_OPERANDS(op->rs1, op->rs1)                                                           \
    const std::uint32_t address = regs_[op->rs1] + static_cast<std::uint32_t>(op->imm);      \
    Cycle e = room_at(t + 1);                                                                \
    if (last_emitted_ > e) [[unlikely]]                                                      \
      e = behind_same_address(address, e);                                                   \
    const std::uint32_t offset = address - kLocalBase;                                       \
    if (offset < local_bytes && (address & (sizeof(type) - 1)) == 0) {                       \
      type value;                                                                            \
      std::memcpy(&value, local + offset, sizeof value);                                     \
      regs_[op->rd] = static_cast<std::uint32_t>(value);                                     \
      loaded(op->rd, e - 1, local_latency_);                                                 \
      TVP_NEXT();                                                                            \
    }                                                                                        \
    if (address < l1_bytes_ && (address & (sizeof(type) - 1)) == 0 && activity < kRecording) \
        [[likely]] {                                                                         \
      const Cycle c = std::max(e - 1, slots_[slot_]);                                        \
      if (!may_act(c)) [[unlikely]] {                                                        \
        later = c;                                                                           \
        goto not_yet;                                                                        \
      }                                                                                      \
      type value;                                                                            \
      std::memcpy(&value, l1_ + address, sizeof value);                                      \
      regs_[op->rd] = static_cast<std::uint32_t>(value);                                     \
      activity |= kLoaded;                                                                   \
      in_flight(c, l1_latency_);                                                             \
      loaded(op->rd, c, l1_latency_);                                                        \
      TVP_NEXT();                                                                            \
    }                                                                                        \
    TVP_SAVE();                                                                              \
    outcome = load_elsewhere(address, sizeof(type), e - 1);                                  \
    activity = activity_;                                                                    \
    if (outcome != Outcome::kDone) goto not_done;                                            \
    regs_[op->rd] = static_cast<std::uint32_t>(static_cast<type>(value_));                   \
    if (offset >= local_bytes) in_flight(access_cycle_, access_latency_);                    \
    loaded(op->rd, access_cycle_, access_latency_);                                          \
    TVP_NEXT();                                                                              \
  }

#define TVP_STOP_AT_STORE(place)                    \
  if ((place) == stop_store_) [[unlikely]] {        \
    stop_value_ = value;                            \
    if ((stop_value_ & 1U) != 0) goto behind_store; \
  }

#define TVP_STORE(name, type)                                                           \
  do_##name : {                                                                         \
    TVP_OPERANDS(op->rs1, op->rs2)                                                      \
    const std::uint32_t address = regs_[op->rs1] + static_cast<std::uint32_t>(op->imm); \
    const auto value = static_cast<type>(regs_[op->rs2]);                               \
    const Cycle e = room_at(t + 1);                                                     \
    const std::uint32_t offset = address - kLocalBase;                                  \
    if (offset < local_bytes && (address & (sizeof(type) - 1)) == 0) {                  \
      type old;                                                                         \
      std::memcpy(&old, local + offset, sizeof old);                                    \
      if (old != value) {                                                               \
        std::memcpy(local + offset, &value, sizeof value);                              \
        activity |= kDirty;                                                             \
      }                                                                                 \
      stored(address, e, e + 1);                                                        \
      TVP_STOP_AT_STORE(address)                                                        \
      TVP_NEXT();                                                                       \
    }                                                                                   \
    if (address < l1_bytes_ && (address & (sizeof(type) - 1)) == 0) [[likely]] {        \
      if (!may_act(e - 1)) [[unlikely]] {                                               \
        later = e - 1;                                                                  \
        goto not_yet;                                                                   \
      }                                                                                 \
      std::memcpy(l1_ + address, &value, sizeof value);                                 \
      watches_.l1_written(address, sizeof value, e - 1, order());                       \
      activity |= kDirty;                                                               \
      ahead_until_ = e + kRunAhead;                                                     \
      const Cycle emitted = std::max(e + 1, next_l1_store_);                            \
      next_l1_store_ = stored(address, e, emitted) + l1_store_period_;                  \
      TVP_STOP_AT_STORE(address)                                                        \
      TVP_NEXT();                                                                       \
    }                                                                                   \
    TVP_SAVE();                                                                         \
    outcome = store_elsewhere(address, sizeof(type), value, e - 1);                     \
    activity = activity_;                                                               \
    if (outcome != Outcome::kDone) goto not_done;                                       \
    bus_stored(address, e);                                                             \
    /* As memory sees it: a misaligned one that goes on was rounded down. */            \
    TVP_STOP_AT_STORE(address & ~static_cast<std::uint32_t>(sizeof value - 1))          \
    TVP_NEXT();                                                                         \
  }

void Core::execute() {
#define TVP_LABEL(name) &&do_##name,
#define TVP_OBSERVED(name) &&observed,
  static const void* const kFast[] = {TVP_RISCV_CODES(TVP_LABEL)};
  static const void* const kObserved[] = {&&do_Undecoded, &&do_PageEnd, &&observed,
                                          TVP_RISCV_INSTRUCTIONS(TVP_OBSERVED)};
#undef TVP_LABEL
#undef TVP_OBSERVED
  const void* const* dispatch = observer_ == nullptr ? kFast : kObserved;
  Cycle t = time_;
  Cycle leave = leave_;
  unsigned activity = activity_;
  std::uint8_t* const local = local_.data();
  const auto local_bytes = static_cast<std::uint32_t>(local_.size());
  Cycle later = 0;
  std::uint32_t target = pc_;
  bool backward = false;
  Outcome outcome = Outcome::kDone;
  PredecodedCode::Page* page = page_ != nullptr ? page_ : code_.page(pc_);
  Op* op = page_ != nullptr ? op_ : (page == nullptr ? nullptr : page->at(pc_));
  const Op* start = op;

  // First cycle, not before e, at which the retire queue has room.
  const auto room_at = [&](Cycle e) __attribute__((always_inline)) {
    if (leave <= e) [[likely]]
      return e;
    return std::max(e, retire_[retire_at_]);
  };
  const auto retire_behind = [&](Cycle when) __attribute__((always_inline)) {
    leave = when;
    retire_[retire_at_] = when;
    if (++retire_at_ >= retire_depth_) retire_at_ = 0;
  };
  const auto finish = [&](unsigned rd, Cycle cycles) __attribute__((always_inline)) {
    t += cycles;
    if (leave <= t) [[likely]] {
      ready_[rd] = t;
      return;
    }
    t = std::max(t, retire_[retire_at_]);
    retire_behind(std::max(t, leave) + 1);
    ready_[rd] = leave;
    forward_reg_ = rd;
    forward_at_ = t;
  };
  const auto loaded = [&](unsigned rd, Cycle c, Cycle latency) __attribute__((always_inline)) {
    t = c + 1;
    const Cycle done = std::max(c + latency, leave + 1);
    if (done > t + 1) retire_behind(done);
    ready_[rd] = done;
  };
  const auto in_flight = [&](Cycle c, Cycle latency) __attribute__((always_inline)) {
    ahead_until_ = c + kRunAhead;
    slots_[slot_] = c + latency - 1;
    if (++slot_ >= slot_count_) slot_ = 0;
  };
  // Queues a store that is emitted no earlier than `emitted`; returns when it is. A full queue
  // holds up whatever comes next.
  const auto stored = [&](std::uint32_t address, Cycle e, Cycle emitted)
      __attribute__((always_inline)) {
    emitted = std::max(emitted, last_emitted_ + 1);
    last_emitted_ = emitted;
    stores_[store_] = {emitted, address};
    if (++store_ >= store_depth_) store_ = 0;
    if (leave > e) [[unlikely]]
      retire_behind(std::max(e, leave) + 1);
    t = std::max(e, stores_[store_].emitted - (stores_[store_].emitted != 0));
    return emitted;
  };
  const auto bus_stored = [&](std::uint32_t address, Cycle e) __attribute__((always_inline)) {
    ahead_until_ = e + kRunAhead;
    if (access_latency_ == 0) {
      const Cycle emitted = std::max(e + 1, next_l1_store_);
      next_l1_store_ = stored(address, e, emitted) + l1_store_period_;
    } else {
      const Cycle emitted = std::max(e + 1, next_bus_store_);
      next_bus_store_ = stored(address, e, emitted) + access_latency_;
    }
  };

  // What a jump costs in the instruction cache, after the straight code up to it.
  const auto fetched = [&](std::uint32_t to) __attribute__((always_inline)) {
    cache_.ran(straight_from_, page->pc(op));
    straight_from_ = to;
    return cache_.jump(to);
  };

  if (op == nullptr || pc_ % 4 != 0) goto bad_target;
  goto* dispatch[op->code];

observed:
  TVP_SAVE();
  if (!before_instruction(*page, op, t)) {
    enter(CoreState::kPaused, time_);
    goto stopped;
  }
  if (page_ == nullptr) goto moved;
  goto* kFast[op->code];

moved:
  // A debugger set the pc.
  commit_pending_ = false;
  dispatch = observer_ == nullptr ? kFast : kObserved;
  target = pc_;
  page = code_.page(target);
  op = page == nullptr ? nullptr : page->at(target);
  start = op;
  if (op == nullptr || target % 4 != 0) goto bad_target;
  goto* dispatch[op->code];

do_Breakpoint:
  TVP_SAVE();
  breakpoint_listener_->at_breakpoint(*this);
  if (page_ == nullptr) goto moved;
  // Whoever stands in the loop of a poll is to be stopped there again and again.
  activity |= kDirty;
  if (observer_ != nullptr && dispatch == kFast) {
    // A single step begins.
    dispatch = kObserved;
    if (!before_instruction(*page, op, t)) {
      enter(CoreState::kPaused, time_);
      goto stopped;
    }
  }
  goto* kFast[decode(page->word(op), pc_).code];

stop_point:
  // Moved whether the core stops or not: where the next one is must not depend on the horizon.
  ahead_until_ = t + kRunAhead;
  if (activity == 0) activity = kSuspect;
  if (!may_act(t)) goto out_of_time;
  goto* dispatch[op->code];

do_Undecoded:
  // What a fetch finds depends on who wrote before.
  if (!may_act(t)) goto out_of_time;
  TVP_SAVE();
  if (!fetch(*page, op)) {
    target = pc_;
    goto bad_target;
  }
  goto* dispatch[op->code];

do_PageEnd:
  executed_ += static_cast<std::uint64_t>(op - start);
  target = page->pc(op);
  page = code_.page(target);
  op = page == nullptr ? nullptr : page->at(target);
  start = op;
  if (op == nullptr) goto bad_target;
  if (t >= ahead_until_) goto stop_point;
  goto* dispatch[op->code];

do_Constant:
  regs_[op->rd] = static_cast<std::uint32_t>(op->imm);
  finish(op->rd, 1);
  TVP_NEXT();

do_Nop:
  finish(Op::kSink, 1);
  TVP_NEXT();

  TVP_ALU_IMM(Addi, a + imm)
  TVP_ALU_IMM(Slti, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(imm))
  TVP_ALU_IMM(Sltiu, a < imm)
  TVP_ALU_IMM(Xori, a ^ imm)
  TVP_ALU_IMM(Ori, a | imm)
  TVP_ALU_IMM(Andi, a & imm)
  TVP_ALU_IMM(Slli, a << imm)
  TVP_ALU_IMM(Srli, a >> imm)
  TVP_ALU_IMM(Srai, static_cast<std::int32_t>(a) >> imm)
  TVP_ALU(Add, a + b)
  TVP_ALU(Sub, a - b)
  TVP_ALU(Sll, a << (b & 31U))
  TVP_ALU(Slt, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b))
  TVP_ALU(Sltu, a < b)
  TVP_ALU(Xor, a ^ b)
  TVP_ALU(Srl, a >> (b & 31U))
  TVP_ALU(Sra, static_cast<std::int32_t>(a) >> (b & 31U))
  TVP_ALU(Or, a | b)
  TVP_ALU(And, a & b)
  TVP_LONG(Mul, multiply_cycles_, a * b)
  TVP_LONG(Mulh, multiply_cycles_, high_signed(a, b))
  TVP_LONG(Mulhsu, multiply_cycles_, high_mixed(a, b))
  TVP_LONG(Mulhu, multiply_cycles_,
           static_cast<std::uint32_t>((std::uint64_t{a} * std::uint64_t{b}) >> 32))
  TVP_LONG(Div, divide_cycles(Code::kDiv, a, b), divide_signed(a, b))
  TVP_LONG(Divu, divide_cycles(Code::kDivu, a, b), b == 0 ? ~0U : a / b)
  TVP_LONG(Rem, divide_cycles(Code::kRem, a, b), remainder_signed(a, b))
  TVP_LONG(Remu, divide_cycles(Code::kRemu, a, b), b == 0 ? a : a % b)
  TVP_BRANCH(Beq, a == b)
  TVP_BRANCH(Bne, a != b)
  TVP_BRANCH(Blt, static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b))
  TVP_BRANCH(Bge, static_cast<std::int32_t>(a) >= static_cast<std::int32_t>(b))
  TVP_BRANCH(Bltu, a < b)
  TVP_BRANCH(Bgeu, a >= b)
  TVP_LOAD(Lb, std::int8_t)
  TVP_LOAD(Lh, std::int16_t)
  TVP_LOAD(Lw, std::int32_t)
  TVP_LOAD(Lbu, std::uint8_t)
  TVP_LOAD(Lhu, std::uint16_t)
  TVP_STORE(Sb, std::uint8_t)
  TVP_STORE(Sh, std::uint16_t)
  TVP_STORE(Sw, std::uint32_t)

do_Jal:
  regs_[op->rd] = page->pc(op) + 4;
  finish(op->rd, 1);
  TVP_JUMP()

do_Jalr : {
  TVP_OPERANDS(op->rs1, op->rs1)
  target = (regs_[op->rs1] + static_cast<std::uint32_t>(op->imm)) & ~1U;
  regs_[op->rd] = page->pc(op) + 4;
  finish(op->rd, 1);
  if (target != static_cast<std::uint32_t>(op->aux)) {
    t += mispredict_;
    if (learns_) {
      if (activity & kRecording) poll_.note_prediction(*op);
      op->aux = static_cast<std::int32_t>(target);
    }
  }
  goto far_jump;
}

do_Ttinsn : {
  const Cycle e = room_at(t + 1);
  TVP_SAVE();
  outcome = push_instruction(static_cast<std::uint32_t>(op->imm), e - 1);
  activity = activity_;
  if (outcome != Outcome::kDone) goto not_done;
  bus_stored(kPushAddress, e);
  TVP_NEXT();
}

do_Invalid:
  TVP_SAVE();
  raise("invalid instruction " + hex(page->word(op)) + why_invalid(page->word(op)));
  finish(Op::kSink, 1);
  TVP_NEXT();

do_Ecall:
do_Ebreak:
  TVP_SAVE();
  if (observer_ == nullptr || !observer_->handles_break(*this, pc_)) {
    const bool ecall = decode(page->word(op), pc_).code == static_cast<std::uint8_t>(Code::kEcall);
    raise(ecall ? "ecall pauses the core" : "ebreak pauses the core");
  }
  finish(Op::kSink, 1);
  ++op;
  TVP_SAVE();
  if (commit_pending_) commit();
  enter(CoreState::kPaused, time_);
  skip_stop_ = true;
  goto stopped;

behind_store:
  ++op;
  TVP_SAVE();
  if (commit_pending_) commit();
  enter(CoreState::kPaused, time_);
  goto stopped;

far_jump : {
  if (cached_) t += fetched(target);
  executed_ += static_cast<std::uint64_t>(op - start + 1);
  const std::uint32_t from = page->pc(op);
  if (target % 4 != 0) {
    start = op;
    TVP_SAVE();
    raise("jump to misaligned address " + hex(target));
    target &= ~3U;
  }
  PredecodedCode::Page* const next_page = code_.page(target);
  if (next_page == nullptr) {
    start = op;
    goto bad_target;
  }
  page = next_page;
  op = page->at(target);
  start = op;
  if (target <= from) {
    if ((activity & (kLoaded | kDirty)) == kLoaded || activity >= kRecording) goto maybe_poll;
    activity = 0;
  }
  if (t >= ahead_until_) goto stop_point;
  goto* dispatch[op->code];
}

maybe_poll:
  TVP_SAVE();
  if (at_backward_jump(pc_, t, leave)) {
    if (poll_.mask() == 0) {
      enter(CoreState::kSpinning, time_);
    } else {
      watches_.sleep(*this, poll_.mask(), poll_.ranges());
      enter(CoreState::kSleepingOnPoll, time_);
    }
    goto stopped;
  }
  activity = activity_;
  if (t >= ahead_until_) goto stop_point;
  goto* dispatch[op->code];

bad_target:
  set_pc(target);
  time_ = t;
  leave_ = leave;
  if (commit_pending_) commit();
  raise("instruction fetch from " + hex(target));
  blocked_address_ = target;
  enter(CoreState::kHung, time_);
  set_next(kNever);
  return;

out_of_time:
  TVP_SAVE();
  if (commit_pending_) commit();
  set_next(t);
  return;

not_done:
  if (outcome == Outcome::kStopped) {
    skip_stop_ = commit_pending_;
    commit_pending_ = false;
    goto stopped;
  }
  later = access_cycle_;
not_yet:
  skip_stop_ = commit_pending_;  // it will be tried again
  commit_pending_ = false;
  TVP_SAVE();
  set_next(later);
  return;

stopped:
  set_next(kNever);
}

}  // namespace tvp::riscv
