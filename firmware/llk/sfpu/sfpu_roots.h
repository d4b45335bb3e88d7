#pragma once

// Thread 1: square roots and their reciprocals of one tile, recorded and replayed (sfpu_replay.h).

#include "firmware/llk/sfpu/sfpu_bf16.h"

namespace tvp::llk::sfpu {

/// x^(-1/2): 2^-15, by the first guess y of reciprocal_root() and a parabola of x y y. LReg 1 = y,
/// LReg 2 = x y and LReg 3 = x y y. FP32 takes another Newton step: 2^-22.
template <bool kFp32>
struct Root {
  static void prepare() {
    load_bits<4, 0x5F3759DF>();
    load_bits<5, 0x3EC01611>();
    load_bits<6, 0xBFA02F5B>();
    load_bits<7, 0x3FF029DC>();
  }
  /// Takes 8 instructions.
  static void guess() {
    load_dst<0, kFp32, 0>();
    load_dst<1, kFp32, 0>();
    op<t::encode_sfpshft(0xFFF, 0, 1, 1)>();
    op<t::encode_sfpiadd(0, 4, 1, 2 | 4)>();
    mad_wait<0, 1, kZero, 2>();
    mad_wait<2, 1, kZero, 3>();
  }
  /// LReg 1 = x^(-1/2). Takes 14 instructions with those above.
  static void refine() {
    mad_wait<3, 5, 6, 2>();
    mad_wait<2, 3, 7, 2>();
    mad_wait<1, 2, kZero, 1>();
  }
  static void store() {
    round_for_dst<1, kFp32>();
    store_dst<1, kFp32, 0, kNextVector>();
  }
};

template <bool kFp32>
struct Sqrt : Root<kFp32> {
  static constexpr unsigned kHead = 14, kTail = kFp32 ? 16 : 5;
  static void head() {
    Root<kFp32>::guess();
    if constexpr (kFp32) {
      Root<kFp32>::refine();
    } else {
      mad_wait<3, 5, 6, 1>();
      mad_wait<1, 3, 7, 1>();
      mad<2, 1, kZero, 1>();
      where_not_zero<0, 3>();
    }
  }
  static void tail() {
    if constexpr (kFp32) {
      // With s = x y: s - s (s y - 1) / 2, or infinity for infinity.
      mad_wait<0, 1, kZero, 2>();
      mad<2, 1, kMinusOne, 3>();
      mov<2, 1>();
      op<t::encode_sfpmuli(0xBF00, 1, 0)>();
      nop();
      mad<3, 1, 2, 1>();
      where_infinite<0, 3>();
      mov<0, 1>();
      everywhere();
      where_not_zero<0, 3>();
    }
    loadi_where<0, kLess, 1, kBf16, 0x7FC0>();
    Root<kFp32>::store();
  }
};

template <bool kFp32>
struct Rsqrt : Root<kFp32> {
  static constexpr unsigned kHead = kFp32 ? 14 : 16, kTail = kFp32 ? 18 : 8;
  static void head() {
    Root<kFp32>::guess();
    if constexpr (kFp32) {
      Root<kFp32>::refine();
    } else {
      mad_wait<3, 5, 6, 2>();
      mad<2, 3, 7, 2>();
      op<t::encode_sfpexexp(0, 3, 1)>();
      mad<1, 2, kZero, 1>();
      none_of_infinity();
    }
  }
  static void tail() {
    if constexpr (kFp32) {
      // y - y (x y y - 1) / 2
      mad_wait<0, 1, kZero, 2>();
      mad<2, 1, kMinusOne, 3>();
      mov<1, 2>();
      op<t::encode_sfpmuli(0xBF00, 2, 0)>();
      nop();
      mad<3, 2, 1, 1>();
      op<t::encode_sfpexexp(0, 3, 1)>();
      none_of_infinity();
    }
    loadi_where<0, kLess, 1, kBf16, 0x7FC0>();
    where<3, kEqual>();  // zero or denormal
    loadi<1, kBf16, 0x7F80>();
    everywhere();
    Root<kFp32>::store();
  }

 private:
  /// Expects the exponent in LReg 3.
  static void none_of_infinity() {
    op<t::encode_sfpiadd(0xFFF & static_cast<Word>(-255), 3, 2, 1 | 8)>();
    loadi<1, kBf16, 0>();
    everywhere();
  }
};

}  // namespace tvp::llk::sfpu
