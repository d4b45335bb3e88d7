#include "models/tensix/coprocessor/frontend/thread_inspector.h"

#include "foundation/regs/tensix_disassembler.h"
#include "foundation/regs/tensix_opcodes.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

using Kind = ThreadActivity::Kind;

const char* condition_name(unsigned condition) {
  static constexpr const char* kNames[] = {
      "memory requests of the scalar unit",
      "unpacker 0",
      "unpacker 1",
      "packer 0",
      "packer 1",
      "packer 2",
      "packer 3",
      "matrix unit",
      "SrcA bank for unpacker 0",
      "SrcB bank for unpacker 1",
      "SrcA bank for the matrix unit",
      "SrcB bank for the matrix unit",
      "mover",
      "requests of the RISC-V core",
      "vector unit",
      "configuration unit",
  };
  return kNames[condition];
}

std::string with_separator(const std::string& text, const std::string& more) {
  return text.empty() ? more : text + ", " + more;
}

std::string semwait_text(const SyncUnit& sync, const WaitLatch& latch) {
  std::string text;
  for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
    if (((latch.semaphore_mask >> i) & 1U) == 0) continue;
    const SyncUnit::Semaphore& semaphore = sync.semaphore(i);
    const std::string state = "semaphore " + std::to_string(i) + " (" +
                              std::to_string(semaphore.value) + " of " +
                              std::to_string(semaphore.max) + ")";
    if ((latch.condition_mask & 1U) != 0 && semaphore.value == 0) {
      text = with_separator(text, state + " to become nonzero");
    }
    if ((latch.condition_mask & 2U) != 0 && semaphore.value >= semaphore.max) {
      text = with_separator(text, state + " to fall below its maximum");
    }
  }
  return text;
}

}  // namespace

unsigned ThreadInspector::foreign_mutex(unsigned t, std::uint32_t instruction) const {
  if (op::opcode_of(instruction) != op::Opcode::kAtgetm) return SyncUnit::kMutexes;
  const unsigned index = op::Atgetm::kIndex.of(instruction) % SyncUnit::kMutexes;
  const unsigned holder = backend_.sync().mutex_holder(index);
  return holder != SyncUnit::kNobody && holder != t ? index : SyncUnit::kMutexes;
}

// ---- For waves ----------------------------------------------------------------------------------

ThreadActivity ThreadInspector::activity(unsigned t, Cycle now) const {
  const Thread& thread = threads_[t];
  if (thread.idle) return {};
  if (!thread.frontend.has_head()) {
    return {thread.frontend.empty() ? Kind::kDrain : Kind::kFrontend};
  }
  const std::uint32_t head = thread.frontend.head();
  const Dispatch dispatch = dispatch_of(head);
  const WaitLatch& latch = thread.latch;
  if (latch.valid && is_blocked_by(head, dispatch, latch.block_mask)) return latched_wait(t, now);
  return stall(t, dispatch, now);
}

ThreadActivity ThreadInspector::latched_wait(unsigned t, Cycle now) const {
  const WaitLatch& latch = threads_[t].latch;
  if (latch.semaphores) {
    return {Kind::kSemwait,
            static_cast<std::uint16_t>(latch.semaphore_mask << 2 | (latch.condition_mask & 3U))};
  }
  unsigned unmet = 0;
  for (unsigned condition = 0; condition < WaitGate::kConditions; ++condition) {
    if (((latch.condition_mask >> condition) & 1U) == 0) continue;
    if (gate_.clear_from(t, condition) > now) unmet |= 1U << condition;
  }
  return {Kind::kStallwait, static_cast<std::uint16_t>(unmet)};
}

/// The cause that blocks the instruction at the gate in cycle `now`, if no latched wait does.
ThreadActivity ThreadInspector::stall(unsigned t, const Dispatch& dispatch, Cycle now) const {
  const Thread& thread = threads_[t];
  const auto unit = static_cast<std::uint16_t>(dispatch.unit);
  if (thread.free_at > now) return {Kind::kHeld};
  const unsigned mutex = foreign_mutex(t, thread.frontend.head());
  if (mutex != SyncUnit::kMutexes) return {Kind::kMutex, static_cast<std::uint16_t>(mutex)};
  if (dispatch.unit < Unit::kCount && backend_.free_from(dispatch.unit) > now) {
    return {Kind::kUnitBusy, unit};
  }
  const ThreadActivity bank = missing_bank(dispatch.unit, now);
  if (bank.kind != Kind::kIdle) return bank;
  // It reached the gate after this cycle's offers.
  if (!thread.blocked && thread.try_at <= now) return {Kind::kFrontend};
  return {Kind::kRefused, unit};
}

ThreadActivity ThreadInspector::missing_bank(Unit unit, Cycle now) const {
  const auto held = [now](const SrcBank& bank, SrcClient client) {
    return bank.allowed_client != client || bank.allowed_from > now;
  };
  if (unit == Unit::kMatrix) {
    if (held(registers_.srca.at_matrix_unit(), SrcClient::kMatrixUnit)) return {Kind::kSrcA};
    if (held(registers_.srcb.at_matrix_unit(), SrcClient::kMatrixUnit)) return {Kind::kSrcB};
  } else if (unit == Unit::kUnpacker0) {
    if (held(registers_.srca.at_unpacker(), SrcClient::kUnpackers)) return {Kind::kSrcA};
  } else if (unit == Unit::kUnpacker1) {
    if (held(registers_.srcb.at_unpacker(), SrcClient::kUnpackers)) return {Kind::kSrcB};
  }
  return {};
}

