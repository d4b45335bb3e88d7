#pragma once

#include <bit>
#include <cstdint>

namespace tvp::workloads::sdpa {

/// Nearest BF16 of a float, ties to even; denormals become zero, as the coprocessor has none.
inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<std::uint16_t>((bits >> 16) | 0x40);
  const std::uint32_t rounded = bits + 0x7FFF + ((bits >> 16) & 1);
  const std::uint32_t result = rounded >> 16;
  return static_cast<std::uint16_t>((result & 0x7F80) == 0 ? result & 0x8000 : result);
}
inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}
inline float round_bf16(double value) { return from_bf16(to_bf16(static_cast<float>(value))); }

}  // namespace tvp::workloads::sdpa
