#pragma once
// bfloat16 as bit patterns.

#include <stdint.h>

constexpr uint16_t NEG_INF_BFLOAT16 = 0xFF80;
constexpr uint16_t POS_INF_BFLOAT16 = 0x7F80;
constexpr uint16_t NAN_BFLOAT16 = 0x7FFF;
constexpr uint16_t BFLOAT16_SIGN_MASK = 0x8000;

/// a > b in the order of sign and magnitude: zeros differ by their sign, and a NaN is beyond its
/// infinity.
constexpr bool bfloat16_greater(uint16_t a, uint16_t b) {
  const bool a_negative = (a & BFLOAT16_SIGN_MASK) != 0;
  const bool b_negative = (b & BFLOAT16_SIGN_MASK) != 0;
  if (a_negative != b_negative) return b_negative;
  return a_negative ? a < b : a > b;
}

/// Rounds to nearest, ties to even. NaN becomes a quiet NaN.
constexpr uint16_t fp32_to_bf16(float x) {
  const auto bits = __builtin_bit_cast(uint32_t, x);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
/// Keeps the upper half, which rounds towards zero. A NaN may become an infinity.
constexpr uint16_t fp32_to_bf16_truncate(float x) {
  return static_cast<uint16_t>(__builtin_bit_cast(uint32_t, x) >> 16);
}
constexpr float bf16_to_fp32(uint16_t x) {
  return __builtin_bit_cast(float, static_cast<uint32_t>(x) << 16);
}
