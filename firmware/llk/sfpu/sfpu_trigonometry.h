#pragma once

// Thread 1: tangent, inverse and hyperbolic functions on the vector unit, programs as in
// sfpu_math.h. Bounds are relative and for FP32 in Dst unless stated otherwise. Outside of a
// function's domain the result is NaN.

#include "firmware/llk/sfpu/sfpu_math.h"

namespace tvp::llk::sfpu {

/// kR = sin kX for 0 <= kX <= pi / 2, 2^-24. kX squared goes to kSquare.
template <Word kR, Word kX, Word kSquare, Word kScratch>
inline void sine_of_small() {
  mad_wait<kX, kX, kZero, kSquare>();
  polynomial<kR, kSquare, kScratch, 1.0f, -0.166666567f, 0.0083330255f, -0.000198074122f,
             2.60188699e-06f>();
  mad_wait<kR, kX, kZero, kR>();
}
/// sin f / sin(pi/2 - |f|) with f = x - k pi. f has an error of at most 2^-21 (1 + |x| 2^-10). The
/// result has that error times (1 + tan^2 x), plus 2^-20 relative.
inline void tan_program() {
  reduce_by_pi<false>();
  absolute<0, 6>();
  sine_of_small<7, 6, 1, 5>();
  mov<0, 5>();
  take_magnitude<7, 5>();
  load_bits<1, bits(1.57079637f)>();
  negate<6, 6>();
  mad<6, kOne, 1, 6>();
  load_bits<1, bits(-4.37113883e-08f)>();  // the rest of pi / 2
  mad_wait<6, kOne, 1, 6>();
  absolute<6, 6>();
  sine_of_small<7, 6, 1, 4>();
  reciprocal<0x7F80, 7, 0, 1, 2, 3>();
  mad_wait<0, 5, kZero, 0>();
}

/// kR = atan of 0 <= kX <= 1: 2^-24.
template <Word kR, Word kX, Word kSquare, Word kScratch>
inline void arctangent_of_small() {
  mad_wait<kX, kX, kZero, kSquare>();
  polynomial<kR, kSquare, kScratch, 1.0f, -0.333330721f, 0.199926138f, -0.142035976f, 0.106407613f,
             -0.0750394464f, 0.0426875651f, -0.0160662867f, 0.00284932251f>();
  mad_wait<kR, kX, kZero, kR>();
}
/// Above one pi/2 - atan(1/x): 2^-21.
inline void atan_program() {
  absolute<0, 6>();
  reciprocal<0x7F80, 6, 7, 1, 2, 3>();
  mov<6, 5>();
  add_constant<5, 0xBF80>();  // |x| - 1
  mov<0, 1>();
  mov_where<5, kGreaterEqual, 7, 6>();
  arctangent_of_small<0, 6, 2, 4>();
  where<5, kGreaterEqual>();
  load_bits<2, bits(1.57079637f)>();
  negate<0, 0>();
  mad_wait<0, kOne, 2, 0>();
  everywhere();
  take_magnitude<0, 1>();
  mov<1, 0>();
}

/// Takes |x| <= 1 in LReg 0 and returns asin z in LReg 0 and z in LReg 6. Up to 1/2, z is |x|;
/// above, z is the root of (1 - |x|) / 2, and LReg 7 is then not negative. Accuracy 2^-20.
inline void arcsine_of_reduced() {
  absolute<0, 6>();
  mov<6, 7>();
  add_constant<7, 0xBF00>();  // |x| - 1/2
  negate<6, 0>();
  mad_wait<0, kOne, kOne, 0>();
  multiply_constant<0, 0x3F00>();
  reciprocal_root<0, 1, 2, 3, 4>();
  mad_wait<0, 1, kZero, 1>();
  op<t::encode_sfpexexp(0, 2, 1)>();
  loadi_where<2, kEqual, 1, kBf16, 0>();
  mov_where<7, kGreaterEqual, 1, 6>();
  mad_wait<6, 6, kZero, 1>();
  polynomial<0, 1, 4, 0.166666731f, 0.0749880746f, 0.0450106971f, 0.0264951754f, 0.0382036828f>();
  mad_wait<0, 1, kZero, 0>();
  mad_wait<0, 6, 6, 0>();
}
/// NaN in LReg 0 where the magnitude of LReg kX is above one.
template <Word kX, Word kScratch>
inline void undefined_above_one() {
  absolute<kX, kScratch>();
  op<t::encode_sfpiadd(0, kOne, kScratch, 2 | 4)>();  // bits of one minus those of |x|
  loadi_where<kScratch, kLess, 0, kBf16, 0x7FC0>();
}
/// Arcsine: 2^-20.
inline void asin_program() {
  mov<0, 5>();
  arcsine_of_reduced();
  where<7, kGreaterEqual>();
  load_bits<1, bits(1.57079637f)>();
  loadi<2, kBf16, 0xC000>();
  mad_wait<0, 2, 1, 0>();
  everywhere();
  mov<5, 1>();
  take_magnitude<0, 1>();
  mov<1, 0>();
  undefined_above_one<5, 1>();
}
/// Arccosine: 2^-20, also near one.
inline void acos_program() {
  mov<0, 5>();
  arcsine_of_reduced();
  where<7, kGreaterEqual>();
  multiply_constant<0, 0x4000>();
  where<5, kLess>();  // pi - 2 asin z
  load_bits<1, bits(3.14159274f)>();
  negate<0, 0>();
  mad_wait<0, kOne, 1, 0>();
  everywhere();
  where<7, kLess>();  // pi / 2 - asin x
  mov<5, 2>();
  take_magnitude<0, 2>();
  negate<2, 2>();
  load_bits<1, bits(1.57079637f)>();
  mad_wait<2, kOne, 1, 0>();
  everywhere();
  undefined_above_one<5, 1>();
}

/// LReg 1 = e^|x| / 2, with |x| in LReg 6: 1e-5 and |x| 2^-24. It takes |x| - ln 2, which is valid
/// up to 89. LReg 0 is its argument.
inline void half_exponential() {
  load_bits<1, bits(-0.693147181f)>();
  mad_wait<6, kOne, 1, 0>();
  exp<0, 1, 2, 3, 4, 5>();
  saturate_exp<0, 1, 2>();
}
/// e^|x| / 2 + 1 / (4 e^|x| / 2): 2e-5.
inline void cosh_program() {
  absolute<0, 6>();
  half_exponential();
  reciprocal<0x7F80, 1, 0, 2, 3, 4>();
  loadi<2, kBf16, 0x3E80>();
  mad_wait<0, 2, 1, 0>();
}
/// A polynomial where |x| < 1, e^|x| / 2 - 1 / (4 e^|x| / 2) elsewhere: 3e-5.
inline void sinh_program() {
  mov<0, 7>();
  absolute<0, 6>();
  half_exponential();
  reciprocal<0x7F80, 1, 0, 2, 3, 4>();
  loadi<2, kBf16, 0xBE80>();
  mad_wait<0, 2, 1, 5>();
  mad_wait<6, 6, kZero, 1>();
  polynomial<0, 1, 4, 1.0f, 0.166667342f, 0.00832991209f, 0.000203939955f>();
  mad_wait<0, 6, kZero, 0>();
  add_constant<6, 0xBF80>();
  mov_where<6, kGreaterEqual, 5, 0>();
  take_magnitude<0, 7>();
  mov<7, 0>();
}

/// kR = square root of kX >= 0; the others are scratch.
template <Word kX, Word kR, Word kT, Word kHalf, Word kThreeHalves>
inline void root() {
  reciprocal_root<kX, kR, kT, kHalf, kThreeHalves>();
  mad_wait<kX, kR, kZero, kR>();
  op<t::encode_sfpexexp(kX, kT, 1)>();
  loadi_where<kT, kEqual, kR, kBf16, 0>();
}
/// LReg 5 becomes ln(1 + LReg 0). From LReg 6 = 2^12 on it becomes ln(LReg 6) + ln 2.
inline void log1p_or_logarithm() {
  log1p_program();
  mov<0, 5>();
  mov<6, 0>();
  split_exponent<0, 1, 2, 3>();
  logarithm_of_parts();
  load_bits<2, bits(0.693147181f)>();
  mad_wait<1, kOne, 2, 1>();
  where_infinite<6, 2>();
  mov<6, 1>();
  everywhere();
  loadi<2, kBf16, 0xC580>();
  mad_wait<6, kOne, 2, 2>();
  mov_where<2, kGreaterEqual, 1, 5>();
}
/// ln(1 + u + u^2 / (1 + sqrt(1 + u^2))) of u = |x| up to 2^12, ln u + ln 2 beyond: 2e-6.
inline void asinh_program() {
  mov<0, 7>();
  absolute<0, 6>();
  mov<6, 0>();
  loadi<1, kBf16, 0x4580>();
  max_min<1, 0>();
  mad_wait<0, 0, kOne, 5>();
  root<5, 1, 2, 3, 4>();
  mad_wait<1, kOne, kOne, 1>();
  reciprocal<0x7F80, 1, 2, 3, 4, 5>();
  mad_wait<0, 0, kZero, 1>();
  mad_wait<1, 2, 0, 0>();
  log1p_or_logarithm();
  take_magnitude<5, 7>();
  mov<7, 0>();
}
/// ln(1 + v + sqrt(v (2 + v))) of v = x - 1 up to 2^12, ln x + ln 2 beyond: 3e-6.
inline void acosh_program() {
  mov<0, 6>();
  loadi<1, kBf16, 0x4580>();
  max_min<1, 0>();
  add_constant<0, 0xBF80>();
  loadi<1, kBf16, 0x4000>();
  mad_wait<0, kOne, 1, 1>();
  mad_wait<0, 1, kZero, 5>();
  mov<0, 7>();
  root<5, 1, 2, 3, 4>();
  mad_wait<7, kOne, 1, 0>();
  log1p_or_logarithm();
  mov<5, 0>();
  where<7, kLess>();  // x < 1
  loadi<0, kBf16, 0x7FC0>();
  everywhere();
}
/// ln(1 + 2 u / (1 - u)) / 2 with u = |x|: 3e-6. The result is infinite for one.
inline void atanh_program() {
  mov<0, 7>();
  absolute<0, 6>();
  negate<6, 1>();
  mad_wait<1, kOne, kOne, 1>();
  reciprocal<0x7F80, 1, 2, 3, 4, 5>();
  mad_wait<6, 2, kZero, 0>();
  multiply_constant<0, 0x4000>();
  log1p_program();
  multiply_constant<0, 0x3F00>();
  mov<7, 1>();
  take_magnitude<0, 1>();
  mov<1, 0>();
  undefined_above_one<7, 1>();
}

}  // namespace tvp::llk::sfpu
