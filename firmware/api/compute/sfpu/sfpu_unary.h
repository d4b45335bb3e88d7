#pragma once

// Functions of one tile of DST on the vector unit. Error bounds: firmware/llk/sfpu/sfpu_math.h. The
// inits have no effect, and only gelu has an approximation parameter.

#include "api/compute/sfpu/activations.h"

namespace ckernel {

#define TVP_ROOT(name, function)                                       \
  TVP_SFPU_INIT(name)                                                  \
  template <auto...>                                                   \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) {            \
    MATH((sfpu_bf16<llk::sfpu::function<DST_ACCUM_MODE>>(dst, mode))); \
  }
TVP_ROOT(sqrt_tile, Sqrt)
TVP_ROOT(rsqrt_tile, Rsqrt)
#undef TVP_ROOT
TVP_SFPU_OF_BF16(log_tile, LogOfBf16<false>, s::log_program();)
TVP_SFPU_UNARY(log1p_tile, s::log1p_program();)
TVP_SFPU_OF_BF16(exp2_tile, Exp2OfBf16, s::exp2_program();)
TVP_SFPU_UNARY(expm1_tile, s::expm1_program();)
TVP_SFPU_OF_BF16(tanh_tile, TanhOfBf16, s::tanh_program();)
TVP_SFPU_OF_BF16(silu_tile, SigmoidOfBf16<true>, s::silu_program();)
TVP_SFPU_REPLAYED(abs_tile, 1, false, s::abs_program();)
TVP_SFPU_REPLAYED(sign_tile, llk::sfpu::kSignLength, false, s::sign_program();)
TVP_SFPU_OF_BF16(sin_tile, SineOfBf16<false>, s::sin_program();)
TVP_SFPU_OF_BF16(cos_tile, SineOfBf16<true>, s::cos_program();)

#define TVP_ROUNDING(name, rounding)                                                             \
  TVP_SFPU_INIT(name)                                                                            \
  template <auto...>                                                                             \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) {                                      \
    MATH((llk::sfpu::round_to_whole<llk::sfpu::Rounding::rounding, DST_ACCUM_MODE>(              \
        thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode)))); \
  }
TVP_ROUNDING(floor_tile, kFloor)
TVP_ROUNDING(ceil_tile, kCeil)
TVP_ROUNDING(trunc_tile, kTrunc)
TVP_ROUNDING(frac_tile, kFrac)
#undef TVP_ROUNDING

#define TVP_COMPARE_WITH_ZERO(name, comparison)                                                  \
  TVP_SFPU_INIT(name)                                                                            \
  template <auto...>                                                                             \
  ALWI void name(uint32_t dst, int mode = VectorMode::RC) {                                      \
    MATH((llk::sfpu::compare_with_zero<llk::sfpu::Comparison::comparison, DST_ACCUM_MODE>(       \
        thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode)))); \
  }
TVP_COMPARE_WITH_ZERO(eqz_tile, kEqual)
TVP_COMPARE_WITH_ZERO(nez_tile, kNotEqual)
TVP_COMPARE_WITH_ZERO(ltz_tile, kLess)
TVP_COMPARE_WITH_ZERO(gtz_tile, kGreater)
TVP_COMPARE_WITH_ZERO(gez_tile, kGreaterEqual)
TVP_COMPARE_WITH_ZERO(lez_tile, kLessEqual)
TVP_COMPARE_WITH_ZERO(logical_not_unary_tile, kEqual)
#undef TVP_COMPARE_WITH_ZERO

ALWI void rounding_op_tile_init() {}
ALWI void binop_with_scalar_tile_init() {}

/// Approximate by default, as in tt-metal.
template <auto...>
ALWI void gelu_tile_init() {}
template <bool kApproximate = true, auto...>
ALWI void gelu_tile(uint32_t dst, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  if constexpr (kApproximate) {
    sfpu_bf16<llk::sfpu::RoughGelu<DST_ACCUM_MODE>>(dst, mode);
  } else {
    sfpu_of_bf16<llk::sfpu::GeluOfBf16>(dst, mode, [] { llk::sfpu::gelu_program(); });
  }
#endif
}

template <auto...>
ALWI void sigmoid_tile_init() {}
template <int kMode = VectorMode::RC, auto...>
ALWI void sigmoid_tile(uint32_t dst) {
  MATH((sfpu_of_bf16<llk::sfpu::SigmoidOfBf16<false>>(dst, kMode,
                                                      [] { llk::sfpu::sigmoid_program(); })));
}

