#pragma once

#include <cmath>
#include <cstdint>
#include <random>

// Values of the coprocessor's bit patterns in long double with explicit rounding, independent of
// the models' bit operations.
namespace math_reference {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
};
inline constexpr Format kBf16{8, 7, 127};
inline constexpr Format kTf32{8, 10, 127};
inline constexpr Format kFp16{5, 10, 15};
inline constexpr Format kFp32{8, 23, 127};

struct Fields {
  bool negative = false;
  int exponent = 0;
  std::uint32_t mantissa = 0;
};

/// Without denormals, NaN or infinity: exponent 0 is zero.
inline long double value_of(const Fields& f, const Format& format) {
  if (f.exponent == 0) return 0;
  const long double significand = 1 + static_cast<long double>(f.mantissa) /
                                          static_cast<long double>(1u << format.mantissa_bits);
  return std::ldexp(f.negative ? -significand : significand, f.exponent - format.bias);
}

/// To nearest, ties to even; small to +0; large to the pattern that stands for infinity.
inline Fields rounded(long double value, const Format& format) {
  Fields out;
  if (value == 0) return out;
  out.negative = value < 0;
  int exponent = 0;
  long double significand = std::frexp(std::fabs(value), &exponent);  // [0.5, 1)
  significand = std::nearbyint(std::ldexp(significand, format.mantissa_bits + 1));
  if (significand == std::ldexp(1.0L, format.mantissa_bits + 1)) {
    significand /= 2;
    ++exponent;
  }
  out.exponent = exponent - 1 + format.bias;
  out.mantissa = static_cast<std::uint32_t>(significand) & ((1u << format.mantissa_bits) - 1);
  const int largest = (1 << format.exponent_bits) - 1;
  if (out.exponent <= 0) return {};
  if (format.exponent_bits == 5) {
    if (out.exponent > largest) return {out.negative, largest, 0x3FF};
  } else if (out.exponent >= largest) {
    return {out.negative, largest, 0};
  }
  return out;
}

inline std::uint32_t in_src(const Fields& f, const Format& format) {
  const std::uint32_t mantissa = f.mantissa << (10 - format.mantissa_bits);
  return (f.negative ? 1u << 18 : 0) | (mantissa << 8) | static_cast<std::uint32_t>(f.exponent);
}
inline std::uint32_t in_dst16(const Fields& f, const Format& format) {
  return (f.negative ? 0x8000u : 0) | (f.mantissa << format.exponent_bits) |
         static_cast<std::uint32_t>(f.exponent);
}
inline std::uint32_t in_dst32(const Fields& f) {
  return (f.negative ? 1u << 31 : 0) | ((f.mantissa >> 16) << 24) |
         (static_cast<std::uint32_t>(f.exponent) << 16) | (f.mantissa & 0xFFFF);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
  Fields fields(const Format& format, int lowest, int highest) {
    Fields f;
    f.negative = below(2) != 0;
    f.exponent = lowest + static_cast<int>(below(static_cast<std::uint32_t>(highest - lowest + 1)));
    f.mantissa = below(1u << format.mantissa_bits);
    if (below(16) == 0) f.exponent = 0;
    if (f.exponent == 0 && below(2) != 0) f.mantissa = 0;
    return f;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace math_reference
