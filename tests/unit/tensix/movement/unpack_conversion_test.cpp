#include "models/tensix/coprocessor/unpack/unpack_conversion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

// Expected results use values instead of bit operations. The rules of its format read a pattern as
// a number, and the rules of the register file read the result.

/// The number of three fields, with a mantissa of `mantissa_bits` bits and IEEE denormals.
double number(unsigned sign, unsigned exponent, unsigned mantissa, int mantissa_bits, int bias) {
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  const double magnitude = exponent == 0
                               ? std::ldexp(fraction, 1 - bias)
                               : std::ldexp(1 + fraction, static_cast<int>(exponent) - bias);
  return sign ? -magnitude : magnitude;
}

double src_e8(std::uint32_t x) { return number(x >> 18 & 1, x & 0xFF, x >> 8 & 0x3FF, 10, 127); }
double src_e5(std::uint32_t x) {
  EXPECT_EQ(x >> 5 & 7, 0u);
  return number(x >> 18 & 1, x & 0x1F, x >> 8 & 0x3FF, 10, 15);
}
double dst_bf16(std::uint32_t x) { return number(x >> 15 & 1, x & 0xFF, x >> 8 & 0x7F, 7, 127); }
double dst_fp16(std::uint32_t x) { return number(x >> 15 & 1, x & 0x1F, x >> 5 & 0x3FF, 10, 15); }

std::uint32_t convert(DataFormat in, DataFormat out, bool to_dst, std::uint32_t datum,
                      std::uint8_t exponent = 0, bool int8_unsigned = false) {
  const std::uint8_t bytes[4] = {
      static_cast<std::uint8_t>(datum), static_cast<std::uint8_t>(datum >> 8),
      static_cast<std::uint8_t>(datum >> 16), static_cast<std::uint8_t>(datum >> 24)};
  constexpr std::uint32_t kUntouched = 0xC0FFEE42;
  std::uint32_t result[2] = {0, kUntouched};
  EXPECT_EQ(UnpackConversion::supported(in, out, to_dst), UnpackConversion::Support::kYes);
  EXPECT_TRUE(
      UnpackConversion(in, out, to_dst, int8_unsigned).apply(bytes, 0, &exponent, 1, result));
  EXPECT_EQ(result[1], kUntouched);
  return result[0];
}

/// Equal numbers with the same sign of zero.
void expect_same(double a, double b, std::uint32_t pattern) {
  ASSERT_EQ(a, b) << std::hex << pattern;
  ASSERT_EQ(std::signbit(a), std::signbit(b)) << std::hex << pattern;
}

TEST(UnpackConversion, EveryBf16) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const std::uint32_t src = convert(DataFormat::kBf16, DataFormat::kBf16, false, x);
    const std::uint32_t dst = convert(DataFormat::kBf16, DataFormat::kBf16, true, x);
    const double value = number(x >> 15, x >> 7 & 0xFF, x & 0x7F, 7, 127);  // NaN as a number too
    expect_same(src_e8(src), value, x);
    expect_same(dst_bf16(dst), value, x);
    ASSERT_LT(src, 1u << 19);
    ASSERT_LT(dst, 1u << 16);
  }
}

TEST(UnpackConversion, EveryFp16AndFp8) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const double value = number(x >> 15, x >> 10 & 0x1F, x & 0x3FF, 10, 15);
    expect_same(src_e5(convert(DataFormat::kFp16, DataFormat::kFp16, false, x)), value, x);
    expect_same(dst_fp16(convert(DataFormat::kFp16, DataFormat::kFp16, true, x)), value, x);
  }
  for (std::uint32_t x = 0; x < 0x100; ++x) {
    const double value = number(x >> 7, x >> 2 & 0x1F, x & 3, 2, 15);
    expect_same(src_e5(convert(DataFormat::kFp8, DataFormat::kFp8, false, x)), value, x);
    expect_same(dst_fp16(convert(DataFormat::kFp8, DataFormat::kFp8, true, x)), value, x);
  }
}

TEST(UnpackConversion, EveryInt16IsOpaque) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    ASSERT_EQ(convert(DataFormat::kInt16, DataFormat::kInt16, true, x), x);
    const std::uint32_t src = convert(DataFormat::kInt16, DataFormat::kInt16, false, x);
    ASSERT_EQ(src & 0xFF, x & 0xFF);  // low eight bits of the magnitude
    ASSERT_EQ(src >> 8 & 7, 0u);
    ASSERT_EQ(src >> 11 & 0x7F, x >> 8 & 0x7F);  // high seven
    ASSERT_EQ(src >> 18, x >> 15);
  }
}

