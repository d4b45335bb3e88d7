#pragma once

// Trigonometric, hyperbolic, error and Bessel functions, powers and remainders of tiles of DST, and
// tests for special values. Bounds: firmware/llk/sfpu/sfpu_trigonometry.h, sfpu_power.h,
// sfpu_special.h. Words are the bits of FP32 numbers.

#include "api/compute/sfpu/sfpu_call.h"

namespace ckernel {

TVP_SFPU_UNARY(tan_tile, s::tan_program();)
TVP_SFPU_UNARY(asin_tile, s::asin_program();)
TVP_SFPU_UNARY(acos_tile, s::acos_program();)
TVP_SFPU_UNARY(atan_tile, s::atan_program();)
TVP_SFPU_UNARY(sinh_tile, s::sinh_program();)
TVP_SFPU_UNARY(cosh_tile, s::cosh_program();)
TVP_SFPU_UNARY(asinh_tile, s::asinh_program();)
TVP_SFPU_UNARY(acosh_tile, s::acosh_program();)
TVP_SFPU_UNARY(atanh_tile, s::atanh_program();)
TVP_SFPU_OF_BF16(erf_tile, ErfOfBf16, s::erf_program();)
TVP_SFPU_UNARY(erfc_tile, s::erfc_program();)
TVP_SFPU_UNARY(erfinv_tile, s::erfinv_program();)
TVP_SFPU_UNARY(i0_tile, s::i0_program();)
TVP_SFPU_UNARY(i1_tile, s::i1_program();)
TVP_SFPU_UNARY(cbrt_tile, s::cbrt_program();)
TVP_SFPU_UNARY(tanh_derivative_tile, s::tanh_derivative_program();)
TVP_SFPU_UNARY(gelu_derivative_tile, s::gelu_derivative_program();)
TVP_SFPU_UNARY(mish_tile, s::mish_program();)
TVP_SFPU_UNARY(logit_tile, s::logit_program();)

TVP_SFPU_UNARY(digamma_tile, s::digamma_program();)
/// The sum of (x + k)^-n-1 times the scale, (-1)^(n+1) n!. Both words are FP32 bits, n is a whole
/// number from 1 to 11.
TVP_SFPU_INIT(polygamma_tile)
template <auto...>
ALWI void polygamma_tile(uint32_t dst, uint32_t order, uint32_t scale) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  const uint32_t mantissa = (order & 0x7FFFFF) | 0x800000;
  const uint32_t n = mantissa >> (150 - (order >> 23));
  ASSERT(n >= 1 && n <= s::kPolygammaOrders);
  sfpu_unary(dst, VectorMode::RC, [=] { s::polygamma_program(n, scale); });
#endif
}

/// ln gamma(x), or ln gamma(1 - x) where x < 1/2. The second form takes the logarithm of the
/// argument or computes it. lgamma_adjusted_tile() converts it to ln |gamma(x)| with ln |sin(pi x)|
/// and x.
TVP_SFPU_UNARY(lgamma_stirling_tile, s::log_gamma_program();)
TVP_SFPU_BINARY(lgamma_stirling_float_tile, s::log_gamma_program();)
ALWI void lgamma_adjusted_tile_init() {}
ALWI void lgamma_adjusted_tile(uint32_t log_gamma, uint32_t log_sine, uint32_t x, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(thread_state.half, log_gamma, log_sine, x, out,
                                                    thread_state.shape,
                                                    [] { s::reflect_log_gamma_program(); });
#endif
}
/// x + sin^2(alpha x) / beta.
ALWI void snake_beta_tile_init() {}
template <DataFormat kFormat, auto...>
ALWI void snake_beta_tile(uint32_t x, uint32_t alpha, uint32_t beta, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  s::ternary_cells<DST_ACCUM_MODE, s::Cell::kFloat>(
      thread_state.half, x, alpha, beta, out, thread_state.shape, [] { s::snake_beta_program(); });
#endif
}

TVP_SFPU_UNARY(isinf_tile, s::special_program<s::Special::kInfinite>();)
TVP_SFPU_UNARY(isposinf_tile, s::special_program<s::Special::kPositiveInfinite>();)
TVP_SFPU_UNARY(isneginf_tile, s::special_program<s::Special::kNegativeInfinite>();)
TVP_SFPU_UNARY(isnan_tile, s::special_program<s::Special::kNan>();)
TVP_SFPU_UNARY(isfinite_tile, s::special_program<s::Special::kFinite>();)
TVP_SFPU_UNARY(signbit_tile, s::signbit_program();)
TVP_SFPU_REPLAYED(identity_tile, 0, false, )

