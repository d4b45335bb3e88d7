#pragma once

// Ownership of Dst (kernel_api 2): MATH fills one half while PACK empties the other.

#include "api/compute/threads/thread_state.h"
#include "hostdevcommon/kernel_structs.h"

namespace ckernel {

/// MATH waits for a free half. It is zero, for accumulating operations.
ALWI void tile_regs_acquire() {
#if COMPILE_FOR_TRISC == 1
  llk::acquire_dst_half();
  thread_state.defined_tiles = 0;
#endif
}
ALWI void tile_regs_commit() {
#if COMPILE_FOR_TRISC == 1
  llk::commit_dst_half();
  thread_state.half.flip();
#elif COMPILE_FOR_TRISC == 0
  if constexpr (kUnpacksToDst) thread_state.half.flip();
#endif
}
ALWI void tile_regs_wait() { PACK((llk::wait_dst_half())); }
ALWI void tile_regs_release() { PACK((llk::release_dst_half(thread_state.half))); }

ALWI void acquire_dst() {
  tile_regs_acquire();
  tile_regs_wait();
}
ALWI void release_dst() {
  tile_regs_commit();
  tile_regs_release();
}
// Releases of early 2024 name the part of DST to acquire. It is a half, unless the host selects
// all.
ALWI void acquire_dst(tt::DstMode) { acquire_dst(); }
ALWI void release_dst(tt::DstMode) { release_dst(); }

}  // namespace ckernel
