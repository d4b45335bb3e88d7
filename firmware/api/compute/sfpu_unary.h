#pragma once

// More functions of one tile of DST on the vector unit. Bounds: firmware/llk/sfpu_math.h. None
// needs its init, template parameters that ask for an approximation change nothing.

#include "api/compute/vector_mode.h"

namespace ckernel {

#if COMPILE_FOR_TRISC == 1
template <typename Program>
ALWI void sfpu_unary(uint32_t dst, int mode, Program program) {
  llk::sfpu::unary<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape,
                                   static_cast<llk::sfpu::VectorMode>(mode), program);
}
#endif

// A function of a tile, of a tile and one word, of a tile and two; its body is for MATH only.
#define TVP_UNARY(name, program)                                                              \
  template <auto...>                                                                          \
  ALWI void name##_init() {}                                                                  \
  template <auto...>                                                                          \
  ALWI void name([[maybe_unused]] uint32_t dst, [[maybe_unused]] int mode = VectorMode::RC) { \
    MATH((sfpu_unary(dst, mode, [] { llk::sfpu::program(); })));                              \
  }
#define TVP_UNARY_WITH(name, ...)                                                  \
  template <auto...>                                                               \
  ALWI void name##_init() {}                                                       \
  template <auto...>                                                               \
  ALWI void name([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t value) { \
    MATH((sfpu_unary(dst, VectorMode::RC, [=] {                                    \
      namespace s = llk::sfpu;                                                     \
      __VA_ARGS__                                                                  \
    })));                                                                          \
  }

TVP_UNARY(sqrt_tile, sqrt_program)
TVP_UNARY(rsqrt_tile, rsqrt_program)
TVP_UNARY(log_tile, log_program)
TVP_UNARY(log1p_tile, log1p_program)
TVP_UNARY(exp2_tile, exp2_program)
TVP_UNARY(expm1_tile, expm1_program)
TVP_UNARY(tanh_tile, tanh_program)
TVP_UNARY(gelu_tile, gelu_program)
TVP_UNARY(silu_tile, silu_program)
TVP_UNARY(abs_tile, abs_program)
TVP_UNARY(sign_tile, sign_program)
TVP_UNARY(floor_tile, floor_program)
TVP_UNARY(ceil_tile, ceil_program)
TVP_UNARY(trunc_tile, trunc_program)
TVP_UNARY(frac_tile, frac_program)
TVP_UNARY(sin_tile, sin_program)
TVP_UNARY(cos_tile, cos_program)
TVP_UNARY(eqz_tile, compare_with_zero_program<llk::sfpu::Comparison::kEqual>)
TVP_UNARY(nez_tile, compare_with_zero_program<llk::sfpu::Comparison::kNotEqual>)
TVP_UNARY(ltz_tile, compare_with_zero_program<llk::sfpu::Comparison::kLess>)
TVP_UNARY(gtz_tile, compare_with_zero_program<llk::sfpu::Comparison::kGreater>)
TVP_UNARY(gez_tile, compare_with_zero_program<llk::sfpu::Comparison::kGreaterEqual>)
TVP_UNARY(lez_tile, compare_with_zero_program<llk::sfpu::Comparison::kLessEqual>)
TVP_UNARY(logical_not_unary_tile, compare_with_zero_program<llk::sfpu::Comparison::kEqual>)

ALWI void rounding_op_tile_init() {}
ALWI void binop_with_scalar_tile_init() {}

template <auto...>
ALWI void sigmoid_tile_init() {}
template <int kMode = VectorMode::RC, auto...>
ALWI void sigmoid_tile([[maybe_unused]] uint32_t dst) {
  MATH((sfpu_unary(dst, kMode, [] { llk::sfpu::sigmoid_program(); })));
}

// The word is the value's FP32 bits.
TVP_UNARY_WITH(log_with_base_tile, s::log_program(); s::variable<1>(value);
               s::mad_wait<0, 1, s::kZero, 0>();)
TVP_UNARY_WITH(add_unary_tile, s::variable<1>(value); s::mad_wait<0, s::kOne, 1, 0>();)
TVP_UNARY_WITH(sub_unary_tile, s::variable<1>(value ^ 0x80000000u);
               s::mad_wait<0, s::kOne, 1, 0>();)
TVP_UNARY_WITH(rsub_unary_tile, s::variable<1>(value); s::negate<0, 0>();
               s::mad_wait<0, s::kOne, 1, 0>();)
TVP_UNARY_WITH(mul_unary_tile, s::variable<1>(value); s::mad_wait<0, 1, s::kZero, 0>();)
/// The host passes the reciprocal of the divisor.
TVP_UNARY_WITH(div_unary_tile, s::variable<1>(value); s::mad_wait<0, 1, s::kZero, 0>();)
/// min(max(x, 0), value)
TVP_UNARY_WITH(relu_max_tile, s::variable<1>(value); s::max_min<1, 0>(); s::where<0, s::kLess>();
               s::loadi<0, s::kBf16, 0>(); s::everywhere();)
/// max(x, value)
TVP_UNARY_WITH(relu_min_tile, s::variable<1>(value); s::max_min<0, 1>();)
TVP_UNARY_WITH(leaky_relu_tile, s::variable<1>(value); s::mad_wait<0, 1, s::kZero, 1>();
               s::where<0, s::kLess>(); s::mov<1, 0>(); s::everywhere();)
TVP_UNARY_WITH(fill_tile_bitcast, s::variable<0>(value);)

#define TVP_COMPARE_WITH(name, comparison)                                                   \
  TVP_UNARY_WITH(name, s::variable<1>(value ^ 0x80000000u); s::mad_wait<0, s::kOne, 1, 0>(); \
                 s::compare_with_zero_program<s::Comparison::comparison>();)
TVP_COMPARE_WITH(unary_eq_tile, kEqual)
TVP_COMPARE_WITH(unary_ne_tile, kNotEqual)
TVP_COMPARE_WITH(unary_lt_tile, kLess)
TVP_COMPARE_WITH(unary_gt_tile, kGreater)
TVP_COMPARE_WITH(unary_ge_tile, kGreaterEqual)
TVP_COMPARE_WITH(unary_le_tile, kLessEqual)

#undef TVP_COMPARE_WITH
#undef TVP_UNARY_WITH
#undef TVP_UNARY

ALWI void fill_tile_init() {}
ALWI void fill_tile(uint32_t dst, float value) {
  fill_tile_bitcast(dst, __builtin_bit_cast(uint32_t, value));
}

ALWI void clamp_tile_init() {}
ALWI void clamp_tile([[maybe_unused]] uint32_t dst, [[maybe_unused]] uint32_t low,
                     [[maybe_unused]] uint32_t high) {
#if COMPILE_FOR_TRISC == 1
  sfpu_unary(dst, VectorMode::RC, [=] {
    llk::sfpu::variable<1>(low);
    llk::sfpu::max_min<0, 1>();
    llk::sfpu::variable<1>(high);
    llk::sfpu::max_min<1, 0>();
  });
#endif
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
