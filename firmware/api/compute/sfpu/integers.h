#pragma once

// Exact integers in tiles of DST: Int32 and UInt32 in a 32-bit DST, UInt16 in any. DST[out] =
// DST[a] op DST[b]. The template parameter is the format, by default Int32. Words are integers.
// Comparisons give 1 or 0.

#include "api/compute/sfpu/sfpu_call.h"
#include "api/compute/sfpu/sfpu_unary.h"

namespace ckernel {

#define TVP_SFPU_INT_PROGRAM(name, operation)                                \
  template <DataFormat kFormat = DataFormat::Int32, auto...>                 \
  ALWI void name(uint32_t a, uint32_t b, uint32_t out) {                     \
    MATH((sfpu_integer<llk::sfpu::Integer::operation, kFormat>(a, b, out))); \
  }

TVP_SFPU_INIT(add_int_tile)
TVP_SFPU_INIT(sub_int_tile)
TVP_SFPU_INIT(rsub_int_tile)
TVP_SFPU_INIT(mul_int_tile)
TVP_SFPU_INT_PROGRAM(add_int_tile, kAdd)
TVP_SFPU_INT_PROGRAM(sub_int_tile, kSubtract)
TVP_SFPU_INT_PROGRAM(rsub_int_tile, kReverseSubtract)
TVP_SFPU_INT_PROGRAM(mul_int_tile, kMultiply)

TVP_SFPU_INIT(binary_bitwise_tile)
TVP_SFPU_INT_PROGRAM(bitwise_and_binary_tile, kAnd)
TVP_SFPU_INT_PROGRAM(bitwise_or_binary_tile, kOr)
TVP_SFPU_INT_PROGRAM(bitwise_xor_binary_tile, kXor)

TVP_SFPU_INIT(binary_shift_tile)
TVP_SFPU_INT_PROGRAM(binary_left_shift_tile, kShiftLeft)
TVP_SFPU_INT_PROGRAM(binary_right_shift_tile, kShiftRight)
TVP_SFPU_INT_PROGRAM(binary_logical_right_shift_tile, kShiftRightLogical)

TVP_SFPU_INIT(lt_int32_tile)
TVP_SFPU_INIT(gt_int32_tile)
TVP_SFPU_INIT(ge_int32_tile)
TVP_SFPU_INIT(le_int32_tile)
TVP_SFPU_INT_PROGRAM(lt_int32_tile, kLess)
TVP_SFPU_INT_PROGRAM(gt_int32_tile, kGreater)
TVP_SFPU_INT_PROGRAM(ge_int32_tile, kGreaterEqual)
TVP_SFPU_INT_PROGRAM(le_int32_tile, kLessEqual)
TVP_SFPU_INIT(binary_max_int32_tile)
TVP_SFPU_INIT(binary_min_int32_tile)
TVP_SFPU_INT_PROGRAM(binary_max_int32_tile, kMaximum)
TVP_SFPU_INT_PROGRAM(binary_min_int32_tile, kMinimum)
#undef TVP_SFPU_INT_PROGRAM

// With the first bit inverted, unsigned 32-bit numbers have the order of signed ones.
#if COMPILE_FOR_TRISC == 1
template <llk::sfpu::Integer kOp, DataFormat kFormat>
ALWI void sfpu_integer_order(uint32_t a, uint32_t b, uint32_t out) {
  namespace s = llk::sfpu;
  static_assert(kFormat == DataFormat::Int32 || kFormat == DataFormat::UInt32 ||
                    kFormat == DataFormat::UInt16,
                "tiles of integers are compared as Int32, UInt32 or UInt16");
  if constexpr (kFormat == DataFormat::UInt32) {
    sfpu_binary_cells<s::Cell::kInt32>(a, b, out, [] { s::unsigned_order_program<kOp>(); });
  } else {
    sfpu_integer<kOp, kFormat>(a, b, out);
  }
}
#endif
#define TVP_SFPU_ORDER(name, format, operation)                                    \
  TVP_SFPU_INIT(name)                                                              \
  template <DataFormat kFormat = DataFormat::format, auto...>                      \
  ALWI void name(uint32_t a, uint32_t b, uint32_t out) {                           \
    MATH((sfpu_integer_order<llk::sfpu::Integer::operation, kFormat>(a, b, out))); \
  }
TVP_SFPU_ORDER(lt_int_tile, Int32, kLess)
TVP_SFPU_ORDER(gt_int_tile, Int32, kGreater)
TVP_SFPU_ORDER(le_int_tile, Int32, kLessEqual)
TVP_SFPU_ORDER(ge_int_tile, Int32, kGreaterEqual)
TVP_SFPU_ORDER(binary_max_uint32_tile, UInt32, kMaximum)
TVP_SFPU_ORDER(binary_min_uint32_tile, UInt32, kMinimum)
#undef TVP_SFPU_ORDER

// Names of releases of 2025 for each format, without a place for the result.
#define TVP_SFPU_OF_2025(older, name, format)                                                    \
  TVP_SFPU_INIT(older)                                                                           \
  ALWI void older(uint32_t a, uint32_t b, uint32_t out) { name<DataFormat::format>(a, b, out); } \
  ALWI void older(uint32_t a, uint32_t b) { older(a, b, a); }
TVP_SFPU_OF_2025(add_int32_tile, add_int_tile, Int32)
TVP_SFPU_OF_2025(add_uint32_tile, add_int_tile, UInt32)
TVP_SFPU_OF_2025(add_uint16_tile, add_int_tile, UInt16)
TVP_SFPU_OF_2025(sub_int32_tile, sub_int_tile, Int32)
TVP_SFPU_OF_2025(sub_uint32_tile, sub_int_tile, UInt32)
TVP_SFPU_OF_2025(sub_uint16_tile, sub_int_tile, UInt16)
TVP_SFPU_OF_2025(rsub_int32_tile, rsub_int_tile, Int32)
TVP_SFPU_OF_2025(mul_int32_tile, mul_int_tile, Int32)
TVP_SFPU_OF_2025(mul_uint16_tile, mul_int_tile, UInt16)
TVP_SFPU_OF_2025(bitwise_and_uint32_binary_tile, bitwise_and_binary_tile, UInt32)
TVP_SFPU_OF_2025(bitwise_or_uint32_binary_tile, bitwise_or_binary_tile, UInt32)
TVP_SFPU_OF_2025(bitwise_xor_uint32_binary_tile, bitwise_xor_binary_tile, UInt32)
TVP_SFPU_OF_2025(bitwise_and_uint16_binary_tile, bitwise_and_binary_tile, UInt16)
TVP_SFPU_OF_2025(bitwise_or_uint16_binary_tile, bitwise_or_binary_tile, UInt16)
TVP_SFPU_OF_2025(bitwise_xor_uint16_binary_tile, bitwise_xor_binary_tile, UInt16)
TVP_SFPU_OF_2025(binary_left_shift_int32_tile, binary_left_shift_tile, Int32)
TVP_SFPU_OF_2025(binary_left_shift_uint32_tile, binary_left_shift_tile, UInt32)
TVP_SFPU_OF_2025(binary_right_shift_int32_tile, binary_right_shift_tile, Int32)
TVP_SFPU_OF_2025(binary_right_shift_uint32_tile, binary_right_shift_tile, UInt32)
TVP_SFPU_OF_2025(binary_logical_right_shift_int32_tile, binary_logical_right_shift_tile, Int32)
TVP_SFPU_OF_2025(binary_logical_right_shift_uint32_tile, binary_logical_right_shift_tile, UInt32)
#undef TVP_SFPU_OF_2025

/// Quotients and remainders, rounded to zero (trunc, fmod) or down (floor, remainder).
#define TVP_SFPU_DIVISION(name, operation) \
  TVP_SFPU_INIT(name)                      \
  TVP_SFPU_INT_BINARY(name, s::integer_divide_program<s::Division::operation>();)
TVP_SFPU_DIVISION(div_int32_trunc_tile, kTruncated)
TVP_SFPU_DIVISION(div_int32_floor_tile, kFloored)
TVP_SFPU_DIVISION(fmod_int32_tile, kTruncatedRemainder)
TVP_SFPU_DIVISION(remainder_int32_tile, kFlooredRemainder)
#undef TVP_SFPU_DIVISION
TVP_SFPU_INIT(gcd_tile)
TVP_SFPU_INIT(lcm_tile)
TVP_SFPU_INT_BINARY(gcd_tile, s::gcd_program();)
TVP_SFPU_INT_BINARY(lcm_tile, s::lcm_program();)

TVP_SFPU_INIT(div_int32_tile)
/// Quotient as a float: 2^-21.
ALWI void div_int32_tile(uint32_t a, uint32_t b, uint32_t out) {
#if COMPILE_FOR_TRISC == 1
  namespace s = llk::sfpu;
  sfpu_binary_cells<s::Cell::kInt32, s::Cell::kFloat>(a, b, out, [] {
    s::int32_to_float<0, 2>();
    s::int32_to_float<1, 2>();
    s::binary_program<s::Binary::kDivide>();
  });
#endif
}

// ---- One tile, alone or with a word -------------------------------------------------------------

#define TVP_SFPU_WITH(name, operation)                                                            \
  template <auto... kParameters>                                                                  \
  ALWI void name(uint32_t dst, uint32_t value) {                                                  \
    MATH((sfpu_integer_with<llk::sfpu::Integer::operation, integer_cell_among<kParameters...>()>( \
        dst, value)));                                                                            \
  }
TVP_SFPU_WITH(add_unary_tile_int32, kAdd)
TVP_SFPU_WITH(sub_unary_tile_int32, kSubtract)
TVP_SFPU_INIT(rsub_unary_int32_tile)
TVP_SFPU_WITH(rsub_unary_int32_tile, kReverseSubtract)
TVP_SFPU_INIT(bitwise_and_tile)
TVP_SFPU_INIT(bitwise_or_tile)
TVP_SFPU_INIT(bitwise_xor_tile)
TVP_SFPU_WITH(bitwise_and_tile, kAnd)
TVP_SFPU_WITH(bitwise_or_tile, kOr)
TVP_SFPU_WITH(bitwise_xor_tile, kXor)
TVP_SFPU_INIT(left_shift_tile)
TVP_SFPU_INIT(right_shift_tile)
TVP_SFPU_WITH(left_shift_tile, kShiftLeft)
TVP_SFPU_WITH(right_shift_tile, kShiftRight)
TVP_SFPU_WITH(unary_eq_tile_int32, kEqual)
TVP_SFPU_WITH(unary_ne_tile_int32, kNotEqual)
TVP_SFPU_WITH(unary_lt_tile_int32, kLess)
TVP_SFPU_WITH(unary_gt_tile_int32, kGreater)
TVP_SFPU_WITH(unary_le_tile_int32, kLessEqual)
TVP_SFPU_WITH(unary_ge_tile_int32, kGreaterEqual)
TVP_SFPU_WITH(unary_max_int32_tile, kMaximum)
TVP_SFPU_WITH(unary_min_int32_tile, kMinimum)
TVP_SFPU_INIT(unary_max_int32_tile)
TVP_SFPU_INIT(unary_min_int32_tile)
TVP_SFPU_WITH(relu_min_tile_int32, kMaximum)
#undef TVP_SFPU_WITH
#define TVP_SFPU_UNSIGNED_ORDER_WITH(name, operation)    \
  TVP_SFPU_INIT(name)                                    \
  TVP_SFPU_INT_UNARY_1(name, kInt32, s::variable<1>(p0); \
                       s::unsigned_order_program<s::Integer::operation>();)
TVP_SFPU_UNSIGNED_ORDER_WITH(unary_max_uint32_tile, kMaximum)
TVP_SFPU_UNSIGNED_ORDER_WITH(unary_min_uint32_tile, kMinimum)
#undef TVP_SFPU_UNSIGNED_ORDER_WITH
/// min(max(x, 0), p0)
TVP_SFPU_INT_UNARY_1(relu_max_tile_int32, kInt32, s::integer_clamp_program(0, p0);)

#define TVP_SFPU_ZERO(name, operation) \
  TVP_SFPU_INT_UNARY(name, kInt32, s::integer_program_with<s::Integer::operation>(0);)
TVP_SFPU_ZERO(eqz_tile_int32, kEqual)
TVP_SFPU_ZERO(nez_tile_int32, kNotEqual)
TVP_SFPU_ZERO(ltz_tile_int32, kLess)
TVP_SFPU_ZERO(gtz_tile_int32, kGreater)
TVP_SFPU_ZERO(lez_tile_int32, kLessEqual)
TVP_SFPU_ZERO(gez_tile_int32, kGreaterEqual)
TVP_SFPU_ZERO(eqz_tile_uint32, kEqual)
TVP_SFPU_ZERO(nez_tile_uint32, kNotEqual)
TVP_SFPU_ZERO(logical_not_unary_tile_int32, kEqual)
TVP_SFPU_ZERO(logical_not_unary_tile_uint32, kEqual)
TVP_SFPU_ZERO(relu_tile_int32, kMaximum)
#undef TVP_SFPU_ZERO
TVP_SFPU_INT_UNARY(eqz_tile_uint16, kUInt16, s::integer_is_zero<0, false>();)
TVP_SFPU_INT_UNARY(nez_tile_uint16, kUInt16, s::integer_is_zero<0, true>();)
TVP_SFPU_INT_UNARY(logical_not_unary_tile_uint16, kUInt16, s::integer_is_zero<0, false>();)

/// 1 where a datum of the format is zero, else 0.
template <DataFormat kFormat>
ALWI void logical_not_tile(uint32_t dst) {
  if constexpr (kFormat == DataFormat::UInt16) {
    logical_not_unary_tile_uint16(dst);
  } else if constexpr (kFormat == DataFormat::Int32 || kFormat == DataFormat::UInt32) {
    logical_not_unary_tile_int32(dst);
  } else {
    logical_not_unary_tile(dst);
  }
}
ALWI void logical_not_tile_init() {}

TVP_SFPU_INIT(bitwise_not_tile)
TVP_SFPU_INT_UNARY(bitwise_not_tile, kInt32, s::op<s::t::encode_sfpnot(0, 0)>();)
TVP_SFPU_INT_UNARY(abs_tile_int32, kInt32, s::integer_absolute<0, 0>();)
TVP_SFPU_INT_UNARY(negative_tile_int32, kInt32, s::integer_negate<0>();)
ALWI void signbit_tile_int32_init() {}
TVP_SFPU_INT_UNARY(signbit_tile_int32, kInt32, s::integer_from_sign<0, false>();)
TVP_SFPU_INT_UNARY(identity_tile_uint32, kInt32, )
TVP_SFPU_INT_UNARY_1(fill_tile_int, kInt32, s::variable<0>(p0);)

ALWI void clamp_tile_int32(uint32_t dst, uint32_t low, uint32_t high) {
  MATH((sfpu_unary_cells<llk::sfpu::Cell::kInt32>(
      dst, [=] { llk::sfpu::integer_clamp_program(low, high); })));
}

}  // namespace ckernel
