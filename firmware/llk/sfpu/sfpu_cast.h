#pragma once

// Thread 1: conversions between floats and integers on the vector unit, programs as in sfpu_math.h
// and sfpu_integer.h. Floats become integers without the fraction, clamped to the range.

#include "firmware/llk/sfpu/sfpu_integer.h"

namespace tvp::llk::sfpu {

/// kD = the float nearest to the 32-bit number in kD, ties to even. kT is scratch.
template <Word kD, Word kT>
inline void int32_to_float() {
  mov<kD, kT>();
  integer_absolute<kD, kD>();  // -2^31 stays, which is minus zero to the cast
  op<t::encode_sfpcast(kD, kD, 0)>();
  op<t::encode_sfpsetsgn(0, kD, kT, 0)>();
  mov<kT, kD>();
  absolute<kD, kT>();
  where<kD, kLess>();
  loadi_where<kT, kEqual, kD, kBf16, 0xCF00>();
}
/// From 2^31 on, half of the number is cast and doubled. Its lowest bit is set if either of the two
/// lowest bits was.
template <Word kD, Word kT, Word kX>
inline void uint32_to_float() {
  mov<kD, kX>();
  mov<kD, kT>();
  where<kX, kLess>();
  shift<right(1), kD>();
  shift<31, kT>();
  shift<right(31), kT>();
  bits_or<kT, kD>();
  everywhere();
  op<t::encode_sfpcast(kD, kD, 0)>();
  where<kX, kLess>();
  op<t::encode_sfpdivp2(1, kD, kD, 1)>();
  everywhere();
}

/// Magnitude of LReg kX below 2^32 to LReg kM; its exponent to LReg kE.
template <Word kX, Word kM, Word kE>
inline void whole_part() {
  op<t::encode_sfpexexp(kX, kE, 0)>();
  op<t::encode_sfpexman(kX, kM, 0)>();
  integer_add_constant<kE, -23>();
  op<t::encode_sfpshft(0, kE, kM, 0)>();
  integer_add_constant<kE, 23>();
  loadi_where<kE, kLess, kM, kBf16, 0>();
}
inline void float_to_int32_program() {
  whole_part<0, 1, 2>();
  integer_add_constant<2, -31>();
  where<2, kGreaterEqual>();
  load_bits<1, 0x7FFFFFFF>();
  everywhere();
  where<0, kLess>();
  integer_negate<1>();
  where<2, kGreaterEqual>();
  load_bits<1, 0x80000000>();
  everywhere();
  mov<1, 0>();
}
/// Clamps to kBits, 32 or 16.
template <unsigned kBits>
inline void float_to_unsigned_program() {
  whole_part<0, 1, 2>();
  integer_add_constant<2, -static_cast<int>(kBits)>();
  where<2, kGreaterEqual>();
  load_bits<1, (kBits == 32 ? 0xFFFFFFFFu : 0xFFFFu)>();
  everywhere();
  loadi_where<0, kLess, 1, kBf16, 0>();
  mov<1, 0>();
}
/// The whole number nearest to LReg 0 times LReg 1 plus a number, ties to even below 2^22.
inline void quantize_program(Word zero_point) {
  variable<2>(zero_point);
  mad_wait<0, 1, 2, 0>();
  mov<0, 4>();
  mad_wait<0, kOne, kRoundMagic, 0>();
  add_constant<0, kMinusMagic>();
  op<t::encode_sfpexexp(4, 2, 0)>();
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-22), 2, 2, 1 | 8)>();  // from 2^22 on
  mov<4, 0>();
  everywhere();
  float_to_int32_program();
}
/// Clamps to 0 to 65535.
inline void int32_to_uint16_program() { integer_clamp_program(0, 0xFFFF); }
inline void uint32_to_uint16_program() {
  mov<0, 1>();
  shift<right(16), 1>();
  where<1, kNotEqual>();
  load_bits<0, 0xFFFF>();
  everywhere();
}

}  // namespace tvp::llk::sfpu
