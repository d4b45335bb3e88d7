#include "models/tensix/coprocessor/pack/pack_conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor {
namespace {

// Expected results use doubles, which represent every value and every midpoint between neighbors
// exactly.

std::uint32_t dst_of_fp32(std::uint32_t x) {
  return (x >> 31) << 31 | (x >> 16 & 0x7F) << 24 | (x >> 23 & 0xFF) << 16 | (x & 0xFFFF);
}
std::uint32_t dst_of_bf16(std::uint32_t x) {
  return (x >> 15) << 15 | (x & 0x7F) << 8 | (x >> 7 & 0xFF);
}
std::uint32_t dst_of_fp16(std::uint32_t x) {
  return (x >> 15) << 15 | (x & 0x3FF) << 5 | (x >> 10 & 0x1F);
}

PackFormats formats(DataFormat intermediate, bool read_32b, bool raw, bool round_10b = false,
                    DataFormat to = DataFormat::kFp32) {
  PackFormats f;
  f.intermediate = intermediate;
  f.read_32b = read_32b;
  f.read_raw = raw;
  f.round_10b_mantissa = round_10b;
  f.late_from = intermediate;
  f.late_to = to;
  return f;
}

/// Converts a datum as a row of one and as the last one of several; nothing after it may change.
template <typename Conversion>
std::uint32_t converted(const Conversion& conversion, std::uint32_t datum) {
  constexpr std::uint32_t kUntouched = 0xC0FFEE42;
  EXPECT_TRUE(conversion.supported());
  const std::uint32_t row[4] = {0, 0, datum, ~datum};
  std::uint32_t one[2] = {0, kUntouched};
  std::uint32_t three[4] = {0, 0, 0, kUntouched};
  conversion.apply(&datum, 1, one);
  conversion.apply(row, 3, three);
  EXPECT_EQ(one[1], kUntouched);
  EXPECT_EQ(three[3], kUntouched);
  EXPECT_EQ(three[2], one[0]);
  return one[0];
}

std::uint32_t early(const PackFormats& f, std::uint32_t raw) {
  return converted(EarlyConversion(f), raw);
}

const std::uint32_t kCorners[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0x3F807FFF,
    0x3F808000, 0x3F808001, 0x3F818000, 0x3FFFFFFF, 0x7F7FFFFF, 0x7F7F7FFF, 0x7F7F8000, 0x7F800000,
    0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x38000000, 0x37FFFFFF, 0x38000001, 0x387FFFFF,
    0x38800000, 0x477FE000, 0x477FFFFF, 0x47800000, 0x47FFE000, 0x48000000};

std::vector<std::uint32_t> patterns() {
  std::vector<std::uint32_t> all(std::begin(kCorners), std::end(kCorners));
  TestRandom random(4);
  for (int i = 0; i < 100000; ++i) {
    std::uint32_t x = random.bits(32);
    if (i % 4 == 0) x = (x & 0x807FFFFF) | (100 + random.below(50)) << 23;  // about the size of 1
    if (i % 8 == 0) x &= 0xFFFF8000;  // half way between two BF16
    all.push_back(x);
  }
  return all;
}

/// Nearest value with `mantissa_bits` bits, ties away from zero. Denormals and zeros give +0;
/// overflows and NaN give infinity.
double rounded(std::uint32_t x, int mantissa_bits) {
  const unsigned exponent = x >> 23 & 0xFF;
  const double sign = x >> 31 ? -1 : 1;
  if (exponent == 0) return 0;
  if (exponent == 255) return sign * HUGE_VAL;
  const double value = std::bit_cast<float>(x & 0x7FFFFFFF);
  const double ulp = std::ldexp(1.0, static_cast<int>(exponent) - 127 - mantissa_bits);
  const double result = std::floor(value / ulp + 0.5) * ulp;
  return sign * (result >= std::ldexp(1.0, 128) ? HUGE_VAL : result);
}

TEST(EarlyConversion, Fp32RoundsToNearestTiesAwayFromZero) {
  const struct {
    PackFormats f;
    int mantissa_bits;
  } kRows[] = {
      {formats(DataFormat::kTf32, true, false), 10},
      {formats(DataFormat::kFp32, true, false, true), 10},
      {formats(DataFormat::kBf16, true, false, true, DataFormat::kFp16), 10},
      {formats(DataFormat::kBf16, true, false), 7},
      {formats(DataFormat::kBf16, true, false, true, DataFormat::kBf16), 7},
      {formats(DataFormat::kBfp8, true, false), 6},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(EarlyConversion(row.f).type().mantissa_bits, row.mantissa_bits);
    for (const std::uint32_t x : patterns()) {
      const float result = std::bit_cast<float>(early(row.f, dst_of_fp32(x)));
      ASSERT_EQ(result, rounded(x, row.mantissa_bits)) << std::hex << x;
      ASSERT_FALSE(result == 0 && std::signbit(result)) << std::hex << x;
    }
  }
}

TEST(EarlyConversion, RawReadsKeepOrCutBits) {
  for (const std::uint32_t x : patterns()) {
    const std::uint32_t raw = dst_of_fp32(x);
    EXPECT_EQ(early(formats(DataFormat::kFp32, true, false), raw), x);
    EXPECT_EQ(early(formats(DataFormat::kFp32, true, true, true), raw), x);
    EXPECT_EQ(early(formats(DataFormat::kTf32, true, true), raw), x);
    EXPECT_EQ(early(formats(DataFormat::kInt32, true, false), raw), x);
    EXPECT_EQ(early(formats(DataFormat::kBf16, true, true), raw), x / 65536 * 65536);
    EXPECT_EQ(early(formats(DataFormat::kBfp8, true, true), raw), x / 65536 * 65536);
  }
}

TEST(EarlyConversion, EveryBf16OfDst) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const std::uint32_t raw = dst_of_bf16(x), wide = x << 16;
    ASSERT_EQ(early(formats(DataFormat::kBf16, false, true), raw), wide);
    ASSERT_EQ(early(formats(DataFormat::kBfp8, false, true), raw), wide);
    const double flushed = rounded(wide, 7);
    for (const PackFormats& f :
         {formats(DataFormat::kBf16, false, false), formats(DataFormat::kTf32, false, false),
          formats(DataFormat::kFp32, false, false, true),
          formats(DataFormat::kBf16, false, false, true, DataFormat::kFp16)}) {
      const float result = std::bit_cast<float>(early(f, raw));
      ASSERT_EQ(result, flushed) << std::hex << x;
      ASSERT_FALSE(result == 0 && std::signbit(result));
    }
    ASSERT_EQ(std::bit_cast<float>(early(formats(DataFormat::kBfp8, false, false), raw)),
              rounded(wide, 6));
    PackFormats sign = formats(DataFormat::kInt8, false, true);
    ASSERT_EQ(early(sign, raw), x >> 15 << 7);
  }
}

