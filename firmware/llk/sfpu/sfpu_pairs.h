#pragma once

// Thread 1: remainders, angles and nearness of two numbers on the vector unit, x in LReg 0 and y in
// LReg 1. Programs are as in sfpu_math.h. Bounds are relative and for FP32 in Dst.

#include "firmware/llk/sfpu/sfpu_power.h"
#include "firmware/llk/sfpu/sfpu_trigonometry.h"

namespace tvp::llk::sfpu {

/// LReg 0 = |x| mod |y| and LReg 6 = |y|. x is then in LReg 7 and y in LReg 4. Exact where |x / y|
/// < 2^22, NaN where y is zero.
inline void modulo_of_two() {
  mov<0, 7>();
  mov<1, 4>();
  absolute<1, 6>();
  reciprocal<0x7F80, 6, 1, 2, 3, 5>();
  absolute<0, 5>();
  modulo_by_reciprocal();
  where_infinite<6, 1>();
  mad_wait<5, kZero, 5, 0>();  // |x|, or NaN if it is infinite
  everywhere();
}
/// x - y trunc(x / y), with the sign of x.
inline void fmod_of_two_program() {
  modulo_of_two();
  take_magnitude<0, 7>();
  mov<7, 0>();
}
/// x - y floor(x / y), with the sign of y.
inline void remainder_of_two_program() {
  modulo_of_two();
  op<t::encode_sfpxor(4, 7)>();
  absolute<0, 1>();
  where<7, kLess>();  // signs differ
  where<1, kNotEqual>();
  negate<0, 0>();
  mad_wait<0, kOne, 6, 0>();
  everywhere();
  take_magnitude<0, 4>();
  mov<4, 0>();
}

/// The angle of the point (y, x), from -pi to pi: 2^-20. It is 0 or pi for two zeros, NaN for two
/// infinities.
inline void atan2_program() {
  mov<0, 7>();
  mov<1, 5>();
  absolute<0, 6>();
  absolute<1, 1>();
  max_min<1, 6>();
  reciprocal<0, 1, 0, 2, 3, 4>();
  mad_wait<0, 6, kZero, 6>();
  arctangent_of_small<0, 6, 2, 4>();
  absolute<7, 1>();
  negate<1, 1>();
  absolute<5, 2>();
  mad_wait<2, kOne, 1, 1>();
  where<1, kLess>();  // steeper than the diagonal
  load_bits<2, bits(1.57079637f)>();
  negate<0, 0>();
  mad_wait<0, kOne, 2, 0>();
  everywhere();
  where<5, kLess>();
  load_bits<2, bits(3.14159274f)>();
  negate<0, 0>();
  mad_wait<0, kOne, 2, 0>();
  everywhere();
  take_magnitude<0, 7>();
  mov<7, 0>();
}

/// LReg kR = LReg kX's bits minus those of infinity, which is above zero only for NaN.
template <Word kX, Word kR>
inline void above_infinity() {
  absolute<kX, kX>();
  loadi<kR, kBf16, 0x7F80>();
  op<t::encode_sfpiadd(0, kX, kR, 2 | 4)>();
}
/// 1 where |x - y| <= absolute + relative |y| or both have the same bits, else 0. NaNs are equal
/// only with `kNansAreEqual`.
template <bool kNansAreEqual>
inline void near_program(Word relative_bits, Word absolute_bits) {
  absolute<1, 2>();
  variable<3>(relative_bits);
  variable<4>(absolute_bits);
  mad_wait<2, 3, 4, 4>();
  negate<1, 2>();
  mad_wait<0, kOne, 2, 5>();
  absolute<5, 2>();
  negate<2, 2>();
  mad_wait<4, kOne, 2, 4>();
  loadi<6, kBf16, 0>();
  loadi_where<4, kGreaterEqual, 6, kBf16, 0x3F80>();
  where_infinite<5, 2>();  // or NaN
  loadi<6, kBf16, 0>();
  everywhere();
  mov<0, 2>();
  op<t::encode_sfpxor(1, 2)>();
  loadi_where<2, kEqual, 6, kBf16, 0x3F80>();
  above_infinity<0, 2>();
  above_infinity<1, 3>();
  if constexpr (kNansAreEqual) {
    where<2, kNotEqual>();
    where<2, kGreaterEqual>();
    where<3, kNotEqual>();
    loadi_where<3, kGreaterEqual, 6, kBf16, 0x3F80>();
  } else {
    where<2, kNotEqual>();
    loadi_where<2, kGreaterEqual, 6, kBf16, 0>();
  }
  mov<6, 0>();
}

}  // namespace tvp::llk::sfpu
