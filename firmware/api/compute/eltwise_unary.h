#pragma once

// Vector unit on tiles of DST. Error bounds: firmware/llk/sfpu.h. The init of an operation puts its
// program into the replay buffer: call it again after another operation's. Those of relu, square
// and negation leave the matrix unit's instructions there alone; exp and reciprocal do not: call
// the multiplication's init after theirs, and theirs after it.

#include "api/compute/exponential.h"
#include "api/compute/pack_activations.h"
#include "api/compute/sfpu_unary.h"

namespace ckernel {

/// The reciprocal of zero is infinity.
template <auto...>
ALWI void recip_tile_init() {
  MATH((llk::sfpu::record_reciprocal<DST_ACCUM_MODE, 0x7F80>()));
}
template <auto...>
ALWI void recip_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kReciprocalTileLength<DST_ACCUM_MODE, false>>(
      thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode));
#endif
}

/// max(x, 0).
template <auto...>
ALWI void relu_tile_init() {
  MATH((llk::sfpu::record_relu<DST_ACCUM_MODE>()));
}
template <auto...>
ALWI void relu_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kReluTileLength>(thread_state.half, dst, thread_state.shape,
                                                   llk::sfpu::VectorMode::kAll);
#endif
}

template <auto...>
ALWI void square_tile_init() {
  MATH((llk::sfpu::record_square<DST_ACCUM_MODE>()));
}
template <auto...>
ALWI void square_tile([[maybe_unused]] uint32_t dst) {
#if COMPILE_FOR_TRISC == 1
  llk::sfpu::over_tile<llk::sfpu::kSquareTileLength<DST_ACCUM_MODE>>(
      thread_state.half, dst, thread_state.shape, llk::sfpu::VectorMode::kAll);
#endif
}

template <auto...>
ALWI void negative_tile_init() {
  MATH((llk::sfpu::record_negative<DST_ACCUM_MODE>()));
}
template <auto...>
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
// Of earlier releases, where the result replaces the first.
ALWI void max_tile_init() { binary_max_tile_init(); }
ALWI void max_tile(uint32_t dst0, uint32_t dst1, int mode = VectorMode::RC) {
  binary_max_tile(dst0, dst1, dst0, mode);
}

}  // namespace ckernel
