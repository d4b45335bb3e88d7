#pragma once

// Thread 1: functions of one tile or of two on the vector unit. Every program takes its operand
// from LReg 0 (and 1, 2) and leaves the result in LReg 0; the others are scratch. Programs are
// pushed for each vector, so they do not depend on the replay buffer.
//
// Polynomials minimize the largest relative error over their interval. They are weighted least
// squares fits in 30 digits, with the weights moved to where the error is largest, then rounded to
// FP32. Bounds at the programs are relative and for FP32 in Dst; BF16 adds its rounding, 2^-8. FP32
// values below 2^-126 are zero on this unit.

#include <utility>

#include "firmware/llk/sfpu/sfpu.h"

namespace tvp::llk::sfpu {

constexpr Word bits(float value) { return __builtin_bit_cast(Word, value); }

/// Loads a constant, in one instruction if BF16 holds it.
template <Word kD, Word kBits>
inline void constant() {
  if constexpr ((kBits & 0xFFFF) == 0) {
    loadi<kD, kBf16, (kBits >> 16)>();
  } else {
    load_bits<kD, kBits>();
  }
}
/// Loads a value that is known at run time.
template <Word kD>
inline void variable(Word value) {
  push(t::encode_sfploadi(kD, kUpper, value >> 16));
  push(t::encode_sfploadi(kD, kLower, value & 0xFFFF));
}
template <Word kA, Word kB, Word kC, Word kD>
inline void mad_wait() {
  mad<kA, kB, kC, kD>();
  nop();
}
template <Word kD, Word kBf16Value>
inline void add_constant() {
  op<t::encode_sfpaddi(kBf16Value, kD, 0)>();
  nop();
}
template <Word kD, Word kBf16Value>
inline void multiply_constant() {
  op<t::encode_sfpmuli(kBf16Value, kD, 0)>();
  nop();
}
template <Word kC, Word kD>
inline void absolute() {
  op<t::encode_sfpsetsgn(0, kC, kD, 1)>();
}
/// kD = kC's magnitude with the sign of kD.
template <Word kC, Word kD>
inline void take_magnitude() {
  op<t::encode_sfpsetsgn(0, kC, kD, 0)>();
}
/// Keeps the lanes whose exponent bits are all ones: infinities (and NaN).
template <Word kC, Word kScratch>
inline void where_infinite() {
  op<t::encode_sfpexexp(kC, kScratch, 1)>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-255), kScratch, kScratch, 1 | 8)>();
}

/// kR = c0 + kX (c1 + kX (c2 + …)).
template <Word kR, Word kX, Word kScratch, float... kCoefficients>
inline void polynomial() {
  constexpr unsigned kCount = sizeof...(kCoefficients);
  constexpr Word kBits[kCount] = {bits(kCoefficients)...};
  load_bits<kR, kBits[kCount - 1]>();
  [&]<unsigned... i>(std::integer_sequence<unsigned, i...>) {
    ((load_bits<kScratch, kBits[kCount - 2 - i]>(), mad<kR, kX, kScratch, kR>()), ...);
  }
  (std::make_integer_sequence<unsigned, kCount - 1>{});
  nop();
}

// ---- Programs ---------------------------------------------------------------------------------

/// e^x with the bounds of exp().
inline void exp_program() {
  exp<0, 1, 2, 3, 4, 5>();
  saturate_exp<0, 1, 2>();
  mov<1, 0>();
}
/// e^x - 1: below 2e-5. It is a polynomial where |x| < 1/2.
inline void expm1_program() {
  exp<0, 1, 2, 3, 4, 5>();
  saturate_exp<0, 1, 2>();
  add_constant<1, 0xBF80>();
  polynomial<2, 0, 3, 1.00000012f, 0.499999821f, 0.166659743f, 0.0416687056f, 0.00840768125f,
             0.00138886215f>();
  mad<2, 0, kZero, 2>();
  absolute<0, 3>();
  add_constant<3, 0xBF00>();
  mov_where<3, kLess, 2, 1>();
  mov<1, 0>();
}
/// 2^x through e^(x ln 2): the product's rounding adds |x| 2^-24.
inline void exp2_program() {
  constant<1, bits(0.693147181f)>();
  mad_wait<0, 1, kZero, 0>();
  exp_program();
}