// ---- As text ------------------------------------------------------------------------------------

std::string ThreadInspector::latched_wait_text(unsigned t) const {
  const WaitLatch& latch = threads_[t].latch;
  if (latch.semaphores) return "SEMWAIT: " + semwait_text(backend_.sync(), latch);
  std::string text;
  for (unsigned condition = 0; condition < WaitGate::kConditions; ++condition) {
    if (((latch.condition_mask >> condition) & 1U) == 0) continue;
    if (gate_.clear_from(t, condition) != support::kNever) continue;
    text = with_separator(text, condition_name(condition));
  }
  return "STALLWAIT: " + (text.empty() ? "pipelines to drain" : text);
}

std::string ThreadInspector::waiting_for(unsigned t) const {
  const Thread& thread = threads_[t];
  if (thread.idle) return "idle";
  if (!thread.frontend.has_head()) {
    if (backend_.waits_for_bank(t)) return "an UNPACR whose Src bank belongs to the matrix unit";
    return thread.frontend.empty() ? "completion of issued instructions" : "its frontend";
  }
  const std::uint32_t head = thread.frontend.head();
  const Dispatch dispatch = dispatch_of(head);
  const std::string what = op::disassemble(head) + " waits for ";
  const WaitLatch& latch = thread.latch;
  if (latch.valid && is_blocked_by(head, dispatch, latch.block_mask)) {
    return what + latched_wait_text(t);
  }
  const unsigned mutex = foreign_mutex(t, head);
  if (mutex != SyncUnit::kMutexes) {
    return what + "mutex " + std::to_string(mutex) + ", held by T" +
           std::to_string(backend_.sync().mutex_holder(mutex));
  }
  std::string text = what + unit_name(dispatch.unit);
  if (dispatch.unit == Unit::kUnpacker0 || dispatch.unit == Unit::kUnpacker1) {
    const SrcFile& file = dispatch.unit == Unit::kUnpacker0 ? registers_.srca : registers_.srcb;
    if (file.at_unpacker().allowed_client != SrcClient::kUnpackers) {
      text += ": the Src bank of the one before belongs to the matrix unit";
    }
  } else if (dispatch.unit == Unit::kMatrix) {
    if (registers_.srca.at_matrix_unit().allowed_client != SrcClient::kMatrixUnit) {
      text += ": the SrcA bank belongs to the unpackers";
    }
    if (registers_.srcb.at_matrix_unit().allowed_client != SrcClient::kMatrixUnit) {
      text += ": the SrcB bank belongs to the unpackers";
    }
  }
  return text;
}

std::uint32_t ThreadInspector::mop_set_up_at(unsigned thread) const {
  return threads_[thread].frontend.head_set_up_at();
}

// ---- For the graph of waits ---------------------------------------------------------------------

unsigned ThreadInspector::awaited_by_latch(unsigned t) const {
  constexpr unsigned kUnpack = 1, kMath = 2, kPack = 4;
  // Firmware uses this semaphore for Dst: T1 posts it and T2 takes it.
  constexpr unsigned kMathToPack = 1;
  const WaitLatch& latch = threads_[t].latch;
  unsigned threads = 0;
  if (latch.semaphores) {
    for (unsigned i = 0; i < SyncUnit::kSemaphores; ++i) {
      if (((latch.semaphore_mask >> i) & 1U) == 0) continue;
      const bool is_zero = backend_.sync().semaphore(i).value == 0;
      threads |= i != kMathToPack ? kUnpack | kMath | kPack : is_zero ? kMath : kPack;
    }
    return threads & ~(1U << t);
  }
  constexpr unsigned kFirstUnpacker = 1, kLastUnpacker = 2, kSrcOfUnpackers = 8, kSrcOfMatrix = 10,
                     kLastSrcOfMatrix = 11;  // conditions of STALLWAIT
  for (unsigned condition = 0; condition < WaitGate::kConditions; ++condition) {
    if (((latch.condition_mask >> condition) & 1U) == 0) continue;
    if (gate_.clear_from(t, condition) != support::kNever) continue;
    const bool unpacks = (condition >= kFirstUnpacker && condition <= kLastUnpacker) ||
                         (condition >= kSrcOfUnpackers && condition < kSrcOfMatrix);
    const bool computes = condition >= kSrcOfMatrix && condition <= kLastSrcOfMatrix;
    threads |= unpacks ? kMath : computes ? kUnpack : 0;
  }
  return threads & ~(1U << t);
}

unsigned ThreadInspector::awaited_threads(unsigned t) const {
  constexpr unsigned kUnpack = 1, kMath = 2;
  const Thread& thread = threads_[t];
  if (thread.idle) return 0;
  if (!thread.frontend.has_head()) return backend_.waits_for_bank(t) ? kMath : 0;
  const std::uint32_t head = thread.frontend.head();
  const Dispatch dispatch = dispatch_of(head);
  if (thread.latch.valid && is_blocked_by(head, dispatch, thread.latch.block_mask))
    return awaited_by_latch(t);
  const unsigned mutex = foreign_mutex(t, head);
  if (mutex != SyncUnit::kMutexes) return 1U << backend_.sync().mutex_holder(mutex);
  if (dispatch.unit == Unit::kUnpacker0 || dispatch.unit == Unit::kUnpacker1) return kMath;
  return dispatch.unit == Unit::kMatrix ? kUnpack : 0;
}

}  // namespace tvp::tensix::coprocessor
