// What a thread of the coprocessor waits for, for people.

#include "models/regs/tensix_opcodes.h"
#include "models/tensix/coprocessor/coprocessor.h"

namespace tvp::tensix::coprocessor {

namespace op = regs::tensix;

namespace {

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
  };
  return kNames[condition];
}

std::string with_separator(const std::string& text, const std::string& more) {
  return text.empty() ? more : text + ", " + more;
}

std::string describe(const SyncUnit& sync, const WaitLatch& latch) {
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

std::string Coprocessor::waiting_for(unsigned t) const {
  const Thread& thread = threads_[t];
  if (thread.idle) return "idle";
  if (!thread.frontend.has_head()) {
    if (waits_for_bank(thread)) return "an UNPACR whose Src bank belongs to the matrix unit";
    return thread.frontend.empty() ? "completion of issued instructions" : "its frontend";
  }
  const std::uint32_t head = thread.frontend.head();
  const Dispatch dispatch = dispatch_of(head);
  const char* mnemonic = op::opcode_name(op::opcode_of(head));
  const std::string what =
      std::string(mnemonic != nullptr ? mnemonic : "unknown instruction") + " waits for ";
  const WaitLatch& latch = thread.latch;
  if (latch.valid && is_blocked_by(head, dispatch, latch.block_mask)) {
    if (latch.semaphores) return what + "SEMWAIT: " + describe(sync_, latch);
    std::string text;
    for (unsigned condition = 0; condition < kConditions; ++condition) {
      if (((latch.condition_mask >> condition) & 1U) == 0) continue;
      if (condition_clear_from(t, condition) != support::kNever) continue;
      text = with_separator(text, condition_name(condition));
    }
    return what + "STALLWAIT: " + (text.empty() ? "pipelines to drain" : text);
  }
  if (op::opcode_of(head) == op::Opcode::kAtgetm) {
    const unsigned index = op::Atgetm::kIndex.of(head) % SyncUnit::kMutexes;
    const unsigned holder = sync_.mutex_holder(index);
    if (holder != SyncUnit::kNobody && holder != t) {
      return what + "mutex " + std::to_string(index) + ", held by T" + std::to_string(holder);
    }
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

}  // namespace tvp::tensix::coprocessor
