#pragma once

#include <cstdint>

namespace tvp::programs {

/// A CRC by table and bit by bit, and copies of bytes and halfwords: narrow loads and stores.
inline std::uint32_t bytes(std::uint32_t rounds) {
  constexpr std::uint32_t kBytes = 512;
  constexpr std::uint32_t kPolynomial = 0xEDB88320U;
  static std::uint8_t from[kBytes], to[kBytes];
  static std::uint16_t halves[kBytes / 2];
  static std::uint32_t table[256];
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t entry = i;
    for (int bit = 0; bit < 8; ++bit) entry = (entry >> 1) ^ ((entry & 1) != 0 ? kPolynomial : 0);
    table[i] = entry;
  }
  for (std::uint32_t i = 0; i < kBytes; ++i) from[i] = static_cast<std::uint8_t>(i * 37 + 11);
  std::uint32_t sum = 0;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < kBytes; ++i) {
      to[i] = from[(i + round) & (kBytes - 1)];
    }
    for (std::uint32_t i = 0; i < kBytes / 2; ++i) {
      halves[i] = static_cast<std::uint16_t>(to[2 * i] | to[2 * i + 1] << 8);
    }
    std::uint32_t check = ~0U;
    for (std::uint32_t i = 0; i < kBytes; ++i) {
      check = table[(check ^ to[i]) & 0xFF] ^ (check >> 8);
    }
    for (std::uint32_t i = 0; i < kBytes / 2; i += 8) {
      check ^= halves[i];
      for (int bit = 0; bit < 16; ++bit)
        check = (check >> 1) ^ ((check & 1) != 0 ? kPolynomial : 0);
    }
    sum = sum * 17 + check;
    from[round & (kBytes - 1)] = static_cast<std::uint8_t>(check);
  }
  return sum;
}

}  // namespace tvp::programs