/// FP16 as the coprocessor reads it: exponent 31 is an ordinary one.
double fp16_value(std::uint32_t x) {
  const int exponent = static_cast<int>(x >> 10 & 0x1F);
  const double fraction = (x & 0x3FF) / 1024.0;
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return x >> 15 ? -magnitude : magnitude;
}

TEST(EarlyConversion, EveryFp16OfDst) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const std::uint32_t raw = dst_of_fp16(x);
    const bool denormal = (x >> 10 & 0x1F) == 0;
    ASSERT_EQ(early(formats(DataFormat::kFp16, false, true), raw), x);
    ASSERT_EQ(early(formats(DataFormat::kFp16, false, false), raw), denormal ? 0 : x);
    ASSERT_EQ(early(formats(DataFormat::kBfp8a, false, true), raw), x / 8 * 8);
    ASSERT_EQ(early(formats(DataFormat::kFp8, false, true), raw), x / 256 * 256);
    const std::uint32_t e5m6 = early(formats(DataFormat::kBfp8a, false, false), raw);
    ASSERT_EQ(e5m6 % 16, 0u);
    if (denormal) {
      ASSERT_EQ(e5m6, 0u);
      continue;
    }
    const double value = fp16_value(x & 0x7FFF);
    const double ulp = std::ldexp(1.0, std::ilogb(value) - 6);
    const double nearest =
        std::min(std::floor(value / ulp + 0.5) * ulp, (2 - std::ldexp(1, -6)) * 65536);
    ASSERT_EQ(fp16_value(e5m6), x >> 15 ? -nearest : nearest) << std::hex << x;
  }
}

