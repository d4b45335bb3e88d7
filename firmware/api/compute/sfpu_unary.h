#pragma once

// More functions of one tile of DST on the vector unit. Bounds: firmware/llk/sfpu_math.h. None
// needs its init, template parameters that ask for an approximation change nothing but gelu.

#include "api/compute/activations.h"

namespace ckernel {

TVP_SFPU_UNARY(sqrt_tile, s::sqrt_program<DST_ACCUM_MODE>();)
TVP_SFPU_UNARY(rsqrt_tile, s::rsqrt_program<DST_ACCUM_MODE>();)
TVP_SFPU_UNARY(log_tile, s::log_program();)
TVP_SFPU_UNARY(log1p_tile, s::log1p_program();)
TVP_SFPU_UNARY(exp2_tile, s::exp2_program();)
TVP_SFPU_UNARY(expm1_tile, s::expm1_program();)
TVP_SFPU_UNARY(tanh_tile, if constexpr (DST_ACCUM_MODE) s::tanh_program();
               else s::tanh_of_bf16_program();)
TVP_SFPU_UNARY(silu_tile, s::silu_program();)
TVP_SFPU_UNARY(abs_tile, s::abs_program();)
TVP_SFPU_UNARY(sign_tile, s::sign_program();)
TVP_SFPU_UNARY(floor_tile, s::floor_program();)
TVP_SFPU_UNARY(ceil_tile, s::ceil_program();)
TVP_SFPU_UNARY(trunc_tile, s::trunc_program();)
TVP_SFPU_UNARY(frac_tile, s::frac_program();)
TVP_SFPU_UNARY(sin_tile, s::sin_program();)
TVP_SFPU_UNARY(cos_tile, s::cos_program();)
TVP_SFPU_UNARY(eqz_tile, s::compare_with_zero_program<s::Comparison::kEqual>();)
TVP_SFPU_UNARY(nez_tile, s::compare_with_zero_program<s::Comparison::kNotEqual>();)
TVP_SFPU_UNARY(ltz_tile, s::compare_with_zero_program<s::Comparison::kLess>();)
TVP_SFPU_UNARY(gtz_tile, s::compare_with_zero_program<s::Comparison::kGreater>();)
TVP_SFPU_UNARY(gez_tile, s::compare_with_zero_program<s::Comparison::kGreaterEqual>();)
TVP_SFPU_UNARY(lez_tile, s::compare_with_zero_program<s::Comparison::kLessEqual>();)
TVP_SFPU_UNARY(logical_not_unary_tile, s::compare_with_zero_program<s::Comparison::kEqual>();)

ALWI void rounding_op_tile_init() {}
ALWI void binop_with_scalar_tile_init() {}

/// Rough where nothing else is said, as tt-metal's.
template <auto...>
ALWI void gelu_tile_init() {}
template <bool kApproximate = true, auto...>
ALWI void gelu_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC) {
  MATH((sfpu_unary(dst, mode, [] {
    kApproximate ? llk::sfpu::rough_gelu_program() : llk::sfpu::gelu_program();
  })));
}

template <auto...>
ALWI void sigmoid_tile_init() {}
template <int kMode = VectorMode::RC, auto...>
ALWI void sigmoid_tile([[maybe_unused]] uint32_t dst) {
  MATH((sfpu_unary(dst, kMode, [] { llk::sfpu::sigmoid_program(); })));
}

// The word is the value's FP32 bits.
TVP_SFPU_UNARY_1(log_with_base_tile, s::log_program(); s::variable<1>(p0);
                 s::mad_wait<0, 1, s::kZero, 0>();)
TVP_SFPU_UNARY_1(add_unary_tile, s::variable<1>(p0); s::mad_wait<0, s::kOne, 1, 0>();)
TVP_SFPU_UNARY_1(sub_unary_tile, s::variable<1>(p0 ^ 0x80000000u); s::mad_wait<0, s::kOne, 1, 0>();)
TVP_SFPU_UNARY_1(rsub_unary_tile, s::variable<1>(p0); s::negate<0, 0>();
                 s::mad_wait<0, s::kOne, 1, 0>();)
TVP_SFPU_UNARY_1(mul_unary_tile, s::variable<1>(p0); s::mad_wait<0, 1, s::kZero, 0>();)
/// The host passes the reciprocal of the divisor.
TVP_SFPU_UNARY_1(div_unary_tile, s::variable<1>(p0); s::mad_wait<0, 1, s::kZero, 0>();)
/// min(max(x, 0), value)
TVP_SFPU_UNARY_1(relu_max_tile, s::variable<1>(p0); s::max_min<1, 0>(); s::where<0, s::kLess>();
                 s::loadi<0, s::kBf16, 0>(); s::everywhere();)
/// max(x, value)
TVP_SFPU_UNARY_1(relu_min_tile, s::variable<1>(p0); s::max_min<0, 1>();)
ALWI void leaky_relu_tile_init() {}
/// x above zero, x times the slope below.
ALWI void leaky_relu_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t slope = 0) {
  prelu_tile(dst, slope);
}
TVP_SFPU_UNARY_1(fill_tile_bitcast, s::variable<0>(p0);)

#define TVP_COMPARE_WITH(name, comparison) \
  TVP_SFPU_UNARY_1(name, s::compare_with_program<s::Comparison::comparison>(p0);)
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
/// To a whole power.
ALWI void power_iterative_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t power) {
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
