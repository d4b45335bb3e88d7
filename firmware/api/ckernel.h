#pragma once
// The part of tt-metal's header that kernels use: waits, the wall clock, mailboxes, tile shapes.

#include "internal/mailboxes.h"
#include "risc_common.h"
#include "tt-metalium/constants.hpp"

namespace ckernel {

using namespace tt::constants;

// Waits about `cycles` cycles.
inline void wait(uint32_t cycles) { riscv_wait(cycles); }
inline uint64_t read_wall_clock() { return c_tensix_core::read_wall_clock(); }

}  // namespace ckernel