TEST(EarlyConversion, Int8ShiftsRoundsAndSaturates) {
  for (unsigned shift = 0; shift < 32; ++shift) {
    for (const std::uint32_t x : patterns()) {
      const double magnitude = x & 0x7FFFFFFF;
      const double scaled = std::floor(std::ldexp(magnitude, -static_cast<int>(shift)) + 0.5);
      PackFormats f = formats(DataFormat::kInt8, true, false);
      f.shift_amount = shift;
      ASSERT_EQ(early(f, dst_of_fp32(x)),
                (x >> 31) * 128 + static_cast<unsigned>(std::min(scaled, 127.0)));
      f.read_unsigned = true;
      ASSERT_EQ(early(f, dst_of_fp32(x)),
                x >> 31 ? 0 : static_cast<unsigned>(std::min(scaled, 255.0)));
      if (shift > 3) continue;
      f.read_raw = true;
      ASSERT_EQ(early(f, dst_of_fp32(x)), x % 256);
      f.read_unsigned = false;
      ASSERT_EQ(early(f, dst_of_fp32(x)), (x >> 31) * 128 + x % 128);
    }
  }
}

TEST(EarlyConversion, OnlyTheDocumentedSettings) {
  // Rows are intermediate formats. Bits: 16-bit Dst, 16-bit raw, 32-bit Dst, 32-bit raw.
  const unsigned kSupported[16] = {
      /*FP32*/ 12,  /*FP16*/ 3,  /*BFP8a*/ 3, /*BFP4a*/ 0,
      /*TF32*/ 13,  /*BF16*/ 15, /*BFP8*/ 15, /*BFP4*/ 0,
      /*INT32*/ 12, /*INT16*/ 3, /*FP8*/ 2,   /*BFP2a*/ 0, 0, 0, /*INT8*/ 14, /*BFP2*/ 0};
  for (unsigned format = 0; format < 16; ++format) {
    for (unsigned mode = 0; mode < 4; ++mode) {
      EXPECT_EQ(
          EarlyConversion(formats(static_cast<DataFormat>(format), mode & 2, mode & 1)).supported(),
          (kSupported[format] >> mode & 1) != 0)
          << format_name(static_cast<DataFormat>(format)) << " mode " << mode;
    }
  }
}

// ---- Late ---------------------------------------------------------------------------------------

std::uint32_t late(DataFormat from, DataFormat to, std::uint32_t value) {
  return converted(LateConversion(from, to), value);
}

TEST(LateConversion, EightBitExponentsAreTruncated) {
  for (const std::uint32_t x : patterns()) {
    ASSERT_EQ(late(DataFormat::kFp32, DataFormat::kFp32, x), x);
    const bool denormal = (x & 0x7F800000) == 0;
    ASSERT_EQ(late(DataFormat::kFp32, DataFormat::kBf16, x),
              denormal ? (x >> 31) << 15 : x / 65536);
    const std::uint32_t bf16 = x / 65536 * 65536, tf32 = x / 8192 * 8192;
    ASSERT_EQ(late(DataFormat::kBf16, DataFormat::kBf16, bf16), bf16 / 65536);
    ASSERT_EQ(late(DataFormat::kBf16, DataFormat::kFp32, bf16), bf16);
    ASSERT_EQ(late(DataFormat::kBf16, DataFormat::kTf32, bf16), bf16);
    ASSERT_EQ(late(DataFormat::kTf32, DataFormat::kTf32, tf32), tf32);
  }
}

