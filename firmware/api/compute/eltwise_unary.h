#pragma once

// Vector unit on tiles of DST. Error bounds: firmware/llk/sfpu.h. The init of an operation puts its
// program into the replay buffer: call it again after another operation's. Those of relu, square
// and negation leave the matrix unit's instructions there alone; exp and reciprocal do not: call
// the multiplication's init after theirs, and theirs after it.

#include "api/compute/sfpu_unary.h"

namespace ckernel {

enum class InputClamping : uint8_t { ClampToNegative = 0, None = 1 };

#if COMPILE_FOR_TRISC == 1
/// Whether the exponential in the replay buffer multiplies its operand.
static bool exp_is_scaled = false;
#endif
/// Template parameters that ask for an approximation change nothing but this: the fast one
/// multiplies its operands by `kScale`, FP32 bits.
template <bool kApproximate = false, bool kFast = true, uint32_t kScale = 0x3F800000, auto...>
ALWI void exp_tile_init() {
#if COMPILE_FOR_TRISC == 1
  if constexpr (kApproximate && kFast && kScale != 0x3F800000) {
    exp_is_scaled = true;
    llk::sfpu::record_scaled_exp<DST_ACCUM_MODE, kScale>();
  } else {
    exp_is_scaled = false;
    llk::sfpu::record_exp<DST_ACCUM_MODE>();
  }
#endif
}
/// `scale`, a BF16 number, multiplies the operand where `kScaled`.
template <bool kApproximate = false, bool kFast = true, bool kScaled = false, auto...>
ALWI void exp_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC,
                   [[maybe_unused]] uint16_t scale = 0x3F80) {
#if COMPILE_FOR_TRISC == 1
  if constexpr (kScaled) {
    sfpu_unary(dst, mode, [=] {
      llk::push(llk::sfpu::t::encode_sfpmuli(scale, 0, 0));
      llk::sfpu::nop();
      llk::sfpu::exp_program();
    });
    return;
  }
  const auto vectors = static_cast<llk::sfpu::VectorMode>(mode);
  if (exp_is_scaled)
    return llk::sfpu::over_tile<llk::sfpu::kScaledExpTileLength<DST_ACCUM_MODE>>(
        thread_state.half, dst, thread_state.shape, vectors);
  llk::sfpu::over_tile<llk::sfpu::kExpTileLength<DST_ACCUM_MODE>>(thread_state.half, dst,
                                                                  thread_state.shape, vectors);
#endif
}

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