/// x to the power of the word, and the word to the power of x. Returns the FP32 bits of an
/// exponent. Releases of 2025 pass a whole number, whose bits would be a denormal.
constexpr uint32_t exponent_bits(uint32_t word) {
  return word < 0x00800000 ? __builtin_bit_cast(uint32_t, static_cast<float>(word)) : word;
}
TVP_SFPU_INIT(power_tile)
template <auto...>
ALWI void power_tile(uint32_t dst, uint32_t p0, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  const uint32_t exponent = exponent_bits(p0);
  if constexpr (DST_ACCUM_MODE) {
    sfpu_unary(dst, mode, [=] {
      s::variable<1>(exponent);
      s::power_program();
    });
  } else {
    s::power_of_bf16(thread_state.half, dst, thread_state.shape, static_cast<s::VectorMode>(mode),
                     exponent);
  }
#endif
}
TVP_SFPU_UNARY_1(rpow_tile, s::mov<0, 1>(); s::variable<0>(p0); s::power_program();)
TVP_SFPU_INIT(power_binary_tile)
template <auto...>
ALWI void power_binary_tile(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  if constexpr (DST_ACCUM_MODE) {
    sfpu_binary(a, b, out, [] { llk::sfpu::power_program(); });
  } else {
    llk::sfpu::power_of_bf16_pairs(thread_state.half, a, b, out, thread_state.shape);
  }
#endif
}
template <auto... parameters>
ALWI void power_binary_tile(uint32_t a, uint32_t b) {
  power_binary_tile<parameters...>(a, b, a);
}
TVP_SFPU_BINARY(xlogy_binary_tile, s::xlogy_program();)
/// Remainders with the sign of the first and of the second operand, and the angle of (second,
/// first).
TVP_SFPU_BINARY(fmod_binary_tile, s::fmod_of_two_program();)
TVP_SFPU_BINARY(remainder_binary_tile, s::remainder_of_two_program();)
TVP_SFPU_BINARY(atan2_binary_tile, s::atan2_program();)
/// 1 where the first is within an absolute and a relative tolerance (FP32 bits) of the second, else
/// 0.
ALWI void isclose_binary_tile_init() {}
template <bool kNansAreEqual = false>
ALWI void isclose_binary_tile(uint32_t a, uint32_t b, uint32_t out, uint32_t relative,
                              uint32_t absolute) {
  MATH((
      sfpu_binary(a, b, out, [=] { llk::sfpu::near_program<kNansAreEqual>(relative, absolute); })));
}
/// The word minus x.
TVP_SFPU_UNARY_1(rsub_tile, s::variable<1>(p0); s::negate<0, 0>(); s::mad_wait<0, s::kOne, 1, 0>();)

/// Remainders of x and a number. The second word is the number's reciprocal.
template <auto...>
ALWI void fmod_tile_init(uint32_t value, uint32_t reciprocal) {}
template <auto...>
ALWI void fmod_tile(uint32_t dst, uint32_t value, uint32_t reciprocal) {
  MATH((sfpu_unary(dst, VectorMode::RC, [=] { llk::sfpu::fmod_program(value, reciprocal); })));
}
template <auto...>
ALWI void remainder_tile_init(uint32_t value, uint32_t reciprocal) {}
template <auto...>
ALWI void remainder_tile(uint32_t dst, uint32_t value, uint32_t reciprocal) {
  MATH((sfpu_unary(dst, VectorMode::RC, [=] { llk::sfpu::remainder_program(value, reciprocal); })));
}

enum class RoundingMode { None, Trunc, Floor };
ALWI void rdiv_tile_init() {}
/// The word divided by x, optionally rounded.
template <RoundingMode kMode = RoundingMode::None>
ALWI void rdiv_tile(uint32_t dst, uint32_t value, int mode = VectorMode::RC) {
#if COMPILE_FOR_TRISC == 1
  sfpu_unary(dst, mode, [=] {
    namespace s = llk::sfpu;
    s::reciprocal<0x7F80, 0, 1, 2, 3, 4>();
    s::variable<0>(value);
    s::mad_wait<0, 1, s::kZero, 0>();
    if constexpr (kMode == RoundingMode::Trunc) s::trunc_program();
    if constexpr (kMode == RoundingMode::Floor) s::floor_program();
  });
#endif
}

/// Rounds to a number of digits behind the decimal point, at most 38. A negative number means
/// digits before it.
template <auto...>
ALWI void round_tile(uint32_t dst, int32_t decimals) {
#if COMPILE_FOR_TRISC == 1
  float power = 1;
  for (int32_t i = decimals < 0 ? -decimals : decimals; i > 0; --i) power *= 10;
  const uint32_t up = __builtin_bit_cast(uint32_t, power);
  const uint32_t down = __builtin_bit_cast(uint32_t, 1 / power);
  const uint32_t scale = decimals < 0 ? down : up, back = decimals < 0 ? up : down;
  sfpu_unary(dst, VectorMode::RC, [=] { llk::sfpu::round_program(scale, back); });
#endif
}

/// Pairs of adjacent columns (re, im) become (-im, re).
ALWI void alt_complex_rotate90_tile_init() {}
ALWI void alt_complex_rotate90_tile(uint32_t dst) {
  MATH((llk::sfpu::rotate_pairs<DST_ACCUM_MODE>(thread_state.half, dst, thread_state.shape)));
}

}  // namespace ckernel
