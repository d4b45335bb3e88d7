#pragma once

// The coprocessor's eight semaphores (ISA TensixCoprocessor/SyncUnit.md) in kernels whose threads
// wait for each other themselves. Calls are instructions of the thread that makes them.

#include "api/compute/threads/thread_state.h"

namespace ckernel {

/// What the library and published kernels use them for.
struct semaphore {
  static constexpr uint32_t FPU_SFPU = 0;
  static constexpr uint32_t MATH_PACK = 1;
  static constexpr uint32_t UNPACK_TO_DEST = 2, UNPACK_OPERAND_SYNC = 3, PACK_DONE = 4;
  static constexpr uint32_t UNPACK_SYNC = 5, UNPACK_MATH_DONE = 6, MATH_DONE = 7;
  static constexpr uint32_t t6_sem(uint32_t index) { return 1u << index; }
};

namespace thread_semaphores {
/// Until the conditions of STALLWAIT hold; the sync unit waits with what `kBlocks` names.
template <uint32_t kUntil>
ALWI void after() {
  if constexpr (kUntil != p_stall::NONE)
    llk::issue<tvp::regs::tensix::encode_stallwait(p_stall::STALL_SYNC, kUntil)>();
}
ALWI void wait_while(uint32_t blocks, uint32_t index, llk::SemaphoreWait state) {
  llk::push(tvp::regs::tensix::encode_semwait(blocks, semaphore::t6_sem(index),
                                              static_cast<llk::Word>(state)));
}
}  // namespace thread_semaphores

ALWI void t6_semaphore_init(uint32_t index, uint32_t now, uint32_t most) {
  llk::push(tvp::regs::tensix::encode_seminit(most, now, semaphore::t6_sem(index)));
}
/// One more, or one less, when what this thread has in the units of `kUntil` is done.
template <uint32_t kUntil = p_stall::NONE>
ALWI void t6_semaphore_post(uint32_t index) {
  thread_semaphores::after<kUntil>();
  llk::push(tvp::regs::tensix::encode_sempost(semaphore::t6_sem(index)));
}
template <uint32_t kUntil = p_stall::NONE>
ALWI void t6_semaphore_get(uint32_t index) {
  thread_semaphores::after<kUntil>();
  llk::push(tvp::regs::tensix::encode_semget(semaphore::t6_sem(index)));
}
/// `kBlocks` waits, in this thread, while the semaphore is at its greatest value, or zero.
template <uint32_t kBlocks>
ALWI void t6_semaphore_wait_on_max(uint32_t index) {
  thread_semaphores::wait_while(kBlocks, index, llk::SemaphoreWait::kWhileMax);
}
template <uint32_t kBlocks>
ALWI void t6_semaphore_wait_on_zero(uint32_t index) {
  thread_semaphores::wait_while(kBlocks, index, llk::SemaphoreWait::kWhileZero);
}

/// The same by the core itself, at once. Reading gives the value.
ALWI uint8_t semaphore_read(uint32_t index) {
  return static_cast<uint8_t>(llk::load(llk::kSemaphores + 4 * index));
}
ALWI void semaphore_post(uint32_t index) { llk::store(llk::kSemaphores + 4 * index, 0); }
ALWI void semaphore_get(uint32_t index) { llk::store(llk::kSemaphores + 4 * index, 1); }

}  // namespace ckernel