/// kY = 1 / sqrt(x). The bits of the first approximation are the integer constant minus half of x's
/// bits, off by 3.5 % at most. Each Newton step y (1.5 - x y y / 2) turns an error e into 1.5 e^2:
/// 2^-17 after two, 2^-21 after three. Zero gives infinity, infinity zero, a negative x NaN.
template <Word kX, Word kY, Word kT, Word kHalf, Word kThreeHalves, unsigned kSteps = 3>
inline void reciprocal_root() {
  load_bits<kT, 0x5F3759DF>();
  mov<kX, kY>();
  op<t::encode_sfpshft(0xFFF, 0, kY, 1)>();
  op<t::encode_sfpiadd(0, kT, kY, 6)>();
  loadi<kHalf, kBf16, 0xBF00>();
  loadi<kThreeHalves, kBf16, 0x3FC0>();
  for (unsigned i = 0; i < kSteps; ++i) {
    mad_wait<kX, kY, kZero, kT>();
    mad_wait<kT, kY, kZero, kT>();
    mad_wait<kT, kHalf, kThreeHalves, kT>();
    mad_wait<kY, kT, kZero, kY>();
  }
}
/// Sets kY for negative numbers, but not for -0.
template <Word kX, Word kY, Word kT>
inline void undefined_below_zero() {
  mov<kX, kT>();
  op<t::encode_sfpshft(1, 0, kT, 1)>();
  where<kX, kLess>();
  loadi_where<kT, kNotEqual, kY, kBf16, 0x7FC0>();
}
/// Splits kX > 0 into kExponent (as a number) and kF: x = 2^exponent (1 + f), sqrt(1/2) <= 1 + f <=
/// sqrt 2.
template <Word kX, Word kExponent, Word kF, Word kScratch>
inline void split_exponent() {
  load_bits<kExponent, 0x3F800000u - 0x3F3504F3u>();
  op<t::encode_sfpiadd(0, kX, kExponent, 4)>();
  op<t::encode_sfpshft(0xFFF & static_cast<Word>(-23), 0, kExponent, 1)>();
  mov<kExponent, kScratch>();
  op<t::encode_sfpshft(23, 0, kScratch, 1)>();
  mov<kScratch, kF>();
  op<t::encode_sfpiadd(0, kX, kF, 6)>();
  load_bits<kScratch, 0x3F800000>();
  op<t::encode_sfpiadd(0, kScratch, kF, 4)>();
  op<t::encode_sfpcast(kExponent, kExponent, 0)>();
  op<t::encode_sfpaddi(0xC2FE, kExponent, 0)>();  // -127
  add_constant<kF, 0xBF80>();
}
/// ln(1 + f) = f P(f): 2^-22; with the exponent's part below 1e-6. The result is in LReg 1, from
/// the exponent in 1 and f in 2.
inline void logarithm_of_parts() {
  polynomial<3, 2, 4, 0.99999994f, -0.500003636f, 0.333350539f, -0.249698907f, 0.199003488f,
             -0.172512606f, 0.162212506f, -0.101038054f>();
  mad_wait<3, 2, kZero, 3>();
  load_bits<4, bits(0.693147181f)>();
  mad_wait<1, 4, 3, 1>();
}
/// Sets the logarithm of special values: -infinity for zero, infinity for infinity, NaN for
/// negative numbers. The argument is in kX, the result in kY.
template <Word kX, Word kY, Word kT>
inline void limits_of_logarithm() {
  where_infinite<kX, kT>();
  mov<kX, kY>();
  everywhere();
  op<t::encode_sfpexexp(kX, kT, 1)>();
  loadi_where<kT, kEqual, kY, kBf16, 0xFF80>();
  undefined_below_zero<kX, kY, kT>();
}
inline void log_program() {
  split_exponent<0, 1, 2, 3>();
  logarithm_of_parts();
  limits_of_logarithm<0, 1, 2>();
  mov<1, 0>();
}
/// Logarithm to another base: `kFactor` is 1 / ln(base).
template <Word kFactor>
inline void log_with_base_program() {
  log_program();
  load_bits<1, kFactor>();
  mad_wait<0, 1, kZero, 0>();
}
/// ln(1 + x). Where 1 + x needs no exponent, f is x, so small x lose no precision.
inline void log1p_program() {
  mov<0, 5>();
  mad_wait<kOne, 0, kOne, 0>();
  split_exponent<0, 1, 2, 3>();
  mov_where<1, kEqual, 5, 2>();
  logarithm_of_parts();
  limits_of_logarithm<0, 1, 2>();
  mov<1, 0>();
}

