#pragma once

// Vector unit on tiles of DST. Error bounds: firmware/llk/sfpu.h. The init of an operation puts its
// program into the replay buffer: call it again after another operation's.

#include "api/compute/common.h"

namespace ckernel {

enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

ALWI void exp_tile_init() { MATH((llk::sfpu::record_exp<DST_ACCUM_MODE>())); }
ALWI void exp_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kExpTileLength<DST_ACCUM_MODE>>(
      thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode));
#endif
}

/// The reciprocal of zero is infinity.
ALWI void recip_tile_init() { MATH((llk::sfpu::record_reciprocal<DST_ACCUM_MODE, 0x7F80>())); }
ALWI void recip_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kReciprocalTileLength<DST_ACCUM_MODE, false>>(
      thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode));
#endif
}

/// max(x, 0).
ALWI void relu_tile_init() { MATH((llk::sfpu::record_relu<DST_ACCUM_MODE>())); }
ALWI void relu_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kReluTileLength>(thread_state.half, dst, thread_state.shape,
                                                   llk::sfpu::VectorMode::kAll);
#endif
}

ALWI void square_tile_init() { MATH((llk::sfpu::record_square<DST_ACCUM_MODE>())); }
ALWI void square_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kSquareTileLength<DST_ACCUM_MODE>>(
      thread_state.half, dst, thread_state.shape, llk::sfpu::VectorMode::kAll);
#endif
}

ALWI void negative_tile_init() { MATH((llk::sfpu::record_negative<DST_ACCUM_MODE>())); }
ALWI void negative_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kNegativeTileLength>(thread_state.half, dst, thread_state.shape,
                                                       llk::sfpu::VectorMode::kAll);
#endif
}

ALWI void binary_max_tile_init() {}
ALWI void binary_max_tile([[maybe_unused]] uint32_t dst0, [[maybe_unused]] uint32_t dst1,
                          [[maybe_unused]] uint32_t out,
                          [[maybe_unused]] int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::binary_max<DST_ACCUM_MODE>(thread_state.half, dst0, dst1, out, thread_state.shape,
                                        static_cast<llk::sfpu::VectorMode>(mode));
#endif
}

}  // namespace ckernel