TEST(UnpackConversion, EveryInt8LiesOverFp16) {
  for (const bool is_unsigned : {false, true}) {
    for (std::uint32_t x = 0; x < 0x100; ++x) {
      const std::uint32_t magnitude = is_unsigned ? x : x & 0x7F;
      const std::uint32_t sign = is_unsigned ? 0 : x >> 7;
      const std::uint32_t src =
          convert(DataFormat::kInt8, DataFormat::kInt8, false, x, 0, is_unsigned);
      const std::uint32_t dst =
          convert(DataFormat::kInt8, DataFormat::kInt8, true, x, 0, is_unsigned);
      ASSERT_EQ(src & 0xFF, magnitude ? 16u : 0u);
      ASSERT_EQ(src >> 8 & 0x3FF, magnitude);
      ASSERT_EQ(src >> 18, sign);
      ASSERT_EQ(dst & 0x1F, magnitude ? 16u : 0u);
      ASSERT_EQ(dst >> 5 & 0x3FF, magnitude);
      ASSERT_EQ(dst >> 15, sign);
    }
  }
}

const std::uint32_t kCorners32[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF,
                                    0x00800000, 0x80800000, 0x3F800000, 0x3F800001, 0x3F801FFF,
                                    0x3F802000, 0x3F80FFFF, 0x7F7FFFFF, 0x7F800000, 0xFF800000,
                                    0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x33800000, 0x477FE000};

std::vector<std::uint32_t> patterns32() {
  std::vector<std::uint32_t> all(std::begin(kCorners32), std::end(kCorners32));
  TestRandom random(1);
  for (int i = 0; i < 200000; ++i) all.push_back(random.bits(32));
  return all;
}

TEST(UnpackConversion, Fp32ToTf32DropsThirteenBits) {
  for (const std::uint32_t x : patterns32()) {
    const double kept = number(x >> 31, x >> 23 & 0xFF, (x & 0x7FFFFF) / 8192, 10, 127);
    expect_same(src_e8(convert(DataFormat::kFp32, DataFormat::kTf32, false, x)), kept, x);
  }
}

TEST(UnpackConversion, Fp32ToBf16TruncatesAndFlushesDenormals) {
  for (const std::uint32_t x : patterns32()) {
    const unsigned exponent = x >> 23 & 0xFF;
    const unsigned mantissa = exponent == 0 ? 0 : (x & 0x7FFFFF) / 65536;
    const double kept = number(x >> 31, exponent, mantissa, 7, 127);
    expect_same(src_e8(convert(DataFormat::kFp32, DataFormat::kBf16, false, x)), kept, x);
    expect_same(dst_bf16(convert(DataFormat::kFp32, DataFormat::kBf16, true, x)), kept, x);
  }
}

TEST(UnpackConversion, ThirtyTwoBitsToDstKeepEveryBit) {
  for (const DataFormat f : {DataFormat::kFp32, DataFormat::kTf32, DataFormat::kInt32}) {
    EXPECT_TRUE(UnpackConversion(f, f, true, false).is_32_bit());
    for (const std::uint32_t x : patterns32()) {
      const std::uint32_t dst = convert(f, f, true, x);
      ASSERT_EQ(dst >> 31, x >> 31);
      ASSERT_EQ(dst >> 16 & 0xFF, x >> 23 & 0xFF);  // exponent
      ASSERT_EQ(dst >> 24 & 0x7F, x >> 16 & 0x7F);  // mantissa, high part
      ASSERT_EQ(dst & 0xFFFF, x & 0xFFFF);          // mantissa, low part
    }
  }
  EXPECT_FALSE(UnpackConversion(DataFormat::kFp32, DataFormat::kBf16, true, false).is_32_bit());
}

TEST(UnpackConversion, EveryBlockFloatDatumWithEveryExponent) {
  const struct {
    DataFormat format;
    int bits;
  } kFormats[] = {{DataFormat::kBfp8, 8}, {DataFormat::kBfp4, 4}, {DataFormat::kBfp2, 2}};
  for (const auto& f : kFormats) {
    for (std::uint32_t x = 0; x < 1u << f.bits; ++x) {
      const unsigned sign = x >> (f.bits - 1);
      const int magnitude = static_cast<int>(x & ((1u << (f.bits - 1)) - 1));
      for (int exponent = 0; exponent < 256; ++exponent) {
        const std::uint32_t src =
            convert(f.format, f.format, false, x, static_cast<std::uint8_t>(exponent));
        const std::uint32_t dst =
            convert(f.format, f.format, true, x, static_cast<std::uint8_t>(exponent));
        if (magnitude == 0) {
          // Minus zero becomes minus infinity.
          ASSERT_EQ(src, sign ? 0x400FFu : 0u);
          ASSERT_EQ(dst, sign ? 0x80FFu : 0u);
          continue;
        }
        const double value =
            std::ldexp(sign ? -magnitude : magnitude, exponent - 127 - (f.bits - 2));
        const int scale = std::ilogb(value) + 127;
        if (scale < 1 || scale > 255) continue;  // the byte that holds the exponent wraps
        ASSERT_EQ(src_e8(src), value) << x << " " << exponent;
        ASSERT_EQ(dst_bf16(dst), value) << x << " " << exponent;
      }
    }
  }
}

