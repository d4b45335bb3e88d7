#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace tvp::test::golden {

// The results of single vector instructions on the 32 bits of a lane, in plain C++ after their
// pages (ISA TensixCoprocessor/SFP*.md).

using Word = std::uint32_t;

inline float number(Word bits) { return std::bit_cast<float>(bits); }
inline Word bits_of(float value) { return std::bit_cast<Word>(value); }
constexpr Word exponent(Word bits) { return bits >> 23 & 0xFF; }
constexpr Word mantissa(Word bits) { return bits & 0x7FFFFF; }
constexpr Word join(Word sign, Word exponent, Word mantissa) {
  return sign << 31 | (exponent & 0xFF) << 23 | (mantissa & 0x7FFFFF);
}

/// SFPABS.md: a negative NaN stays negative.
constexpr Word float_magnitude(Word x) { return x > 0xFF800000 ? x : x & 0x7FFFFFFF; }
constexpr Word integer_magnitude(Word x) { return x >> 31 != 0 ? 0 - x : x; }
/// SFPLZ.md
constexpr Word leading_zeros(Word x) { return static_cast<Word>(std::countl_zero(x)); }
/// SFPSHFT.md
constexpr Word shifted(Word x, std::int32_t amount) {
  return amount >= 0 ? x << (amount & 31) : x >> (-amount & 31);
}
/// SFPDIVP2.md
constexpr Word exponent_added(Word x, Word amount) {
  return exponent(x) == 255 ? x : join(x >> 31, exponent(x) + amount, mantissa(x));
}

/// SFPSTOCHRND_FloatFloat.md, to nearest, ties away: FP16's 10 bits of mantissa or BF16's 7.
constexpr Word float_rounded(Word x, unsigned kept) {
  if (exponent(x) == 0) return 0;
  if (exponent(x) == 255) return x & 0xFF800000;
  const unsigned cut = 23 - kept;
  const Word discarded = x & ((1u << cut) - 1);
  return x - discarded + (discarded >= 1u << (cut - 1) ? 1u << cut : 0);
}
/// SFPSTOCHRND_FloatInt.md, to nearest, ties away; sign and magnitude.
inline Word float_to_integer(Word x, bool keeps_sign, Word most) {
  const double value = std::fabs(static_cast<double>(number(x)));
  if (exponent(x) >= 127 + 16) return (keeps_sign ? x & 0x80000000 : 0) + most;
  const Word rounded = std::min<Word>(static_cast<Word>(std::floor(value + 0.5)), most);
  return rounded == 0 || !keeps_sign ? rounded : rounded | (x & 0x80000000);
}
/// SFPSTOCHRND_IntInt.md, to nearest, ties away.
inline Word integer_scaled(Word x, Word shift, bool keeps_sign, Word most) {
  const double value =
      std::ldexp(static_cast<double>(x & 0x7FFFFFFF), -static_cast<int>(shift & 31));
  const auto rounded =
      static_cast<Word>(std::min<double>(std::floor(value + 0.5), static_cast<double>(most)));
  return rounded == 0 || !keeps_sign ? rounded : rounded | (x & 0x80000000);
}
/// SFPCAST.md, to nearest, ties to even, as C++ converts.
inline Word integer_to_float(Word x) {
  return bits_of(static_cast<float>(x & 0x7FFFFFFF)) | (x & 0x80000000);
}
constexpr Word other_sign_form(Word x) { return x >> 31 != 0 ? 0 - (x & 0x7FFFFFFF) : x; }

/// SFPSWAP.md: the order of sign and magnitude equals that of floats, with -0 before +0.
constexpr bool is_smaller(Word c, Word d) {
  const auto ordered = [](Word x) {
    return x >> 31 != 0 ? -static_cast<std::int64_t>(x & 0x7FFFFFFF) - 1
                        : static_cast<std::int64_t>(x);
  };
  return ordered(c) < ordered(d);
}
constexpr Word smaller(Word a, Word b) { return is_smaller(b, a) ? b : a; }
constexpr Word larger(Word a, Word b) { return is_smaller(b, a) ? a : b; }

/// SFPLUT.md: 8 bits; 0xFF is zero.
inline float of_table8(Word x) {
  return (x & 0xFF) == 0xFF ? 0.0F : number(join(x >> 7 & 1, 127 - (x >> 4 & 7), (x & 0xF) << 19));
}
/// SFPLUTFP32.md: 16 bits, FP16 without denormals, infinities and NaN.
inline float of_table16(Word x) {
  const Word e = x >> 10 & 0x1F;
  return number(join(x >> 15 & 1, e == 31 ? 0 : 112 + e, (x & 0x3FF) << 13));
}
/// The line a |v| + c, with the sign of v or its own sign.
inline Word on_line(Word v, float a, float c, bool keeps_sign) {
  const float d = std::fma(a, std::fabs(number(v)), c);
  return keeps_sign ? bits_of(std::copysign(d, number(v))) : bits_of(d);
}

}  // namespace tvp::test::golden
