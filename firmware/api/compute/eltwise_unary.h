#pragma once

// The vector unit on tiles of DST. Error bounds: firmware/llk/sfpu/sfpu.h, sfpu_bf16.h. The inits
// have no effect.

#include "api/compute/pack_activations.h"
#include "api/compute/sfpu/exponential.h"
#include "api/compute/sfpu/sfpu_unary.h"

namespace ckernel {

/// The reciprocal of zero is infinity.
TVP_SFPU_INIT(recip_tile)
template <auto...>
ALWI void recip_tile(uint32_t dst, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if constexpr (DST_ACCUM_MODE) {
    s::reciprocal_of_fp32(thread_state.half, dst, thread_state.shape,
                          static_cast<s::VectorMode>(mode));
  } else {
    sfpu_bf16<s::ReciprocalOfBf16>(dst, mode);
  }
#endif
}
/// max(x, 0).
TVP_SFPU_REPLAYED(relu_tile, 1, false, s::keep_above<s::kZero, 0>();)
TVP_SFPU_REPLAYED(square_tile, 2, true, s::mad_wait<0, 0, s::kZero, 0>();)
TVP_SFPU_REPLAYED(negative_tile, 1, false, s::negate<0, 0>();)

ALWI void binary_max_tile_init() {}
template <auto...>
ALWI void binary_max_tile(uint32_t dst0, uint32_t dst1, uint32_t out, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::replayed_binary<DST_ACCUM_MODE, 2, false>(thread_state.half, dst0, dst1, out,
                                               thread_state.shape, static_cast<s::VectorMode>(mode),
                                               [] { s::max_min<0, 1>(); });
#endif
}
// Names of earlier releases, in which the result replaces the first operand.
ALWI void max_tile_init() { binary_max_tile_init(); }
ALWI void max_tile(uint32_t dst0, uint32_t dst1, int mode = VectorMode::RC) {
  binary_max_tile(dst0, dst1, dst0, mode);
}

}  // namespace ckernel