TEST(UnpackConversion, EveryShortExponentBlockFloat) {
  const struct {
    DataFormat format;
    int bits;
  } kFormats[] = {{DataFormat::kBfp8a, 8}, {DataFormat::kBfp4a, 4}, {DataFormat::kBfp2a, 2}};
  for (const auto& f : kFormats) {
    for (std::uint32_t x = 0; x < 1u << f.bits; ++x) {
      const unsigned sign = x >> (f.bits - 1);
      const int magnitude = static_cast<int>(x & ((1u << (f.bits - 1)) - 1));
      for (int exponent = 8; exponent < 32; ++exponent) {
        const std::uint32_t src =
            convert(f.format, f.format, false, x, static_cast<std::uint8_t>(exponent));
        if (magnitude == 0) {
          ASSERT_EQ(src_e5(src), sign ? -65536.0 : 0.0);
          continue;
        }
        const double value =
            std::ldexp(sign ? -magnitude : magnitude, exponent - 15 - (f.bits - 2));
        ASSERT_EQ(src_e5(src), value);
        ASSERT_EQ(
            dst_fp16(convert(f.format, f.format, true, x, static_cast<std::uint8_t>(exponent))),
            value);
      }
    }
  }
  // An exponent beyond five bits has no defined result.
  const std::uint8_t one = 0x01, exponent = 3;
  std::uint32_t result;
  EXPECT_FALSE(UnpackConversion(DataFormat::kBfp8a, DataFormat::kBfp8a, false, false)
                   .apply(&one, 0, &exponent, 1, &result));
}

TEST(UnpackConversion, SmallDatumsComeLowBitsFirst) {
  const std::uint8_t bytes[2] = {0x21, 0x43};
  const std::uint8_t exponents[8] = {130, 130, 130, 130, 130, 130, 130, 130};
  std::uint32_t result[8];
  UnpackConversion(DataFormat::kBfp4, DataFormat::kBfp4, true, false)
      .apply(bytes, 4, exponents, 3, result);  // from the second datum on
  EXPECT_EQ(dst_bf16(result[0]), 2 / 4.0 * 8);
  EXPECT_EQ(dst_bf16(result[1]), 3 / 4.0 * 8);
  EXPECT_EQ(dst_bf16(result[2]), 4 / 4.0 * 8 * 1);
  const std::uint8_t pairs[1] = {0b01110001};
  UnpackConversion(DataFormat::kBfp2, DataFormat::kBfp2, true, false)
      .apply(pairs, 0, exponents, 4, result);
  EXPECT_EQ(dst_bf16(result[0]), 8);
  EXPECT_EQ(dst_bf16(result[1]), 0);
  EXPECT_EQ(dst_bf16(result[2]), -8);
  EXPECT_EQ(dst_bf16(result[3]), 8);
}

TEST(UnpackConversion, OnlyTheDocumentedPairs) {
  using Support = UnpackConversion::Support;
  for (unsigned in = 0; in < 16; ++in) {
    for (unsigned out = 0; out < 16; ++out) {
      for (const bool to_dst : {false, true}) {
        const auto i = static_cast<DataFormat>(in), o = static_cast<DataFormat>(out);
        Support expected = Support::kUndefined;
        const bool reserved = in == 12 || in == 13;
        if (in == out && !reserved) {
          const bool dst_only = in == 0 || in == 4 || in == 8;
          expected = dst_only && !to_dst ? Support::kUndefined : Support::kYes;
        }
        if (in == 0 && (out == 4 || out == 5)) expected = Support::kYes;
        if (in == 0 && out == 1) expected = Support::kUnmodelled;
        EXPECT_EQ(UnpackConversion::supported(i, o, to_dst), expected)
            << format_name(i) << " to " << format_name(o) << " dst " << to_dst;
      }
    }
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