/// kR = 1 / (1 + e^-kX), below 3e-5.
template <Word kX, Word kR>
inline void sigmoid() {
  static_assert(kX == 0 && kR == 1);
  negate<0, 2>();
  exp<2, 1, 3, 4, 5, 6>();
  saturate_exp<2, 1, 3>();
  mad_wait<1, kOne, kOne, 2>();
  reciprocal<0x7F80, 2, 1, 3, 4, 5, 2>();
}
inline void sigmoid_program() {
  sigmoid<0, 1>();
  mov<1, 0>();
}
inline void silu_program() {
  sigmoid<0, 1>();
  mad_wait<0, 1, kZero, 0>();
}
/// (1 - e) / (1 + e) with e = e^(-2 |x|), and an odd polynomial where |x| < 1/2: below 5e-5.
inline void tanh_program() {
  absolute<0, 1>();
  multiply_constant<1, 0xC000>();
  exp<1, 2, 3, 4, 5, 6>();
  loadi<3, kBf16, 0xBF80>();
  mad<2, 3, kOne, 1>();
  mad_wait<2, kOne, kOne, 2>();
  reciprocal<0x7F80, 2, 3, 4, 5, 6, 2>();
  mad_wait<1, 3, kZero, 1>();
  mov<0, 5>();
  take_magnitude<1, 5>();
  mad_wait<0, 0, kZero, 4>();
  polynomial<2, 4, 3, 0.99997741f, -0.331691295f, 0.115208909f>();
  mad_wait<2, 0, kZero, 2>();
  absolute<0, 1>();
  add_constant<1, 0xBF00>();
  mov_where<1, kLess, 2, 5>();
  mov<5, 0>();
}
/// LReg 2 = normal distribution function of x in LReg 0, LReg kKept = e^(-x x / 2). q = erfc(|x| /
/// sqrt 2) / 2 = t P(t) e^(-x x / 2) with t = 1 / (1 + 0.4 |x| / sqrt 2). P has an error of 1.1e-5
/// for |x| < 9.9. The result is below 1e-4 for |x| < 9.
template <Word kKept = 3>
inline void normal_distribution() {
  mad<0, 0, kZero, 1>();
  absolute<0, 2>();
  multiply_constant<1, 0xBF00>();
  exp<1, 3, 4, 5, 6, 7>();
  if constexpr (kKept != 3) mov<3, kKept>();
  load_bits<4, bits(0.282842712f)>();
  mad_wait<2, 4, kOne, 2>();
  reciprocal<0x7F80, 2, 1, 4, 5, 6, 2>();
  polynomial<2, 1, 4, 0.228287458f, 0.193746373f, 0.362011194f, -0.201538518f, 0.579001188f,
             -0.161496982f>();
  mad_wait<2, 1, kZero, 2>();
  mad_wait<2, 3, kZero, 2>();
  multiply_constant<2, 0x3F00>();
  where<0, kGreaterEqual>();
  loadi<3, kBf16, 0xBF80>();
  mad<2, 3, kOne, 2>();
  nop();
  everywhere();
}
/// x times the normal distribution function.
inline void gelu_program() {
  normal_distribution();
  mad_wait<0, 2, kZero, 0>();
}

inline void abs_program() { absolute<0, 0>(); }
/// -1, 0 or 1.
inline constexpr unsigned kSignLength = 5;
inline void sign_program() {
  op<t::encode_sfplz(0, 1, 2 | 4)>();  // where it is not zero
  take_magnitude<kOne, 0>();
  op<t::encode_sfpcompc(0)>();
  loadi<0, kBf16, 0>();
  everywhere();
}

/// Largest whole number that is not above x. For |x| < 2^22 it adds and subtracts 1.5 * 2^23.
/// Larger numbers are whole or, from 2^22 to 2^23, stay unchanged.
inline void floor_program() {
  mov<0, 1>();
  mad_wait<0, kOne, kRoundMagic, 1>();
  add_constant<1, kMinusMagic>();
  loadi<3, kBf16, 0xBF80>();
  mad_wait<1, 3, 0, 2>();  // x - nearest
  where<2, kLess>();
  op<t::encode_sfpaddi(0xBF80, 1, 0)>();
  nop();
  everywhere();
  op<t::encode_sfpexexp(0, 2, 0)>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-22), 2, 2, 1)>();  // lanes below 2^22
  mov<1, 0>();
  everywhere();
}
inline void trunc_program() {
  mov<0, 4>();
  absolute<0, 0>();
  floor_program();
  take_magnitude<0, 4>();
  mov<4, 0>();
}
/// LReg 0 = f = x - (k + half) pi with |f| <= pi/2. LReg 2's sign bit is k's parity. pi has three
/// parts whose products with k < 2^13 are exact or lost below 2^-24: absolute error 2^-21 (1 + |x|
/// 2^-10).
template <bool kHalf>
inline void reduce_by_pi() {
  load_bits<1, bits(0.318309886f)>();
  if constexpr (kHalf) {
    loadi<3, kBf16, 0xBF00>();
    mad_wait<0, 1, 3, 1>();
    mad_wait<1, kOne, kRoundMagic, 1>();
  } else {
    mad_wait<0, 1, kRoundMagic, 1>();
  }
  mov<1, 2>();
  op<t::encode_sfpshft(31, 0, 2, 1)>();
  add_constant<1, kMinusMagic>();
  if constexpr (kHalf) add_constant<1, 0x3F00>();
  load_bits<3, bits(-3.140625f)>();
  mad<1, 3, 0, 0>();
  load_bits<3, bits(-9.675025939941406e-4f)>();
  mad<1, 3, 0, 0>();
  load_bits<3, bits(-1.5099580252808664e-7f)>();
  mad_wait<1, 3, 0, 0>();
}
/// sin f by an odd polynomial (relative error 2^-25), with the sign of LReg 2's top bit.
template <bool kNegate>
inline void sine_of_reduced() {
  mad_wait<0, 0, kZero, 1>();
  polynomial<3, 1, 4, 1.0f, -0.166666567f, 0.0083330255f, -0.000198074122f, 2.60188699e-06f>();
  mad_wait<3, 0, kZero, 0>();
  op<t::encode_sfpxor(2, 0)>();
  if constexpr (kNegate) negate<0, 0>();
}
inline void sin_program() {
  reduce_by_pi<false>();
  sine_of_reduced<false>();
}
inline void cos_program() {
  reduce_by_pi<true>();
  sine_of_reduced<true>();
}

enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kGreaterEqual, kGreater, kLessEqual };

// ---- Two operands: LReg 0 and 1 ---------------------------------------------------------------

enum class Binary : uint8_t { kAdd, kSubtract, kReverseSubtract, kMultiply, kDivide };

template <Binary kOp>
inline void binary_program() {
  if constexpr (kOp == Binary::kAdd) mad_wait<0, kOne, 1, 0>();
  if constexpr (kOp == Binary::kSubtract || kOp == Binary::kReverseSubtract) {
    loadi<2, kBf16, 0xBF80>();
    if constexpr (kOp == Binary::kSubtract) mad_wait<1, 2, 0, 0>();
    if constexpr (kOp == Binary::kReverseSubtract) mad_wait<0, 2, 1, 0>();
  }
  if constexpr (kOp == Binary::kMultiply) mad_wait<0, 1, kZero, 0>();
  if constexpr (kOp == Binary::kDivide) {  // 2^-21; by zero: infinity with the sign of the dividend
    reciprocal<0x7F80, 1, 2, 3, 4, 5>();
    mad_wait<0, 2, kZero, 0>();
  }
}

// ---- Running them over tiles ------------------------------------------------------------------

/// The recorded form of over_tile().
template <typename Program>
inline void each_vector(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                        Program program, unsigned one = kVectorsOfOne) {
  begin(half, tile);
  over_faces(shape, mode, one, [&](unsigned vectors) {
    for (unsigned i = 0; i < vectors; ++i) program();
  });
  end();
}

template <bool kFp32, typename Program>
inline void unary(const DstHalf& half, unsigned tile, TileShape shape, VectorMode mode,
                  Program program, unsigned one = kVectorsOfOne) {
  each_vector(
      half, tile, shape, mode,
      [&] {
        load_dst<0, kFp32, 0>();
        program();
        round_for_dst<0, kFp32>();
        store_dst<0, kFp32, 0, kNextVector>();
      },
      one);
}

/// Runs a program on tiles a and b of this half of Dst, in LReg 0 and 1.
template <bool kFp32, typename Program>
inline void binary(const DstHalf& half, unsigned a, unsigned b, unsigned out, TileShape shape,
                   VectorMode mode, Program program) {
  const Word fmt = dst_mode(kFp32);
  each_vector(half, 0, shape, mode, [&] {
    push(t::encode_sfpload(0, fmt, kStay, a * kDstTileRows));
    push(t::encode_sfpload(1, fmt, kStay, b * kDstTileRows));
    program();
    round_for_dst<0, kFp32>();
    push(t::encode_sfpstore(0, fmt, kNextVector, out * kDstTileRows));
  });
}
/// Runs a program with a third tile in LReg 2.
template <bool kFp32, typename Program>
inline void ternary(const DstHalf& half, unsigned a, unsigned b, unsigned c, unsigned out,
                    TileShape shape, VectorMode mode, Program program) {
  const Word fmt = dst_mode(kFp32);
  each_vector(half, 0, shape, mode, [&] {
    push(t::encode_sfpload(0, fmt, kStay, a * kDstTileRows));
    push(t::encode_sfpload(1, fmt, kStay, b * kDstTileRows));
    push(t::encode_sfpload(2, fmt, kStay, c * kDstTileRows));
    program();
    round_for_dst<0, kFp32>();
    push(t::encode_sfpstore(0, fmt, kNextVector, out * kDstTileRows));
  });
}

}  // namespace tvp::llk::sfpu
