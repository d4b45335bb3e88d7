#pragma once
// Division by constants without DIVU and REMU, which take a core 33 cycles each and which the
// compiler prefers to a multiplication.

#include <stdint.h>

namespace tvp {

/// n / kDivisor is (n >> first) * factor >> 32 >> shift for all 32-bit n. `factor` is a rounded-up
/// reciprocal of the divisor's odd part. The quotient is exact if the rounding adds less than one
/// (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", theorem 4.2).
/// If no factor of 32 bits is exact, as for 7, `factor` is 0.
template <uint32_t kDivisor>
struct Reciprocal {
  static_assert(kDivisor > 0, "a divisor is not zero");
  uint32_t first = 0;
  uint32_t factor = 0;
  uint32_t shift = 0;

  constexpr Reciprocal() {
    uint32_t odd = kDivisor;
    for (; odd % 2 == 0; odd /= 2) ++first;
    for (uint32_t s = 0; s < 32; ++s) {
      const uint64_t power = uint64_t{1} << (32 + s);
      const uint64_t rounded_up = (power + odd - 1) / odd;
      if (rounded_up > 0xFFFFFFFF) return;
      if (rounded_up * odd - power > uint64_t{1} << (s + first)) continue;
      factor = static_cast<uint32_t>(rounded_up);
      shift = s;
      return;
    }
  }

  /// For a power of two the compiler makes a shift.
  static constexpr bool is_power_of_two() { return (kDivisor & (kDivisor - 1)) == 0; }
  constexpr bool multiplies() const { return factor != 0 && !is_power_of_two(); }
};

}  // namespace tvp

constexpr unsigned int mulsi3(unsigned int a, unsigned int b) { return a * b; }

template <uint32_t d>
constexpr uint32_t udivsi3_const_divisor(uint32_t n) {
  constexpr tvp::Reciprocal<d> by;
  if constexpr (by.multiplies()) {
    return static_cast<uint32_t>(uint64_t{n >> by.first} * by.factor >> 32) >> by.shift;
  } else {
    return n / d;
  }
}
template <uint32_t d>
constexpr uint32_t umodsi3_const_divisor(uint32_t n) {
  return n - udivsi3_const_divisor<d>(n) * d;
}
template <uint32_t d>
constexpr uint32_t fast_udiv(uint32_t n) {
  return udivsi3_const_divisor<d>(n);
}
