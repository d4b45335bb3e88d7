#pragma once

// Thread 1: comparison and choice on the vector unit, programs as in sfpu_math.h.

#include "firmware/llk/sfpu/sfpu_cell.h"

namespace tvp::llk::sfpu {

/// Compares LReg 0 and 1 and leaves 1 or 0. Both zeros are equal. Infinities compare as numbers do.
/// NaN is larger than all numbers and equal to itself.
template <Comparison kComparison>
inline void compare_program() {
  mad<0, kOne, kZero, 0>();  // no minus zero
  mad<1, kOne, kZero, 1>();
  if constexpr (kComparison == Comparison::kEqual || kComparison == Comparison::kNotEqual) {
    nop();
    op<t::encode_sfpxor(0, 1)>();
  } else {
    nop();
    mov<0, 2>();
    // LReg 1 becomes the larger value, or the smaller one: a < b where a is not the larger.
    if constexpr (kComparison == Comparison::kLess || kComparison == Comparison::kGreaterEqual) {
      max_min<1, 2>();
    } else {
      max_min<2, 1>();
    }
    op<t::encode_sfpxor(0, 1)>();
  }
  constexpr bool kIfSame = kComparison == Comparison::kEqual ||
                           kComparison == Comparison::kLessEqual ||
                           kComparison == Comparison::kGreaterEqual;
  loadi<0, kBf16, 0>();
  loadi_where<1, kIfSame ? kEqual : kNotEqual, 0, kBf16, 0x3F80>();
}
/// Leaves LReg 0 where the mask in LReg 1 is not zero, and the value elsewhere.
template <Cell kCell>
inline void mask_program(Word value) {
  if constexpr (kCell == Cell::kFloat) absolute<1, 1>();
  where<1, kEqual>();
  variable<0>(value);
  everywhere();
}

/// Turns pairs of adjacent columns (re, im) into (-im, re). Vectors of even and of odd columns lie
/// two rows apart (ISA SFPLOAD.md).
template <bool kFp32>
inline void rotate_pairs(const DstHalf& half, unsigned tile, TileShape shape) {
  const Word fmt = dst_mode(kFp32);
  begin(half, tile);
  for (unsigned row = 0; row < shape.rows(); row += 4) {
    push(t::encode_sfpload(0, fmt, kStay, 0));
    push(t::encode_sfpload(1, fmt, kStay, 2));
    negate<1, 1>();
    push(t::encode_sfpstore(0, fmt, kStay, 2));
    push(t::encode_sfpstore(1, fmt, kNextRows, 0));
  }
  end();
}

}  // namespace tvp::llk::sfpu
