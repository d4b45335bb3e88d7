#pragma once

// Thread 1: 32-bit integers on the vector unit, programs as in sfpu_math.h from LReg 0 and 1 to
// LReg 0. Results are exact modulo 2^32.

#include "firmware/llk/sfpu/sfpu_cell.h"

namespace tvp::llk::sfpu {

/// kD = kC + kD, kC - kD, and kD + a constant. Flags do not change.
template <Word kC, Word kD>
inline void integer_add() {
  op<t::encode_sfpiadd(0, kC, kD, 4)>();
}
template <Word kC, Word kD>
inline void integer_subtract() {
  op<t::encode_sfpiadd(0, kC, kD, 2 | 4)>();
}
template <Word kD, int kValue>
inline void integer_add_constant() {
  op<t::encode_sfpiadd(0xFFF & static_cast<Word>(kValue), kD, kD, 1 | 4)>();
}
/// Combines kC and kD bit by bit into kD.
template <Word kC, Word kD>
inline void bits_and() {
  op<t::encode_sfpand(kC, kD)>();
}
template <Word kC, Word kD>
inline void bits_or() {
  op<t::encode_sfpor(kC, kD)>();
}
template <Word kC, Word kD>
inline void bits_xor() {
  op<t::encode_sfpxor(kC, kD)>();
}
template <Word kD>
inline void integer_negate() {
  integer_subtract<kZero, kD>();
}
template <Word kC, Word kD>
inline void integer_absolute() {
  op<t::encode_sfpabs(kC, kD, 0)>();
}

enum class Integer : uint8_t {
  kAdd,
  kSubtract,
  kReverseSubtract,
  kMultiply,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,         ///< with copies of the sign
  kShiftRightLogical,  ///< with zeros
  kLess,
  kGreater,
  kLessEqual,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kMaximum,
  kMinimum,
};

/// A product of 11-bit parts is exact in FP32, and so are sums of three of them; added to 2^23 they
/// are the mantissa. Parts of LReg 0 and 1: bits 0 to 10, 11 to 21, 22 to 31.
inline void integer_multiply() {
  const auto part_as_float = []<Word kFrom, Word kTo, Word kLeft, Word kRight>() {
    mov<kFrom, kTo>();
    if constexpr (kLeft != 0) shift<kLeft, kTo>();
    shift<right(kRight), kTo>();
    op<t::encode_sfpcast(kTo, kTo, 0)>();
  };
  part_as_float.template operator()<0, 2, 10, 21>();
  part_as_float.template operator()<0, 3, 0, 22>();
  part_as_float.template operator()<0, 0, 21, 21>();
  part_as_float.template operator()<1, 4, 10, 21>();
  part_as_float.template operator()<1, 5, 0, 22>();
  part_as_float.template operator()<1, 1, 21, 21>();
  loadi<6, kBf16, 0x4B00>();  // 2^23
  mad_wait<0, 5, 6, 7>();
  mad_wait<2, 4, 7, 7>();
  mad_wait<3, 1, 7, 7>();
  mad_wait<0, 4, 6, 3>();
  mad_wait<2, 1, 3, 3>();
  mad_wait<0, 1, 6, 0>();
  op<t::encode_sfpexman(7, 7, 1)>();
  op<t::encode_sfpexman(3, 3, 1)>();
  op<t::encode_sfpexman(0, 0, 1)>();
  shift<22, 7>();
  shift<11, 3>();
  integer_add<7, 0>();
  integer_add<3, 0>();
}

/// LReg kT's sign bit is set if LReg kA < LReg kB. Where their signs differ, kA's sign decides.
template <Word kA, Word kB, Word kT, Word kU>
inline void integer_less() {
  mov<kB, kT>();
  integer_subtract<kA, kT>();
  mov<kA, kU>();
  bits_xor<kB, kU>();
  mov_where<kU, kLess, kA, kT>();
}
/// 1 or 0 from a sign bit, in LReg 0.
template <Word kFrom, bool kInverted>
inline void integer_from_sign() {
  mov<kFrom, 0>();
  if constexpr (kInverted) op<t::encode_sfpnot(0, 0)>();
  shift<right(31), 0>();
}
/// 1 where LReg kX is zero, else 0, or the inverse.
template <Word kX, bool kInverted>
inline void integer_is_zero() {
  mov<kX, 1>();
  loadi<0, kBf16, 0>();
  where<1, kInverted ? kNotEqual : kEqual>();
  op<t::encode_sfpiadd(1, kZero, 0, 1 | 4)>();
  everywhere();
}

/// Shifts by less than 0 or more than 31 give 0, or copies of the sign to the right.
template <Integer kOp>
inline void integer_shift() {
  constexpr bool kSigned = kOp == Integer::kShiftRight;
  mov<1, 2>();
  shift<right(5), 2>();  // zero for amounts that are left
  mov<0, 3>();
  if constexpr (kSigned) {
    where<0, kLess>();
    op<t::encode_sfpnot(0, 0)>();
    everywhere();
  }
  if constexpr (kOp != Integer::kShiftLeft) integer_negate<1>();
  op<t::encode_sfpshft(0, 1, 0, 0)>();
  loadi_where<2, kNotEqual, 0, kBf16, 0>();
  if constexpr (kSigned) {
    where<3, kLess>();
    op<t::encode_sfpnot(0, 0)>();
    everywhere();
  }
}

template <Integer kOp>
inline void integer_program() {
  if constexpr (kOp == Integer::kAdd) integer_add<1, 0>();
  if constexpr (kOp == Integer::kReverseSubtract) integer_subtract<1, 0>();
  if constexpr (kOp == Integer::kSubtract) {
    integer_subtract<0, 1>();
    mov<1, 0>();
  }
  if constexpr (kOp == Integer::kMultiply) integer_multiply();
  if constexpr (kOp == Integer::kAnd) bits_and<1, 0>();
  if constexpr (kOp == Integer::kOr) bits_or<1, 0>();
  if constexpr (kOp == Integer::kXor) bits_xor<1, 0>();
  if constexpr (kOp == Integer::kShiftLeft || kOp == Integer::kShiftRight ||
                kOp == Integer::kShiftRightLogical)
    integer_shift<kOp>();
  if constexpr (kOp == Integer::kLess || kOp == Integer::kGreaterEqual) {
    integer_less<0, 1, 2, 3>();
    integer_from_sign<2, kOp == Integer::kGreaterEqual>();
  }
  if constexpr (kOp == Integer::kGreater || kOp == Integer::kLessEqual) {
    integer_less<1, 0, 2, 3>();
    integer_from_sign<2, kOp == Integer::kLessEqual>();
  }
  if constexpr (kOp == Integer::kEqual || kOp == Integer::kNotEqual) {
    bits_xor<1, 0>();
    integer_is_zero<0, kOp == Integer::kNotEqual>();
  }
  if constexpr (kOp == Integer::kMaximum || kOp == Integer::kMinimum) {
    integer_less<0, 1, 2, 3>();
    mov_where<2, kOp == Integer::kMaximum ? kLess : kGreaterEqual, 1, 0>();
  }
}

/// A comparison, maximum or minimum of unsigned numbers.
template <Integer kOp>
inline void unsigned_order_program() {
  load_bits<2, 0x80000000>();
  bits_xor<2, 0>();
  bits_xor<2, 1>();
  integer_program<kOp>();
  if constexpr (kOp == Integer::kMaximum || kOp == Integer::kMinimum) {
    load_bits<2, 0x80000000>();
    bits_xor<2, 0>();
  }
}

/// The operations that are short enough for replay. All but kSubtract keep LReg 1.
template <Integer kOp>
inline constexpr unsigned kIntegerLength =
    kOp == Integer::kAdd || kOp == Integer::kReverseSubtract || kOp == Integer::kAnd ||
            kOp == Integer::kOr || kOp == Integer::kXor
        ? 1
    : kOp == Integer::kSubtract ? 2
                                : 0;

/// Shifts all datums by the same number of places. To the right, copies of the sign move in.
template <Integer kOp>
inline constexpr unsigned kShiftLength = kOp == Integer::kShiftLeft ? 1 : 8;
template <Integer kOp>
inline void integer_shift_by(Word places) {
  static_assert(kOp == Integer::kShiftLeft || kOp == Integer::kShiftRight);
  const Word all_but = places > 31 ? 0 : places;
  if constexpr (kOp == Integer::kShiftLeft) {
    push(places > 31 ? t::encode_sfpmov(kZero, 0, 0) : t::encode_sfpshft(all_but, 0, 0, 1));
  } else {
    mov<0, 1>();
    where<1, kLess>();
    op<t::encode_sfpnot(0, 0)>();
    everywhere();
    push(places > 31 ? t::encode_sfpmov(kZero, 0, 0)
                     : t::encode_sfpshft(0xFFF & right(all_but), 0, 0, 1));
    where<1, kLess>();
    op<t::encode_sfpnot(0, 0)>();
    everywhere();
  }
}

/// Combines LReg 0 with a number that is known at run time.
template <Integer kOp>
inline void integer_program_with(Word value) {
  variable<1>(value);
  integer_program<kOp>();
}
inline void integer_clamp_program(Word low, Word high) {
  integer_program_with<Integer::kMaximum>(low);
  integer_program_with<Integer::kMinimum>(high);
}

}  // namespace tvp::llk::sfpu
