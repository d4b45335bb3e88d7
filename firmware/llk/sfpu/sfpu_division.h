#pragma once

// Thread 1: division of integers of 32 bits on the vector unit, bit by bit, programs as in
// sfpu_integer.h. Division by zero gives a quotient of -1 and the dividend as the remainder.

#include "firmware/llk/sfpu/sfpu_integer.h"

namespace tvp::llk::sfpu {

/// Divides magnitudes up to 2^31 in LReg 0 and 1. The quotient is in LReg 0, the remainder in
/// LReg 2, and LReg 3 is scratch. A step shifts the next bit of the dividend into the remainder,
/// and the next bit of the quotient into the place that the dividend has freed.
inline void divide_magnitudes() {
  loadi<2, kBf16, 0>();
  for (unsigned i = 0; i < 32; ++i) {
    mov<0, 3>();
    shift<right(31), 3>();
    shift<1, 2>();
    bits_or<3, 2>();
    shift<1, 0>();
    mov<1, 3>();
    op<t::encode_sfpiadd(0, 2, 3, 2 | 8)>();  // LReg 3 = LReg 2 - LReg 3, where not negative:
    mov<3, 2>();
    integer_add_constant<0, 1>();
    everywhere();
  }
}

enum class Division : uint8_t {
  kTruncated,           ///< quotient
  kFloored,             ///< quotient
  kTruncatedRemainder,  ///< with the sign of the dividend
  kFlooredRemainder,    ///< with the sign of the divisor
};

template <Division kOp>
inline void integer_divide_program() {
  constexpr bool kQuotient = kOp == Division::kTruncated || kOp == Division::kFloored;
  mov<0, 4>();
  mov<1, 5>();
  integer_absolute<0, 0>();
  integer_absolute<1, 1>();
  divide_magnitudes();
  mov<4, 6>();
  bits_xor<5, 6>();
  if constexpr (kQuotient) {
    if constexpr (kOp == Division::kFloored) {
      where<6, kLess>();
      where<2, kNotEqual>();
      integer_add_constant<0, 1>();
      everywhere();
    }
    where<6, kLess>();
    integer_negate<0>();
    everywhere();
    where<5, kEqual>();
    load_bits<0, 0xFFFFFFFF>();
    everywhere();
  } else {
    if constexpr (kOp == Division::kFlooredRemainder) {
      where<6, kLess>();
      where<2, kNotEqual>();
      integer_subtract<1, 2>();  // |divisor| - remainder
      everywhere();
    }
    mov<2, 0>();
    where<kOp == Division::kFlooredRemainder ? 5 : 4, kLess>();
    integer_negate<0>();
    everywhere();
  }
}

/// LReg 0 = greatest common divisor of the magnitudes in LReg 0 and 1, by Stein's algorithm. It
/// replaces two odd numbers by the smaller one and half of their difference without its factors of
/// two. Each step removes a bit from their product.
inline void gcd_program() {
  // LReg kT = number of zeros below the lowest set bit of kX, -1 for zero.
  const auto trailing_zeros = []<Word kX, Word kT>() {
    mov<kX, kT>();
    integer_negate<kT>();
    bits_and<kX, kT>();
    op<t::encode_sfplz(kT, kT, 0)>();
    op<t::encode_sfpnot(kT, kT)>();
    op<t::encode_sfpiadd(32, kT, kT, 1 | 4)>();  // 31 - leading zeros
  };
  // Removes the factors of two from kX, which may be zero.
  const auto make_odd = [&]<Word kX, Word kT>() {
    trailing_zeros.template operator()<kX, kT>();
    integer_negate<kT>();
    op<t::encode_sfpshft(0, kT, kX, 0)>();
  };
  integer_absolute<0, 0>();
  integer_absolute<1, 1>();
  mov<0, 2>();
  bits_or<1, 2>();
  trailing_zeros.template operator()<2, 3>();
  mov<3, 4>();  // common factors of two
  // If one number is zero, it takes the value of the other.
  mov_where<0, kEqual, 1, 0>();
  mov_where<1, kEqual, 0, 1>();
  make_odd.template operator()<0, 3>();
  make_odd.template operator()<1, 3>();
  for (unsigned i = 0; i < 62; ++i) {
    mov<1, 2>();
    integer_subtract<0, 2>();  // a - b
    mov_where<2, kGreaterEqual, 1, 0>();
    integer_absolute<2, 1>();
    mov_where<1, kEqual, 0, 1>();
    make_odd.template operator()<1, 3>();
  }
  op<t::encode_sfpshft(0, 4, 0, 0)>();
}

/// |a b| / gcd(a, b), or 0 where one is zero.
inline void lcm_program() {
  mov<0, 5>();
  mov<1, 6>();
  gcd_program();
  mov<0, 1>();
  integer_absolute<5, 0>();
  divide_magnitudes();
  integer_absolute<6, 1>();
  integer_multiply();
}

}  // namespace tvp::llk::sfpu
