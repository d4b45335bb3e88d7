// Lanes of additions in L1 compared with the nearest value of the format.

#include <gtest/gtest.h>

#include <cmath>

#include "models/tensix/coprocessor/pack/packers.h"
#include "tests/unit/tensix/movement/movement_bench.h"

namespace tvp::tensix::coprocessor::l1_accumulation_test {
namespace {

/// Value of a datum by the documentation: no denormals, and FP16 has no infinity.
long double lane_value(DataFormat format, std::uint32_t bits) {
  const unsigned mantissa_bits = format == DataFormat::kFp32   ? 23
                                 : format == DataFormat::kBf16 ? 7
                                                               : 10;
  const unsigned exponent_bits = format == DataFormat::kFp16 ? 5 : 8;
  const int bias = format == DataFormat::kFp16 ? 15 : 127;
  const auto exponent = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  if (exponent == 0) return 0;
  const std::uint32_t mantissa = bits & ((1U << mantissa_bits) - 1);
  const long double magnitude = std::ldexp(
      1.0L + std::ldexp(static_cast<long double>(mantissa), -static_cast<int>(mantissa_bits)),
      exponent - bias);
  return (bits >> (mantissa_bits + exponent_bits)) != 0 ? -magnitude : magnitude;
}

TEST(L1Accumulation, RoundsSumsToTheNearest) {
  TestRandom random(19);
  for (const DataFormat format : {DataFormat::kFp32, DataFormat::kBf16, DataFormat::kFp16}) {
    const unsigned width = format == DataFormat::kFp32 ? 32 : 16;
    const std::uint32_t sign = 1U << (width - 1);
    for (unsigned trial = 0; trial < 20000; ++trial) {
      std::uint32_t a = random.bits(width - 1);
      // Often of similar magnitude, so that sums cancel and tie.
      std::uint32_t b =
          trial % 2 == 0 ? random.bits(width - 1) : (a ^ random.bits(width - 4)) & (sign - 1);
      const auto infinite = [&](std::uint32_t x) {
        return format != DataFormat::kFp16 &&
               (format == DataFormat::kFp32 ? x >= 0x7F000000 : x >= 0x7F00);
      };
      if (infinite(a) || infinite(b)) continue;
      a |= random.bits(1) * sign;
      b |= random.bits(1) * sign;
      std::array<std::uint8_t, 16> memory{}, data{};
      std::memcpy(memory.data() + 16 - width / 8, &a, width / 8);
      std::memcpy(data.data() + 16 - width / 8, &b, width / 8);
      L1Accumulation::add(format, data.data(), memory.data());
      std::uint32_t result = 0;
      std::memcpy(&result, memory.data() + 16 - width / 8, width / 8);
      const long double exact = lane_value(format, a) + lane_value(format, b);
      const long double got = lane_value(format, result);
      const long double off = std::abs(exact - got);
      const std::uint32_t magnitude = result & (sign - 1);
      const std::uint32_t smallest = format == DataFormat::kFp32   ? 1U << 23
                                     : format == DataFormat::kBf16 ? 1U << 7
                                                                   : 1U << 10;
      if (magnitude == 0) {
        ASSERT_LT(std::abs(exact), lane_value(format, smallest));
        continue;
      }
      for (const std::uint32_t other : {magnitude - 1, magnitude + 1}) {
        if (other < smallest || other >= sign) continue;
        const long double neighbor = lane_value(format, other | (result & sign));
        ASSERT_LE(off, std::abs(exact - neighbor))
            << std::hex << a << " + " << b << " = " << result;
        if (off == std::abs(exact - neighbor)) {
          ASSERT_EQ(result & 1, 0u) << std::hex << a << " + " << b;
        }
      }
    }
  }
}

TEST(L1Accumulation, IntegersSaturateAndSpecialValuesStay) {
  const auto sum = [](DataFormat format, std::uint32_t a, std::uint32_t b) {
    std::array<std::uint32_t, 4> memory{a, a, a, a};
    const std::array<std::uint32_t, 4> data{b, b, b, b};
    L1Accumulation::add(format, reinterpret_cast<const std::uint8_t*>(data.data()),
                        reinterpret_cast<std::uint8_t*>(memory.data()));
    EXPECT_EQ(memory[0], memory[3]);
    return memory[0];
  };
  EXPECT_EQ(sum(DataFormat::kInt32, 5, 0x80000007), 0x80000002u);
  EXPECT_EQ(sum(DataFormat::kInt32, 5, 0x80000005), 0u);
  EXPECT_EQ(sum(DataFormat::kInt32, 0x7FFFFFFF, 1), 0x7FFFFFFFu);
  EXPECT_EQ(sum(DataFormat::kInt32, 0xFFFFFFFF, 0x80000001), 0xFFFFFFFFu);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x7F800000, 0x3F800000), 0x7F800000u);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x7F7FFFFF, 0x7F7FFFFF), 0x7F800000u);
  EXPECT_EQ(sum(DataFormat::kFp32, 0x00000001, 0x00000001), 0u);  // denormals
  EXPECT_EQ(sum(DataFormat::kBf16, 0x7F7F7F7F, 0x7F7F7F7F), 0x7F807F80u);
  EXPECT_EQ(sum(DataFormat::kBf16, 0xFF80FF80, 0x3F803F80), 0xFF80FF80u);
  EXPECT_EQ(sum(DataFormat::kFp16, 0x7BFF7BFF, 0x7BFF7BFF), 0x7FFF7FFFu);  // 131008 is in range
  EXPECT_EQ(sum(DataFormat::kFp16, 0x7FFF7FFF, 0x7FFF7FFF), 0x7FFF7FFFu);
}

}  // namespace
}  // namespace tvp::tensix::coprocessor::l1_accumulation_test
