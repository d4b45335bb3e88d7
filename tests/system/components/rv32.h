#pragma once

#include <cstdint>
#include <vector>

/// Encodings of the RISC-V base instruction set, for programs of a few words.
namespace rv32 {

constexpr std::uint32_t lui(unsigned rd, std::uint32_t upper) {
  return upper << 12 | rd << 7 | 0x37;
}
constexpr std::uint32_t addi(unsigned rd, unsigned rs, std::uint32_t value) {
  return (value & 0xFFF) << 20 | rs << 15 | rd << 7 | 0x13;
}
constexpr std::uint32_t add(unsigned rd, unsigned a, unsigned b) {
  return b << 20 | a << 15 | rd << 7 | 0x33;
}
constexpr std::uint32_t sub(unsigned rd, unsigned a, unsigned b) {
  return 1U << 30 | add(rd, a, b);
}
constexpr std::uint32_t lw(unsigned rd, unsigned rs, std::uint32_t offset) {
  return offset << 20 | rs << 15 | 2 << 12 | rd << 7 | 0x03;
}
constexpr std::uint32_t lhu(unsigned rd, unsigned rs, std::uint32_t offset) {
  return offset << 20 | rs << 15 | 5 << 12 | rd << 7 | 0x03;
}
constexpr std::uint32_t lbu(unsigned rd, unsigned rs, std::uint32_t offset) {
  return offset << 20 | rs << 15 | 4 << 12 | rd << 7 | 0x03;
}
constexpr std::uint32_t sw(unsigned from, unsigned rs, std::uint32_t offset) {
  return offset / 32 << 25 | from << 20 | rs << 15 | 2 << 12 | offset % 32 << 7 | 0x23;
}
constexpr std::uint32_t sb(unsigned from, unsigned rs, std::uint32_t offset) {
  return offset / 32 << 25 | from << 20 | rs << 15 | offset % 32 << 7 | 0x23;
}
/// Branches back by `bytes` while the registers are equal.
constexpr std::uint32_t back_if_equal(unsigned a, unsigned b, unsigned bytes) {
  const std::uint32_t to = 0x2000 - bytes;
  return (to >> 12 & 1) << 31 | (to >> 5 & 63) << 25 | b << 20 | a << 15 | (to >> 1 & 15) << 8 |
         (to >> 11 & 1) << 7 | 0x63;
}
constexpr std::uint32_t back_if_different(unsigned a, unsigned b, unsigned bytes) {
  return back_if_equal(a, b, bytes) | 1 << 12;
}
constexpr std::uint32_t back_if_zero(unsigned rs, unsigned bytes) {
  return back_if_equal(rs, 0, bytes);
}
constexpr std::uint32_t kEbreak = 0x00100073;
constexpr std::uint32_t kStay = 0x0000006F;  ///< a jump to itself

/// rd = value.
inline void load_constant(std::vector<std::uint32_t>& program, unsigned rd, std::uint32_t value) {
  program.push_back(lui(rd, (value + 0x800) >> 12));
  program.push_back(addi(rd, rd, value));
}

}  // namespace rv32
