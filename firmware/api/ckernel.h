#pragma once
// What kernels take from this header: waiting, the wall clock.

#include "risc_common.h"

namespace ckernel {

// About `cycles` cycles.
inline void wait(uint32_t cycles) { riscv_wait(cycles); }
inline uint64_t read_wall_clock() { return get_timestamp(); }

}  // namespace ckernel
