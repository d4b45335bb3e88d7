#pragma once

// The eight semaphores of the coprocessor (ISA TensixCoprocessor/SyncUnit.md), for kernels that
// synchronize their threads. Each call is an instruction of the thread that calls.

#include "api/compute/threads/thread_state.h"

namespace ckernel {

/// Purpose of each semaphore in tt-metal's library and kernels.
struct semaphore {
  static constexpr uint32_t FPU_SFPU = 0;
  static constexpr uint32_t MATH_PACK = 1;
  static constexpr uint32_t UNPACK_TO_DEST = 2, UNPACK_OPERAND_SYNC = 3, PACK_DONE = 4;
  static constexpr uint32_t UNPACK_SYNC = 5, UNPACK_MATH_DONE = 6, MATH_DONE = 7;
  static constexpr uint32_t t6_sem(uint32_t index) { return 1u << index; }
};

namespace thread_semaphores {
/// The sync unit waits until the STALLWAIT conditions `kUntil` hold.
template <uint32_t kUntil>
ALWI void after() {
  if constexpr (kUntil != p_stall::NONE)
    llk::issue<tvp::regs::tensix::encode_stallwait(p_stall::STALL_SYNC, kUntil)>();
}
/// The units `blocks` wait while semaphore `index` is in `state`.
ALWI void wait_while(uint32_t blocks, uint32_t index, llk::SemaphoreWait state) {
  llk::push(tvp::regs::tensix::encode_semwait(blocks, semaphore::t6_sem(index),
                                              static_cast<llk::Word>(state)));
}
}  // namespace thread_semaphores

ALWI void t6_semaphore_init(uint32_t index, uint32_t now, uint32_t most) {
  llk::push(tvp::regs::tensix::encode_seminit(most, now, semaphore::t6_sem(index)));
}
/// Increments the semaphore after this thread's instructions in the units `kUntil` are done.
template <uint32_t kUntil = p_stall::NONE>
ALWI void t6_semaphore_post(uint32_t index) {
  thread_semaphores::after<kUntil>();
  llk::push(tvp::regs::tensix::encode_sempost(semaphore::t6_sem(index)));
}
/// Decrements the semaphore, under the same condition.
template <uint32_t kUntil = p_stall::NONE>
ALWI void t6_semaphore_get(uint32_t index) {
  thread_semaphores::after<kUntil>();
  llk::push(tvp::regs::tensix::encode_semget(semaphore::t6_sem(index)));
}
/// This thread's instructions for the units `kBlocks` wait while the semaphore has its maximum.
template <uint32_t kBlocks>
ALWI void t6_semaphore_wait_on_max(uint32_t index) {
  thread_semaphores::wait_while(kBlocks, index, llk::SemaphoreWait::kWhileMax);
}
/// This thread's instructions for the units `kBlocks` wait while the semaphore is zero.
template <uint32_t kBlocks>
ALWI void t6_semaphore_wait_on_zero(uint32_t index) {
  thread_semaphores::wait_while(kBlocks, index, llk::SemaphoreWait::kWhileZero);
}

/// The core reads, increments or decrements the semaphore itself, without an instruction.
ALWI uint8_t semaphore_read(uint32_t index) {
  return static_cast<uint8_t>(llk::load(llk::kSemaphores + 4 * index));
}
ALWI void semaphore_post(uint32_t index) { llk::store(llk::kSemaphores + 4 * index, 0); }
ALWI void semaphore_get(uint32_t index) { llk::store(llk::kSemaphores + 4 * index, 1); }

}  // namespace ckernel
