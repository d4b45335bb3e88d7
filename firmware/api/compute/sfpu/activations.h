#pragma once

// Activation functions of tiles of DST. Parameters are the bits of FP32 numbers. Formulas and error
// bounds: firmware/llk/sfpu/sfpu_activation.h.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

TVP_SFPU_INIT(elu_tile)
template <auto...>
ALWI void elu_tile(uint32_t dst, uint32_t alpha, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, mode, [=] { s::elu_program(alpha); });
  } else {
    s::elu_of_bf16(thread_state.half, dst, thread_state.shape, static_cast<s::VectorMode>(mode),
                   alpha, s::Nothing{});
  }
#endif
}
TVP_SFPU_INIT(selu_tile)
template <auto...>
ALWI void selu_tile(uint32_t dst, uint32_t scale, uint32_t alpha) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, VectorMode::RC, [=] { s::selu_program(scale, alpha); });
  } else {
    s::elu_of_bf16<s::kAnyLength>(thread_state.half, dst, thread_state.shape, s::VectorMode::kAll,
                                  alpha, [=] { s::multiply_by<3, 0>(scale); });
  }
#endif
}
TVP_SFPU_UNARY_2(celu_tile, s::celu_program(p0, p1);)
TVP_SFPU_INIT(softplus_tile)
template <auto...>
ALWI void softplus_tile(uint32_t dst, uint32_t beta, uint32_t beta_reciprocal, uint32_t threshold) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, VectorMode::RC, [=] { s::softplus_program(beta, beta_reciprocal, threshold); });
  } else {
    s::softplus_of_bf16(thread_state.half, dst, thread_state.shape, beta, beta_reciprocal,
                        threshold);
  }
#endif
}
TVP_SFPU_INIT(hardsigmoid_tile)
template <auto...>
ALWI void hardsigmoid_tile(uint32_t dst, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  sfpu_replayed<4, true>(
      dst, mode,
      [] {
        s::load_bits<4, s::bits(0.166666672f)>();
        s::loadi<5, s::kBf16, 0x3F00>();
      },
      [] {
        s::mad_wait<0, 4, 5, 0>();
        s::keep_above<s::kZero, 0>();
        s::keep_below<s::kOne, 0>();
      });
#endif
}
TVP_SFPU_UNARY(hardmish_tile, s::hardmish_program();)
TVP_SFPU_UNARY(softsign_tile, s::softsign_program();)
TVP_SFPU_UNARY(tanhshrink_tile, s::tanhshrink_program();)
TVP_SFPU_UNARY_2(xielu_tile, s::xielu_program(p0, p1);)
TVP_SFPU_UNARY_2(soft_clamp_tile, s::soft_clamp_program(p0, p1);)
TVP_SFPU_UNARY_2(situ_gate_tile, s::situ_gate_program(p0, p1);)
/// soft_clamp_tile() with the limit and the reciprocal from the init.
struct SoftcapLimit {
  uint32_t limit, reciprocal;
};
inline SoftcapLimit softcap_limit;
ALWI void softcap_tile_init(uint32_t limit, uint32_t reciprocal) {
  MATH((softcap_limit = {limit, reciprocal}));
}
template <auto...>
ALWI void softcap_tile(uint32_t dst) {
  MATH((soft_clamp_tile(dst, softcap_limit.limit, softcap_limit.reciprocal)));
}
/// With a seed of 0 the slope below zero is the mean of both bounds, else a random number between
/// them.
ALWI void rrelu_tile_init(uint32_t seed) {
#if COMPILE_FOR_TRISC == 1
  if (seed != 0) llk::sfpu::seed_random(seed);
#endif
}
template <auto...>
ALWI void rrelu_tile(uint32_t dst, uint32_t low, uint32_t high, uint32_t seed) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if (seed == 0) {
    sfpu_unary(dst, VectorMode::RC, [=] { s::rrelu_program<false>(low, high); });
  } else {
    sfpu_unary(dst, VectorMode::RC, [=] { s::rrelu_program<true>(low, high); });
  }
#endif
}
TVP_SFPU_UNARY_1(softshrink_tile, s::softshrink_program(p0);)
TVP_SFPU_UNARY_1(hardshrink_tile, s::hardshrink_program(p0);)
#define TVP_CLAMP(name)                                                                \
  TVP_SFPU_INIT(name)                                                                  \
  template <auto...>                                                                   \
  ALWI void name(uint32_t dst, uint32_t low, uint32_t high) {                          \
    MATH((llk::sfpu::clamp<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape, \
                                           llk::sfpu::VectorMode::kAll, low, high)));  \
  }
TVP_CLAMP(hardtanh_tile)
TVP_CLAMP(clamp_tile)
#undef TVP_CLAMP
TVP_SFPU_UNARY_2(threshold_tile, s::threshold_program(p0, p1);)
TVP_SFPU_UNARY_1(heaviside_tile, s::heaviside_program(p0);)
TVP_SFPU_REPLAYED_1(prelu_tile, 4, true, s::variable<4>(p0);, s::mad<0, 4, s::kZero, 1>();
                    s::where<0, s::kLess>(); s::mov<1, 0>(); s::everywhere();)
/// DST[out] from x in DST[a] and e^-x in DST[b].
TVP_SFPU_BINARY(logsigmoid_tile, s::logsigmoid_program();)

TVP_SFPU_REPLAYED_1(unary_max_tile, 1, false,
                    (s::set_rounded_constant<s::kRoundMagic, DST_ACCUM_MODE>(p0));
                    , s::keep_above<s::kRoundMagic, 0>();)
TVP_SFPU_REPLAYED_1(unary_min_tile, 1, false,
                    (s::set_rounded_constant<s::kRoundMagic, DST_ACCUM_MODE>(p0));
                    , s::keep_below<s::kRoundMagic, 0>();)

}  // namespace ckernel
