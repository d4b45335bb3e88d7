#pragma once
// IEEE binary32 as bit patterns.

#include <stdint.h>

constexpr uint32_t NEG_INF_FLOAT32 = 0xFF800000;
constexpr uint32_t POS_INF_FLOAT32 = 0x7F800000;
constexpr uint32_t NAN_FLOAT32 = 0x7FFFFFFF;
constexpr uint32_t FLOAT32_SIGN_MASK = 0x80000000;
constexpr uint32_t FLOAT32_EXPONENT_MASK = 0x7F800000;
constexpr uint32_t FLOAT32_MANTISSA_MASK = 0x007FFFFF;
constexpr uint32_t FLOAT32_MAGNITUDE_MASK = 0x7FFFFFFF;

/// a > b by IEEE 754: zeros are equal, and comparisons with NaN are false.
constexpr bool float32_greater(uint32_t a, uint32_t b) {
  const uint32_t a_magnitude = a & FLOAT32_MAGNITUDE_MASK;
  const uint32_t b_magnitude = b & FLOAT32_MAGNITUDE_MASK;
  if (a_magnitude > POS_INF_FLOAT32 || b_magnitude > POS_INF_FLOAT32) return false;
  if ((a_magnitude | b_magnitude) == 0) return false;
  const bool a_negative = a != a_magnitude;
  const bool b_negative = b != b_magnitude;
  if (a_negative != b_negative) return b_negative;
  return a_negative ? a_magnitude < b_magnitude : a_magnitude > b_magnitude;
}