TEST(LateConversion, NarrowExponentsSaturateThenTruncate) {
  for (const std::uint32_t x : patterns()) {
    const std::uint32_t fp16 = late(DataFormat::kFp32, DataFormat::kFp16, x);
    const std::uint32_t fp8 = late(DataFormat::kFp32, DataFormat::kFp8, x);
    ASSERT_EQ(fp16 >> 15, x >> 31);
    ASSERT_EQ(fp8 >> 7, x >> 31);
    const double value = (x & 0x7F800000) == 0x7F800000 ? HUGE_VAL  // NaN becomes infinity
                                                        : std::bit_cast<float>(x & 0x7FFFFFFF);
    if (value >= 131072) {
      ASSERT_EQ(fp16 & 0x7FFF, 0x7FFFu) << std::hex << x;
      ASSERT_EQ(fp8 & 0x7F, 0x7Fu) << std::hex << x;
    } else if (value <= std::ldexp(1, -15)) {
      ASSERT_EQ(fp16 & 0x7FFF, 0u) << std::hex << x;
      ASSERT_EQ(fp8 & 0x7F, 0u) << std::hex << x;
    } else if (value >= std::ldexp(1, -14)) {
      const double ulp16 = std::ldexp(1, std::ilogb(value) - 10);
      const double ulp8 = std::ldexp(1, std::ilogb(value) - 2);
      ASSERT_EQ(fp16_value(fp16 & 0x7FFF), std::floor(value / ulp16) * ulp16) << std::hex << x;
      ASSERT_EQ(fp16_value(fp8 << 8 & 0x7FFF), std::floor(value / ulp8) * ulp8) << std::hex << x;
    }
  }
}

TEST(LateConversion, EveryFp16Widens) {
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    ASSERT_EQ(late(DataFormat::kFp16, DataFormat::kFp16, x), x);
    const bool denormal = (x >> 10 & 0x1F) == 0;
    ASSERT_EQ(late(DataFormat::kFp16, DataFormat::kFp8, x), denormal ? x >> 15 << 7 : x >> 8);
    const float bf16 = std::bit_cast<float>(late(DataFormat::kFp16, DataFormat::kBf16, x) << 16);
    if (denormal) {
      ASSERT_EQ(bf16, 0) << std::hex << x;
      continue;  // the same as FP32 and TF32 mishandled
    }
    const double value = fp16_value(x);
    ASSERT_EQ(std::bit_cast<float>(late(DataFormat::kFp16, DataFormat::kFp32, x)), value);
    ASSERT_EQ(std::bit_cast<float>(late(DataFormat::kFp16, DataFormat::kTf32, x)), value);
    const double ulp = std::ldexp(1, std::ilogb(value) - 7);
    ASSERT_EQ(bf16, std::trunc(value / ulp) * ulp) << std::hex << x;
  }
}

// Neither mantissa nor exponent narrows, so denormals are kept.
TEST(LateConversion, EveryFp8StaysWhatItIs) {
  for (std::uint32_t x = 0; x < 0x100; ++x) {
    ASSERT_EQ(late(DataFormat::kFp8, DataFormat::kFp8, x << 8), x);
    ASSERT_EQ(late(DataFormat::kFp8, DataFormat::kFp16, x << 8), x << 8);
  }
}