// The word is the FP32 bits of the value.
template <auto...>
ALWI void log_with_base_tile_init() {}
template <auto...>
ALWI void log_with_base_tile(uint32_t dst, uint32_t p0, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, mode, [=] {
      s::log_program();
      s::multiply_by<0, 1>(p0);
    });
  } else {
    s::run_bf16_with<s::LogOfBf16<true>>(thread_state.half, dst, thread_state.shape,
                                         static_cast<s::VectorMode>(mode),
                                         [=] { s::variable<7>(p0); });
  }
#endif
}
TVP_SFPU_REPLAYED_1(add_unary_tile, 2, true, s::variable<4>(p0);, s::mad_wait<0, s::kOne, 4, 0>();)
TVP_SFPU_REPLAYED_1(sub_unary_tile, 2, true, s::variable<4>(p0 ^ 0x80000000u);
                    , s::mad_wait<0, s::kOne, 4, 0>();)
TVP_SFPU_REPLAYED_1(rsub_unary_tile, 2, true, s::variable<4>(p0);
                    , s::mad_wait<0, s::kMinusOne, 4, 0>();)
TVP_SFPU_REPLAYED_1(mul_unary_tile, 2, true, s::variable<4>(p0);, s::mad_wait<0, 4, s::kZero, 0>();)
/// The host passes the reciprocal of the divisor.
TVP_SFPU_REPLAYED_1(div_unary_tile, 2, true, s::variable<4>(p0);, s::mad_wait<0, 4, s::kZero, 0>();)
/// min(max(x, 0), value)
TVP_SFPU_REPLAYED_1(relu_max_tile, 2, false,
                    (s::set_rounded_constant<s::kRoundMagic, DST_ACCUM_MODE>(p0));
                    , s::keep_below<s::kRoundMagic, 0>(); s::keep_above<s::kZero, 0>();)
/// max(x, value)
TVP_SFPU_REPLAYED_1(relu_min_tile, 1, false,
                    (s::set_rounded_constant<s::kRoundMagic, DST_ACCUM_MODE>(p0));
                    , s::keep_above<s::kRoundMagic, 0>();)
ALWI void leaky_relu_tile_init() {}
/// x above zero, x times the slope below.
ALWI void leaky_relu_tile(uint32_t dst, uint32_t slope = 0) { prelu_tile(dst, slope); }

TVP_SFPU_INIT(fill_tile_bitcast)
template <auto...>
ALWI void fill_tile_bitcast(uint32_t dst, uint32_t p0, int mode = VectorMode::RC) {
  MATH((llk::sfpu::fill<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape,
                                        static_cast<llk::sfpu::VectorMode>(mode), p0)));
}

#define TVP_COMPARE_WITH(name, comparison)                                                    \
  TVP_SFPU_INIT(name)                                                                         \
  template <auto...>                                                                          \
  ALWI void name(uint32_t dst, uint32_t p0, int mode = VectorMode::RC) {                      \
    MATH((llk::sfpu::compare_with_number<llk::sfpu::Comparison::comparison, DST_ACCUM_MODE>(  \
        thread_state.half, dst, thread_state.shape, static_cast<llk::sfpu::VectorMode>(mode), \
        p0)));                                                                                \
  }
TVP_COMPARE_WITH(unary_eq_tile, kEqual)
TVP_COMPARE_WITH(unary_ne_tile, kNotEqual)
TVP_COMPARE_WITH(unary_lt_tile, kLess)
TVP_COMPARE_WITH(unary_gt_tile, kGreater)
TVP_COMPARE_WITH(unary_ge_tile, kGreaterEqual)
TVP_COMPARE_WITH(unary_le_tile, kLessEqual)

#undef TVP_COMPARE_WITH

ALWI void fill_tile_init() {}
ALWI void fill_tile(uint32_t dst, float value) {
  fill_tile_bitcast(dst, __builtin_bit_cast(uint32_t, value));
}

ALWI void power_iterative_tile_init() {}
/// x to a whole power.
ALWI void power_iterative_tile(uint32_t dst, uint32_t power) {
#if COMPILE_FOR_TRISC == 1
  sfpu_unary(dst, VectorMode::RC, [=] {
    llk::sfpu::mov<0, 1>();
    llk::sfpu::mov<llk::sfpu::kOne, 0>();
    for (uint32_t rest = power; rest != 0; rest >>= 1) {
      if (rest & 1) llk::sfpu::mad_wait<0, 1, llk::sfpu::kZero, 0>();
      llk::sfpu::mad_wait<1, 1, llk::sfpu::kZero, 1>();
    }
  });
#endif
}

}  // namespace ckernel
