#pragma once

// Thread 1: derivatives of activation functions and the logarithm of the gamma function on the
// vector unit, programs as in sfpu_math.h. Bounds are for FP32 in Dst.

#include "firmware/llk/sfpu/sfpu_special.h"

namespace tvp::llk::sfpu {

/// 1 - tanh^2 x = 4 e / (1 + e)^2 with e = e^(-2 |x|): relative 5e-5 below |x| = 43.5, 0 beyond.
inline void tanh_derivative_program() {
  absolute<0, 1>();
  multiply_constant<1, 0xC000>();
  exp<1, 2, 3, 4, 5, 6>();
  mad_wait<2, kOne, kOne, 3>();
  reciprocal<0x7F80, 3, 1, 4, 5, 6>();
  mad_wait<1, 1, kZero, 1>();
  mad_wait<1, 2, kZero, 0>();
  multiply_constant<0, 0x4080>();
}

/// P(x) + x p(x) with the normal distribution's function P and density p, as in gelu_program():
/// 3e-5.
inline void gelu_derivative_program() {
  normal_distribution<7>();
  load_bits<4, bits(0.398942280f)>();
  mad_wait<7, 4, kZero, 3>();
  mad_wait<0, 3, 2, 0>();
}

/// x u (u + 2) / (u (u + 2) + 2) with u = e^x; x itself from 8 on: relative 4e-5.
inline void mish_program() {
  mov<0, 7>();
  exp<0, 1, 2, 3, 4, 5>();
  loadi<2, kBf16, 0x4000>();
  mad_wait<1, kOne, 2, 3>();
  mad_wait<1, 3, kZero, 3>();
  mad_wait<3, kOne, 2, 1>();
  reciprocal<0x7F80, 1, 2, 4, 5, 6>();
  mad_wait<3, 2, kZero, 3>();
  mad_wait<3, 7, kZero, 0>();
  mov<7, 1>();
  add_constant<1, 0xC100>();
  mov_where<1, kGreaterEqual, 7, 0>();
}

/// x + sin^2(alpha x) / beta, with x in LReg 0, alpha in 1 and beta in 2. The error is that of
/// sin_program() and of a reciprocal.
inline void snake_beta_program() {
  mov<0, 7>();
  mov<2, 6>();
  mad_wait<0, 1, kZero, 0>();
  sin_program();
  mad_wait<0, 0, kZero, 0>();
  reciprocal<0x7F80, 6, 1, 2, 3, 4>();
  mad_wait<0, 1, 7, 0>();
}

/// ln gamma(z) with z = x, or 1 - x where x < 1/2: 3e-6 absolute, 2e-6 relative; 0 for 1 and 2. It
/// is Stirling's series with three terms. Where z < 8 it takes z + 3 and subtracts the logarithm of
/// z (z + 1) (z + 2).
inline void log_gamma_program() {
  mov<0, 7>();
  mov<0, 1>();
  add_constant<1, 0xBF00>();
  where<1, kLess>();
  negate<0, 0>();
  mad_wait<0, kOne, kOne, 0>();
  everywhere();
  mov<kOne, 6>();
  mov<0, 1>();
  add_constant<1, 0xC100>();
  where<1, kLess>();
  mad_wait<0, kOne, kOne, 1>();
  mad_wait<0, 1, kZero, 6>();
  mad_wait<1, kOne, kOne, 2>();
  mad_wait<6, 2, kZero, 6>();
  mad_wait<2, kOne, kOne, 0>();
  everywhere();
  mov<0, 5>();
  mov<6, 0>();
  split_exponent<0, 1, 2, 3>();
  logarithm_of_parts();
  mov<1, 6>();
  mov<5, 0>();
  split_exponent<0, 1, 2, 3>();
  logarithm_of_parts();
  // (w - 1/2) ln w - w + ln sqrt(2 pi) - LReg 6, with w in LReg 5 and its logarithm in LReg 1.
  mov<5, 2>();
  add_constant<2, 0xBF00>();
  mad_wait<2, 1, kZero, 1>();
  negate<5, 2>();
  mad_wait<2, kOne, 1, 1>();
  load_bits<2, bits(0.918938533f)>();
  mad_wait<2, kOne, 1, 1>();
  negate<6, 6>();
  mad_wait<6, kOne, 1, 6>();
  reciprocal<0x7F80, 5, 1, 2, 3, 4>();
  mad_wait<1, 1, kZero, 5>();
  polynomial<2, 5, 3, 0.0833333333f, -0.00277777778f, 0.000793650794f>();
  mad_wait<2, 1, 6, 0>();
  mov<7, 1>();
  add_constant<1, 0xBF80>();
  loadi_where<1, kEqual, 0, kBf16, 0>();
  add_constant<1, 0xBF80>();
  loadi_where<1, kEqual, 0, kBf16, 0>();
  where_infinite<7, 1>();
  loadi<0, kBf16, 0x7F80>();
  everywhere();
}
/// Computes ln |gamma(x)| from the result of log_gamma_program() in LReg 0, ln |sin(pi x)| in LReg
/// 1 and x in LReg 2.
inline void reflect_log_gamma_program() {
  mov<2, 3>();
  add_constant<3, 0xBF00>();
  where<3, kLess>();
  negate<0, 0>();
  negate<1, 1>();
  mad_wait<0, kOne, 1, 0>();
  load_bits<4, bits(1.14472989f)>();
  mad_wait<0, kOne, 4, 0>();
  everywhere();
  where_infinite<2, 3>();
  loadi<0, kBf16, 0x7F80>();
  everywhere();
}

}  // namespace tvp::llk::sfpu
