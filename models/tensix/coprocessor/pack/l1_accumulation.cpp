#include "models/tensix/coprocessor/pack/l1_accumulation.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tvp::tensix::coprocessor {

namespace {

std::uint32_t without_denormal(std::uint32_t bits) {
  return (bits & 0x7F800000) == 0 ? bits & 0x80000000 : bits;
}

std::uint32_t add_fp32(std::uint32_t a, std::uint32_t b) {
  const float sum =
      std::bit_cast<float>(without_denormal(a)) + std::bit_cast<float>(without_denormal(b));
  return without_denormal(std::bit_cast<std::uint32_t>(sum));
}

/// The sum of two BF16 is exact in double, so it is rounded once.
std::uint32_t add_bf16(std::uint32_t a, std::uint32_t b) {
  const double sum = static_cast<double>(std::bit_cast<float>(without_denormal(a << 16))) +
                     static_cast<double>(std::bit_cast<float>(without_denormal(b << 16)));
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (std::isnan(sum)) return static_cast<std::uint32_t>(bits >> 63) << 15 | 0x7FC0;
  const std::uint64_t sign = (bits >> 63) << 15;
  const std::uint64_t rounded =
      (bits & ~(std::uint64_t{1} << 63)) + 0xFFFFFFFFFFF + ((bits >> 45) & 1);
  const auto exponent = static_cast<std::int64_t>(rounded >> 52) - (1023 - 127);
  if (exponent <= 0) return static_cast<std::uint32_t>(sign);
  if (exponent >= 255) return static_cast<std::uint32_t>(sign | 0x7F80);
  const std::uint64_t mantissa = (rounded >> 45) & 0x7F;
  return static_cast<std::uint32_t>(sign | static_cast<std::uint64_t>(exponent) << 7 | mantissa);
}

double fp16_value(std::uint32_t bits) {
  const unsigned exponent = bits >> 10 & 0x1F;
  if (exponent == 0) return (bits & 0x8000) != 0 ? -0.0 : 0.0;
  const double magnitude =
      std::ldexp(1024.0 + (bits & 0x3FF), static_cast<int>(exponent) - 15 - 10);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

std::uint32_t add_fp16(std::uint32_t a, std::uint32_t b) {
  const double sum = fp16_value(a) + fp16_value(b);
  const std::uint32_t sign = std::signbit(sum) ? 0x8000 : 0;
  if (sum == 0) return sign;
  int exponent = std::ilogb(sum);
  auto mantissa =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::abs(sum), 10 - exponent)));
  if (mantissa == 2048) {
    mantissa = 1024;
    ++exponent;
  }
  if (exponent + 15 <= 0) return sign;
  if (exponent + 15 > 31) return sign | 0x7FFF;
  return sign | static_cast<std::uint32_t>(exponent + 15) << 10 | (mantissa & 0x3FF);
}

std::uint32_t add_int32(std::uint32_t a, std::uint32_t b) {
  const auto value = [](std::uint32_t bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & 0x7FFFFFFF);
    return (bits >> 31) != 0 ? -magnitude : magnitude;
  };
  constexpr std::int64_t kLargest = 0x7FFFFFFF;
  const std::int64_t sum = std::clamp(value(a) + value(b), -kLargest, kLargest);
  const auto magnitude = static_cast<std::uint32_t>(sum < 0 ? -sum : sum);
  return magnitude | (sum < 0 ? 0x80000000u : 0u);
}

template <typename Lane, typename Add>
void for_each_lane(const std::uint8_t* data, std::uint8_t* memory, Add add) {
  for (unsigned i = 0; i < L1Accumulation::kBytes; i += sizeof(Lane)) {
    Lane a;
    Lane b;
    std::memcpy(&a, memory + i, sizeof(Lane));
    std::memcpy(&b, data + i, sizeof(Lane));
    a = static_cast<Lane>(add(a, b));
    std::memcpy(memory + i, &a, sizeof(Lane));
  }
}

}  // namespace

void L1Accumulation::add(DataFormat format, const std::uint8_t* data, std::uint8_t* memory) {
  switch (format) {
    case DataFormat::kFp32:
      return for_each_lane<std::uint32_t>(data, memory, add_fp32);
    case DataFormat::kInt32:
      return for_each_lane<std::uint32_t>(data, memory, add_int32);
    case DataFormat::kFp16:
      return for_each_lane<std::uint16_t>(data, memory, add_fp16);
    default:
      return for_each_lane<std::uint16_t>(data, memory, add_bf16);
  }
}

}  // namespace tvp::tensix::coprocessor
