#pragma once

// Thread 1: powers, roots and remainders on the vector unit, programs as in sfpu_math.h. Bounds are
// relative and for FP32 in Dst.

#include "firmware/llk/sfpu/sfpu_activation.h"

namespace tvp::llk::sfpu {

/// LReg 1 = 2^z of z in LReg 0: 2^-22 for an exact z; an error of z adds 0.7 times that error. 0
/// below -126, infinity from 128 on.
inline void two_to_the() {
  loadi<1, kBf16, 0x4300>();
  max_min<1, 0>();
  loadi<1, kBf16, 0xC2FE>();
  max_min<0, 1>();
  mad_wait<0, kOne, kRoundMagic, 2>();
  mov<2, 3>();
  add_constant<2, kMinusMagic>();
  negate<2, 2>();
  mad_wait<2, kOne, 0, 2>();
  polynomial<1, 2, 4, 1.0f, 0.693147182f, 0.240226462f, 0.0555032864f, 0.00961848814f,
             0.00133999309f, 0.000153459143f>();
  op<t::encode_sfpshft(23, 0, 3, 1)>();
  op<t::encode_sfpiadd(0, 3, 1, 4)>();
  mov<0, 2>();
  add_constant<2, 0x42FC>();  // z + 126
  loadi_where<2, kLess, 1, kBf16, 0>();
  mov<0, 2>();
  add_constant<2, 0xC300>();  // z - 128
  loadi_where<2, kGreaterEqual, 1, kBf16, 0x7F80>();
}

/// LReg 0 to the power of LReg 1 by y log2|x|: 2^-21 and |y log2 x| 2^-23. A negative x gives a
/// sign for a whole y below 2^22 and NaN for other y. Anything to the power of zero is one.
inline void power_program() {
  mov<1, 6>();
  mov<0, 7>();
  absolute<0, 0>();
  split_exponent<0, 1, 2, 3>();
  polynomial<3, 2, 4, 1.44269502f, -0.721347332f, 0.480910629f, -0.360703617f, 0.287916273f,
             -0.238946527f, 0.215717196f, -0.207258463f, 0.125818476f>();
  mad_wait<3, 2, 1, 1>();
  where_infinite<0, 2>();
  mov<0, 1>();
  everywhere();
  op<t::encode_sfpexexp(0, 2, 1)>();
  loadi_where<2, kEqual, 1, kBf16, 0xFF80>();
  mad_wait<1, 6, kZero, 0>();
  two_to_the();
  where<7, kLess>();
  mad_wait<6, kOne, kRoundMagic, 2>();
  mov<2, 3>();
  op<t::encode_sfpshft(31, 0, 3, 1)>();
  op<t::encode_sfpxor(3, 1)>();
  add_constant<2, kMinusMagic>();
  op<t::encode_sfpxor(6, 2)>();
  loadi_where<2, kNotEqual, 1, kBf16, 0x7FC0>();
  absolute<6, 2>();
  loadi_where<2, kEqual, 1, kBf16, 0x3F80>();
  mov<1, 0>();
}

/// Cube root of the magnitude: 2^-21. The first guess of x^(-1/3) is a constant minus a third of
/// x's bits, as a number in steps of 256. It is off by 3.5 % at most. Each step r (4 - x r^3) / 3
/// turns an error e into 2 e^2.
inline void cbrt_program() {
  absolute<0, 6>();
  op<t::encode_sfpcast(6, 1, 0)>();
  load_bits<2, bits(-1.0f / 768)>();
  load_bits<3, bits(8388608.0f + 5546746.0f)>();  // 2^23 + 0x54A2FA00 / 256
  mad_wait<1, 2, 3, 1>();
  op<t::encode_sfpexman(1, 1, 1)>();
  op<t::encode_sfpshft(8, 0, 1, 1)>();
  load_bits<3, bits(-0.333333343f)>();
  load_bits<4, bits(1.33333337f)>();
  for (unsigned i = 0; i < 3; ++i) {
    mad_wait<6, 1, kZero, 2>();
    mad_wait<2, 1, kZero, 2>();
    mad_wait<2, 1, kZero, 2>();
    mad_wait<2, 3, 4, 2>();
    mad_wait<1, 2, kZero, 1>();
  }
  mad_wait<6, 1, kZero, 0>();
  mad_wait<0, 1, kZero, 0>();
  where_infinite<6, 1>();
  mov<6, 0>();
  everywhere();
}

/// LReg 0 = |x| mod |v|, with |x|, |v| and 1 / |v| in LRegs 5, 6 and 1. Exact where |x / v| < 2^22.
inline void modulo_by_reciprocal() {
  mad_wait<5, 1, kZero, 0>();
  floor_program();
  negate<0, 0>();
  mad_wait<0, 6, 5, 0>();
  where<0, kLess>();  // the quotient was one too large
  mad_wait<0, kOne, 6, 0>();
  everywhere();
  negate<6, 1>();
  mad_wait<0, kOne, 1, 1>();
  where<1, kGreaterEqual>();  // or one too small
  mov<1, 0>();
  everywhere();
}
/// Reduces the magnitude of x in LReg 0. The sign stays in LReg 7; LReg 6 then has |v|.
inline void magnitude_modulo(Word value, Word reciprocal) {
  mov<0, 7>();
  absolute<0, 5>();
  variable<6>(value & 0x7FFFFFFFu);
  variable<1>(reciprocal & 0x7FFFFFFFu);
  modulo_by_reciprocal();
}
/// x - v trunc(x / v), with the sign of x.
inline void fmod_program(Word value, Word reciprocal) {
  magnitude_modulo(value, reciprocal);
  take_magnitude<0, 7>();
  mov<7, 0>();
}
/// x - v floor(x / v), with the sign of v.
inline void remainder_program(Word value, Word reciprocal) {
  magnitude_modulo(value, reciprocal);
  const bool negative = (value >> 31) != 0;
  if (negative) negate<7, 7>();
  absolute<0, 1>();
  where<7, kLess>();  // signs differ
  where<1, kNotEqual>();
  negate<0, 0>();
  mad_wait<0, kOne, 6, 0>();
  everywhere();
  if (negative) {
    negate<0, 0>();
    loadi_where<1, kEqual, 0, kBf16, 0>();
  }
}

/// x log y, or 0 where x is 0, with x in LReg 0 and y in LReg 1.
inline void xlogy_program() {
  mov<0, 6>();
  mov<1, 0>();
  log_program();
  mad_wait<0, 6, kZero, 0>();
  absolute<6, 1>();
  loadi_where<1, kEqual, 0, kBf16, 0>();
}

/// Rounds to the nearest multiple of 1 / scale, ties to an even last digit, where |x scale| < 2^22.
/// Others stay unchanged.
inline void round_program(Word scale, Word scale_reciprocal) {
  mov<0, 5>();
  multiply_by<0, 1>(scale);
  mov<0, 4>();
  mad_wait<0, kOne, kRoundMagic, 0>();
  add_constant<0, kMinusMagic>();
  multiply_by<0, 1>(scale_reciprocal);
  op<t::encode_sfpexexp(4, 2, 0)>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-22), 2, 2, 1 | 8)>();  // from 2^22 on
  mov<5, 0>();
  everywhere();
  take_magnitude<0, 5>();
  mov<5, 0>();
}

}  // namespace tvp::llk::sfpu
