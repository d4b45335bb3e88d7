#pragma once

// Loads words into registers of the vector unit and into its configuration, for kernels' own
// functions of faces (ISA SFPLOADI.md, SFPCONFIG.md).

#include <stdint.h>

#include "api/ckernel_ops.h"
#include "api/compute/llk/ckernel_sfpu.h"

namespace ckernel::sfpu {

/// Loads each half without changing the other one: mode 10 is the lower, 8 the upper.
inline void _sfpu_load_imm32_(uint32_t lreg, uint32_t word) {
  TT_SFPLOADI(lreg, 10, word & 0xFFFF);
  TT_SFPLOADI(lreg, 8, word >> 16);
}
/// Loads a 16-bit integer.
inline void _sfpu_load_imm16_(uint32_t lreg, uint32_t number) {
  TT_SFPLOADI(lreg, 2, number & 0xFFFF);
}
/// Loads through LReg 0, from which the configuration is written.
inline void _sfpu_load_config32_(uint32_t place, uint32_t upper, uint32_t lower) {
  _sfpu_load_imm32_(0, upper << 16 | (lower & 0xFFFF));
  TT_SFPCONFIG(0, place, 0);
}

}  // namespace ckernel::sfpu
