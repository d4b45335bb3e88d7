#pragma once

// Thread 1: activation functions on the vector unit, programs as in sfpu_math.h. Parameters are the
// bits of FP32 numbers. Bounds are relative and for FP32 in Dst. NaN counts as larger than
// infinity.

#include "firmware/llk/sfpu/sfpu_math.h"

namespace tvp::llk::sfpu {

/// max(kD, 0) and min(kD, 1).
template <Word kD>
inline void not_below_zero() {
  max_min<kD, kZero>();
}
template <Word kD>
inline void not_above_one() {
  max_min<kOne, kD>();
}
/// Multiplies kD by, or adds to it, a number that is known at run time.
template <Word kD, Word kScratch>
inline void multiply_by(Word value) {
  variable<kScratch>(value);
  mad_wait<kD, kScratch, kZero, kD>();
}
template <Word kD, Word kScratch>
inline void add_number(Word value) {
  variable<kScratch>(value);
  mad_wait<kD, kOne, kScratch, kD>();
}

/// alpha (e^x - 1) below zero, x elsewhere: 3e-5.
inline void elu_program(Word alpha) {
  mov<0, 6>();
  expm1_program();
  multiply_by<0, 1>(alpha);
  mov_where<6, kGreaterEqual, 6, 0>();
}
inline void selu_program(Word scale, Word alpha) {
  elu_program(alpha);
  multiply_by<0, 1>(scale);
}
/// alpha (e^(x / alpha) - 1) below zero, x elsewhere. The error is 3e-5 plus the error of x /
/// alpha, |x / alpha| 2^-23.
inline void celu_program(Word alpha, Word alpha_reciprocal) {
  mov<0, 6>();
  multiply_by<0, 1>(alpha_reciprocal);
  expm1_program();
  multiply_by<0, 1>(alpha);
  mov_where<6, kGreaterEqual, 6, 0>();
}
/// ln(1 + e^(beta x)) / beta. The error is 2e-5 plus |beta x| 2^-23. The result is x where beta x
/// is above the threshold, and 0 where beta x is below -87.
inline void softplus_program(Word beta, Word beta_reciprocal, Word threshold) {
  mov<0, 6>();
  multiply_by<0, 1>(beta);
  mov<0, 7>();
  exp_program();
  log1p_program();
  multiply_by<0, 1>(beta_reciprocal);
  variable<1>(threshold);
  mov<7, 2>();
  max_min<1, 2>();  // LReg 2 is the smaller
  op<t::encode_sfpxor(7, 2)>();
  mov_where<2, kNotEqual, 6, 0>();
}
/// -ln(1 + e^-x), with x in LReg 0 and e^-x in LReg 1. The logarithm has an error of 2e-6. Below
/// -80 the result is x, because e^-x would soon be infinite.
inline void logsigmoid_program() {
  mov<0, 6>();
  mov<1, 0>();
  log1p_program();
  negate<0, 0>();
  mov<6, 1>();
  add_constant<1, 0x42A0>();  // x + 80
  mov_where<1, kLess, 6, 0>();
}
/// min(max(x / 6 + 1/2, 0), 1).
inline void hardsigmoid_program() {
  load_bits<1, bits(0.166666672f)>();
  loadi<2, kBf16, 0x3F00>();
  mad_wait<0, 1, 2, 0>();
  not_below_zero<0>();
  not_above_one<0>();
}
/// x min(max(x + 2.8, 0), 5) / 5.
inline void hardmish_program() {
  mov<0, 1>();
  load_bits<2, bits(2.8f)>();
  mad_wait<1, kOne, 2, 1>();
  not_below_zero<1>();
  loadi<2, kBf16, 0x40A0>();
  max_min<2, 1>();
  load_bits<2, bits(0.2f)>();
  mad_wait<1, 2, kZero, 1>();
  mad_wait<0, 1, kZero, 0>();
}
/// x / (1 + |x|): 2^-21. Beyond 2^120 the result is that of 2^120.
inline void softsign_program() {
  absolute<0, 1>();
  loadi<2, kBf16, 0x7B80>();
  max_min<2, 1>();
  mov<0, 6>();
  take_magnitude<1, 6>();
  mad_wait<1, kOne, kOne, 2>();
  reciprocal<0x7F80, 2, 1, 3, 4, 5>();
  mad_wait<6, 1, kZero, 0>();
}
/// x - lambda above lambda, x + lambda below -lambda, 0 between.
inline void softshrink_program(Word lambda) {
  variable<1>(lambda);
  absolute<0, 2>();
  negate<1, 1>();
  mad_wait<2, kOne, 1, 2>();  // |x| - lambda
  not_below_zero<2>();
  mov<0, 3>();
  take_magnitude<2, 3>();
  mov<3, 0>();
  loadi_where<2, kEqual, 0, kBf16, 0>();
}
/// x above lambda and below -lambda, else 0.
inline void hardshrink_program(Word lambda) {
  variable<1>(lambda);
  absolute<0, 2>();
  mad_wait<2, kMinusOne, 1, 2>();  // lambda - |x|
  loadi_where<2, kGreaterEqual, 0, kBf16, 0>();
}
/// The larger of x and low, then the smaller of that and high.
inline void clamp_program(Word low, Word high) {
  variable<1>(low);
  max_min<0, 1>();
  variable<1>(high);
  max_min<1, 0>();
}
/// x above the threshold, else the value.
inline void threshold_program(Word threshold, Word value) {
  variable<1>(threshold);
  mov<0, 2>();
  max_min<2, 1>();  // LReg 1 is the smaller: x itself unless x is larger
  op<t::encode_sfpxor(0, 1)>();
  where<1, kEqual>();
  variable<0>(value);
  everywhere();
}
/// 0 below zero, 1 above, the value at zero.
inline void heaviside_program(Word value) {
  absolute<0, 1>();
  mov<kOne, 2>();
  loadi_where<0, kLess, 2, kBf16, 0>();
  where<1, kEqual>();
  variable<2>(value);
  everywhere();
  mov<2, 0>();
}

/// x - tanh x. Where |x| < 2 it is an odd polynomial, so that nothing cancels: 2e-5. Above, the
/// error is 6e-5.
inline void tanhshrink_program() {
  mov<0, 7>();
  tanh_program();
  mad_wait<0, kMinusOne, 7, 6>();
  mad_wait<7, 7, kZero, 1>();
  polynomial<2, 1, 3, 0.333326967f, -0.133126715f, 0.0528120737f, -0.0192540716f, 0.00569320081f,
             -0.00118132288f, 0.000145910012f, -7.90349091e-06f>();
  mad_wait<2, 1, kZero, 2>();
  mad_wait<2, 7, kZero, 2>();
  absolute<7, 1>();
  add_constant<1, 0xC000>();
  mov_where<1, kLess, 2, 6>();
  mov<6, 0>();
}
/// limit tanh(x / limit), from the limit and its reciprocal: 5e-5.
inline void soft_clamp_program(Word limit, Word reciprocal) {
  variable<1>(reciprocal);
  mad_wait<0, 1, kZero, 0>();
  tanh_program();
  variable<1>(limit);
  mad_wait<0, 1, kZero, 0>();
}
/// soft_clamp_program() times sigmoid(x): 8e-5.
inline void situ_gate_program(Word limit, Word reciprocal) {
  sigmoid<0, 1>();
  mov<1, 7>();
  soft_clamp_program(limit, reciprocal);
  mad_wait<0, 7, kZero, 0>();
}
/// x / 2 + above x^2 where x > 0, else x / 2 + below (e^x - 1 - x).
inline void xielu_program(Word above, Word below) {
  mov<0, 6>();
  expm1_program();
  mad_wait<6, kMinusOne, 0, 0>();
  variable<1>(below);
  mad_wait<0, 1, kZero, 0>();
  mad_wait<6, 6, kZero, 2>();
  variable<1>(above);
  mad_wait<2, 1, kZero, 2>();
  mov_where<6, kGreaterEqual, 2, 0>();
  loadi<1, kBf16, 0x3F00>();
  mad_wait<6, 1, 0, 0>();
}
/// ln(x / (1 - x)): 3e-6 absolute; infinite at 0 and 1, NaN outside.
inline void logit_program() {
  mad_wait<0, kMinusOne, kOne, 5>();
  reciprocal<0x7F80, 5, 1, 2, 3, 4>();
  mad_wait<0, 1, kZero, 0>();
  log_program();
}

}  // namespace tvp::llk::sfpu
