#include "models/tensix/coprocessor/coprocessor_signals.h"

#include "models/tensix/coprocessor/coprocessor.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

using Kind = ThreadActivity::Kind;

/// Short forms of STALLWAIT's conditions, C0 first.
constexpr const char* kConditionNames[] = {
    "thcon",         "unpack0",       "unpack1", "pack0",           "pack1",
    "pack2",         "pack3",         "math",    "SrcA for unpack", "SrcB for unpack",
    "SrcA for math", "SrcB for math", "mover",   "core requests",   "sfpu",
};

std::string listed(const std::string& list, const std::string& more) {
  return list.empty() ? more : list + ", " + more;
}

std::string semwait_text(unsigned detail) {
  std::string list;
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
    if ((detail >> (2 + i) & 1U) != 0) list = listed(list, std::to_string(i));
  }
  return "SEMWAIT " + list + ((detail & 1U) != 0 ? " nonzero" : " below max");
}

std::string stallwait_text(unsigned detail) {
  std::string list;
  for (unsigned i = 0; i < std::size(kConditionNames); ++i) {
    if ((detail >> i & 1U) != 0) list = listed(list, kConditionNames[i]);
  }
  return list.empty() ? "STALLWAIT" : "STALLWAIT " + list;
}

}  // namespace

std::string ThreadActivity::text(std::uint64_t value) {
  const auto detail = static_cast<unsigned>(value & 0xFFFF);
  switch (static_cast<Kind>(value >> 16)) {
    case Kind::kIdle:
      return "idle";
    case Kind::kIssue: {
      const char* name = op::opcode_name(static_cast<op::Opcode>(detail));
      return name != nullptr ? name : "opcode " + std::to_string(detail);
    }
    case Kind::kFrontend:
      return "frontend";
    case Kind::kDrain:
      return "drains";
    case Kind::kSemwait:
      return semwait_text(detail);
    case Kind::kStallwait:
      return stallwait_text(detail);
    case Kind::kMutex:
      return "mutex " + std::to_string(detail);
    case Kind::kUnitBusy:
      return std::string(unit_name(static_cast<Unit>(detail))) + " busy";
    case Kind::kSrcA:
      return "SrcA bank";
    case Kind::kSrcB:
      return "SrcB bank";
    case Kind::kRefused:
      return std::string(unit_name(static_cast<Unit>(detail))) + " refuses";
    case Kind::kHeld:
      return "held";
  }
  return "?";
}

void CoprocessorSignals::issued(unsigned t, std::uint32_t instruction, Unit unit, Cycle now,
                                Cycle done) {
  last_issue_[t] = now;
  last_opcode_[t] = static_cast<std::uint16_t>(instruction >> 24);
  if (unit < Unit::kCount) unit_busy[static_cast<unsigned>(unit)].occupy(now, done);
}

void CoprocessorSignals::set(unsigned t, Cycle when, std::uint64_t value) {
  if (value == shown_[t]) return;
  shown_[t] = value;
  thread[t].set(when, value);
}

void CoprocessorSignals::thread_state(unsigned t, Cycle now, ThreadActivity state,
                                      ThreadActivity next) {
  if (pending_at_[t] < now) set(t, pending_at_[t], pending_[t]);
  set(t, now, state.value());
  pending_at_[t] = next.value() != state.value() ? now + 1 : support::kNever;
  pending_[t] = next.value();
}

void CoprocessorSignals::semaphore(unsigned i, std::uint8_t value, Cycle now) {
  if (shown_semaphores_[i] == value) return;
  shown_semaphores_[i] = value;
  semaphores[i].set(now, value);
}

CoprocessorSignals& Coprocessor::signals() {
  if (!signals_) signals_ = std::make_unique<CoprocessorSignals>();
  return *signals_;
}

/// What holds the instruction at the gate in cycle `now`, when no latched wait does.
ThreadActivity Coprocessor::stall(unsigned t, const Dispatch& dispatch, Cycle now) const {
  const Thread& thread = threads_[t];
  const auto unit = static_cast<std::uint16_t>(dispatch.unit);
  const std::uint32_t head = thread.frontend.head();
  if (thread.free_at > now) return {Kind::kHeld};
  if (op::opcode_of(head) == op::Opcode::kAtgetm) {
    const unsigned index = op::Atgetm::kIndex.of(head) % SyncUnit::kMutexes;
    const unsigned holder = sync_.mutex_holder(index);
    if (holder != SyncUnit::kNobody && holder != t) {
      return {Kind::kMutex, static_cast<std::uint16_t>(index)};
    }
  }
  if (dispatch.unit < Unit::kCount && unit_free_[unit] > now) return {Kind::kUnitBusy, unit};
  const auto held = [now](const SrcBank& bank, SrcClient client) {
    return bank.allowed_client != client || bank.allowed_from > now;
  };
  if (dispatch.unit == Unit::kMatrix) {
    if (held(registers_.srca.at_matrix_unit(), SrcClient::kMatrixUnit)) return {Kind::kSrcA};
    if (held(registers_.srcb.at_matrix_unit(), SrcClient::kMatrixUnit)) return {Kind::kSrcB};
  } else if (dispatch.unit == Unit::kUnpacker0) {
    if (held(registers_.srca.at_unpacker(), SrcClient::kUnpackers)) return {Kind::kSrcA};
  } else if (dispatch.unit == Unit::kUnpacker1) {
    if (held(registers_.srcb.at_unpacker(), SrcClient::kUnpackers)) return {Kind::kSrcB};
  }
  // It came to the gate after this cycle's offers.
  if (!thread.blocked && thread.try_at <= now) return {Kind::kFrontend};
  return {Kind::kRefused, unit};
}

ThreadActivity Coprocessor::activity(unsigned t, Cycle now) const {
  const Thread& thread = threads_[t];
  if (thread.idle) return {};
  if (!thread.frontend.has_head()) {
    return {thread.frontend.empty() ? Kind::kDrain : Kind::kFrontend};
  }
  const std::uint32_t head = thread.frontend.head();
  const Dispatch dispatch = dispatch_of(head);
  const WaitLatch& latch = thread.latch;
  if (!latch.valid || !is_blocked_by(head, dispatch, latch.block_mask)) {
    return stall(t, dispatch, now);
  }
  if (latch.semaphores) {
    return {Kind::kSemwait,
            static_cast<std::uint16_t>(latch.semaphore_mask << 2 | (latch.condition_mask & 3U))};
  }
  unsigned unmet = 0;
  for (unsigned condition = 0; condition < kConditions; ++condition) {
    if (((latch.condition_mask >> condition) & 1U) == 0) continue;
    if (condition_clear_from(t, condition) > now) unmet |= 1U << condition;
  }
  return {Kind::kStallwait, static_cast<std::uint16_t>(unmet)};
}

void Coprocessor::show(Cycle now) {
  for (unsigned t = 0; t < kThreads; ++t) {
    const ThreadActivity next = activity(t, now + 1);
    const bool issues = signals_->issues_at(t, now);
    signals_->thread_state(t, now, issues ? signals_->last_issued(t) : activity(t, now), next);
  }
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
    signals_->semaphore(i, sync_.semaphore(i).value, now);
  }
}

}  // namespace tvp::tensix::coprocessor
