#pragma once
// What kernels take from this header: waiting, the wall clock, mailboxes, shapes of tiles.

#include "internal/mailboxes.h"
#include "risc_common.h"
#include "tt-metalium/constants.hpp"

namespace ckernel {

using namespace tt::constants;

// About `cycles` cycles.
inline void wait(uint32_t cycles) { riscv_wait(cycles); }
inline uint64_t read_wall_clock() { return get_timestamp(); }

}  // namespace ckernel
