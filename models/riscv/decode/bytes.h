#pragma once

#include <cstdint>

namespace tvp::riscv {

// Results of the Zbb instructions that treat a word as four bytes.

/// 0xFF for each byte that is not zero.
inline std::uint32_t bytes_with_bits(std::uint32_t a) {
  const std::uint32_t low = (a & 0x7F7F7F7FU) + 0x7F7F7F7FU;
  return ((low | a) >> 7 & 0x01010101U) * 0xFFU;
}
inline std::uint32_t reversed_bytes(std::uint32_t a) {
  return a << 24 | (a & 0xFF00U) << 8 | (a >> 8 & 0xFF00U) | a >> 24;
}

}  // namespace tvp::riscv