// The page's list of settings for each type ("Configuring the conversions"), and the types that
// represent all values of it.
TEST(LateConversion, TakesWhatItsTypeHolds) {
  using enum DataFormat;
  const struct {
    PackFormats early;
    std::vector<DataFormat> held_by;
  } kSettings[] = {
      {formats(kInt32, true, false), {kFp32, kInt32}},
      {formats(kInt32, true, true), {kFp32, kInt32}},
      {formats(kFp32, true, false), {kFp32, kInt32}},
      {formats(kFp32, true, true, true), {kFp32, kInt32}},
      {formats(kTf32, true, true), {kFp32, kInt32}},
      {formats(kFp32, true, false, true), {kFp32, kTf32}},
      {formats(kTf32, true, false), {kFp32, kTf32}},
      {formats(kBf16, true, false), {kFp32, kTf32, kBf16}},
      {formats(kBf16, true, true), {kFp32, kTf32, kBf16}},
      {formats(kBfp8, true, true), {kFp32, kTf32, kBf16}},
      {formats(kBfp8, true, false), {kFp32, kTf32, kBf16}},
      {formats(kBf16, false, false), {kFp32, kTf32, kBf16}},
      {formats(kBf16, false, true), {kFp32, kTf32, kBf16}},
      {formats(kFp16, false, false), {kFp16}},
      {formats(kFp16, false, true), {kFp16}},
      {formats(kBfp8a, false, true), {kFp16, kBfp8a}},
      {formats(kBfp8a, false, false), {kFp16, kBfp8a}},
      {formats(kFp8, false, true), {kFp16, kBfp8a, kFp8}},
      {formats(kInt16, false, false), {kInt16}},
      {formats(kInt8, true, false), {kInt8}},
  };
  for (const auto& setting : kSettings) {
    const EarlyConversion early(setting.early);
    ASSERT_TRUE(early.supported());
    for (const DataFormat from :
         {kFp32, kTf32, kBf16, kFp16, kBfp8a, kFp8, kInt32, kInt16, kInt8}) {
      const auto& held_by = setting.held_by;
      EXPECT_EQ(LateConversion(from, from).accepts(early.type()),
                std::find(held_by.begin(), held_by.end(), from) != held_by.end())
          << &setting - kSettings << " as " << static_cast<int>(from);
    }
  }
}

TEST(LateConversion, IntegersPassUnchanged) {
  EXPECT_EQ(late(DataFormat::kInt32, DataFormat::kInt32, 0x81234567), 0x81234567u);
  EXPECT_EQ(late(DataFormat::kInt16, DataFormat::kInt16, 0xFEDC), 0xFEDCu);
  EXPECT_EQ(late(DataFormat::kInt8, DataFormat::kInt8, 0x85), 0x85u);
  EXPECT_FALSE(LateConversion(DataFormat::kInt32, DataFormat::kFp32).supported());
  EXPECT_FALSE(LateConversion(DataFormat::kFp32, DataFormat::kTf32).supported());
  EXPECT_FALSE(LateConversion(DataFormat::kFp32, DataFormat::kInt8).supported());
  EXPECT_FALSE(LateConversion(DataFormat::kBfp4, DataFormat::kBf16).supported());
}

void check_block(DataFormat to, const std::uint32_t* values, const double* numbers, int bias) {
  const LateConversion conversion(bias == 127 ? DataFormat::kBf16 : DataFormat::kFp16, to);
  std::uint32_t bits[16];
  const int shared = conversion.apply_block(values, bits);
  double largest = 0;
  for (int i = 0; i < 16; ++i) largest = std::max(largest, std::fabs(numbers[i]));
  if (largest == 0) {
    ASSERT_EQ(shared, 0);
  } else {
    ASSERT_EQ(shared, std::ilogb(largest) + bias);
  }
  const int width = static_cast<int>(conversion.bits());
  for (int i = 0; i < 16; ++i) {
    // Rounds to seven bits of magnitude, then truncates to the format.
    const double scaled = std::ldexp(std::fabs(numbers[i]), bias - shared + 6);
    const double seven = std::min(std::floor(scaled + 0.5), 127.0);
    const auto magnitude = static_cast<std::uint32_t>(std::floor(std::ldexp(seven, width - 8)));
    const std::uint32_t sign = magnitude != 0 && numbers[i] < 0 ? 1 : 0;
    ASSERT_EQ(bits[i], sign << (width - 1) | magnitude) << format_name(to) << " " << numbers[i];
  }
}

