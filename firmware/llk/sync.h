#pragma once

// Waits between units and threads (ISA TensixCoprocessor/STALLWAIT.md, SEMWAIT.md, SyncUnit.md).

#include "firmware/llk/issue.h"
#include "foundation/regs/tensix_stall.h"

namespace tvp::llk {

/// The units that STALLWAIT and SEMWAIT block. Every wait also blocks the sync unit; otherwise a
/// second wait would replace the first one too early.
enum Block : Word {
  kBlockSync = 1u << 1,
  kBlockPack = 1u << 2,
  kBlockUnpack = 1u << 3,
  kBlockScalar = 1u << 5,
  kBlockMatrix = 1u << 6,
  kBlockConfig = 1u << 7,
  kBlockVector = 1u << 8,
};

/// Conditions until which STALLWAIT blocks.
enum Until : Word {
  kUntilUnpacker0 = regs::tensix::kStallUnpacker0,
  kUntilUnpacker1 = regs::tensix::kStallUnpacker1,
  kUntilPackers = regs::tensix::kStallAllPackers,
  kUntilMatrix = regs::tensix::kStallMatrix,
  kUntilSrcAFree = regs::tensix::kStallSrcAFree,
  kUntilSrcBFree = regs::tensix::kStallSrcBFree,
  kUntilSrcAHandedOver = regs::tensix::kStallSrcAHandedOver,
  kUntilSrcBHandedOver = regs::tensix::kStallSrcBHandedOver,
  kUntilVector = regs::tensix::kStallVector,
};

template <Word kBlocks, Word kConditions>
inline void stall() {
  issue<regs::tensix::encode_stallwait(kBlocks | kBlockSync, kConditions)>();
}

/// Counts the halves of Dst that the packer thread has.
inline constexpr Word kSemaphoreMathPack = 1u << 1;
/// Is one while the unpacker thread may write to Dst.
inline constexpr Word kSemaphoreUnpackToDst = 1u << 2;

enum class SemaphoreWait : Word { kWhileZero = 1, kWhileMax = 2 };

template <Word kBlocks, Word kSemaphores, SemaphoreWait kCondition>
inline void wait_semaphore() {
  issue<regs::tensix::encode_semwait(kBlocks | kBlockSync, kSemaphores,
                                     static_cast<Word>(kCondition))>();
}

}  // namespace tvp::llk