TEST(LateConversion, BlocksShareTheLargestExponent) {
  TestRandom random(5);
  for (int round = 0; round < 20000; ++round) {
    const unsigned spread = 1 + random.below(12), base = 20 + random.below(200);
    std::uint32_t wide[16], narrow[16];
    double wide_numbers[16], narrow_numbers[16];
    for (int i = 0; i < 16; ++i) {
      const unsigned kind = random.below(10);
      const std::uint32_t exponent = kind == 0 ? 0 : base + random.below(spread);
      const std::uint32_t sign = random.bits(1);
      const std::uint32_t mantissa = kind == 1 ? 0x7F : kind == 0 ? 0 : random.bits(7);
      wide[i] = sign << 31 | exponent << 23 | mantissa << 16;
      wide_numbers[i] = exponent == 0 ? 0 : std::bit_cast<float>(wide[i]);
      const std::uint32_t small = kind == 0 ? 0 : 1 + exponent % 31;
      narrow[i] = sign << 15 | small << 10 | mantissa << 3;
      narrow_numbers[i] = small == 0 ? 0 : fp16_value(narrow[i]);
    }
    for (const DataFormat to : {DataFormat::kBfp8, DataFormat::kBfp4, DataFormat::kBfp2}) {
      check_block(to, wide, wide_numbers, 127);
    }
    for (const DataFormat to : {DataFormat::kBfp8a, DataFormat::kBfp4a, DataFormat::kBfp2a}) {
      check_block(to, narrow, narrow_numbers, 15);
    }
  }
}

TEST(LateConversion, TakesOnlyTypesThatItsSourceCanHold) {
  const EarlyConversion bf16(formats(DataFormat::kBf16, true, false));
  const EarlyConversion fp32(formats(DataFormat::kFp32, true, false));
  const EarlyConversion int32(formats(DataFormat::kInt32, true, false));
  const EarlyConversion fp16(formats(DataFormat::kFp16, false, false));
  EXPECT_TRUE(LateConversion(DataFormat::kBf16, DataFormat::kBf16).accepts(bf16.type()));
  EXPECT_TRUE(LateConversion(DataFormat::kFp32, DataFormat::kBf16).accepts(bf16.type()));
  EXPECT_TRUE(LateConversion(DataFormat::kFp32, DataFormat::kFp32).accepts(int32.type()));
  EXPECT_FALSE(LateConversion(DataFormat::kBf16, DataFormat::kBf16).accepts(fp32.type()));
  EXPECT_FALSE(LateConversion(DataFormat::kBf16, DataFormat::kBf16).accepts(fp16.type()));
}

// ---- ReLU ---------------------------------------------------------------------------------------

TEST(Relu, AgainstFloatArithmetic) {
  const PackType type{PackContainer::kE8, 23};
  const std::uint32_t threshold = 0x40A0;  // 5 as BF16
  for (const std::uint32_t x : patterns()) {
    const float value = std::bit_cast<float>(x);
    for (unsigned mode = 0; mode < 4; ++mode) {
      const Relu relu(mode, threshold, DataFormat::kFp32, type);
      const float result = std::bit_cast<float>(relu.apply(x));
      float expected = value;
      if (mode == 1 && value <= 0) expected = 0;
      if (mode == 2 && value <= 5) expected = 0;
      if (mode == 3 && value <= 0) expected = 0;
      if (mode == 3 && value > 5) expected = 5;
      if (std::isnan(value)) {
        ASSERT_EQ(relu.apply(x), x);
      } else {
        ASSERT_EQ(result, expected) << std::hex << x << " mode " << mode;
      }
    }
  }
  EXPECT_FALSE(Relu(2, 0x8000, DataFormat::kFp32, type).defined());
  EXPECT_TRUE(Relu(1, 0x8000, DataFormat::kFp32, type).defined());
}

TEST(Relu, EveryFp16) {
  const PackType type{PackContainer::kE5, 10};
  for (std::uint32_t x = 0; x < 0x10000; ++x) {
    const double value = fp16_value(x);
    const Relu clamp(3, 0x4500, DataFormat::kFp16, type);  // 5 as FP16
    ASSERT_EQ(fp16_value(clamp.apply(x)), value <= 0 ? 0 : std::min(value, 5.0));
    const Relu cut(2, 0x4500, DataFormat::kFp16, type);
    ASSERT_EQ(fp16_value(cut.apply(x)), value <= 5 ? 0 : value);
  }
}

}  // namespace
}  // namespace tvp::tensix::coprocessor
