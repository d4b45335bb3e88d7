#pragma once

#include <cstdint>

namespace tvp::riscv {

// Results of multiplications and divisions (RISC-V M extension).

inline std::uint32_t high_signed(std::uint32_t a, std::uint32_t b) {
  const std::int64_t product =
      std::int64_t{static_cast<std::int32_t>(a)} * std::int64_t{static_cast<std::int32_t>(b)};
  return static_cast<std::uint32_t>(product >> 32);
}
inline std::uint32_t high_mixed(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(
      (std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int64_t>(b)) >> 32);
}
inline std::uint32_t high_unsigned(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * std::uint64_t{b}) >> 32);
}
inline std::uint32_t divide_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return ~0U;
  if (a == 0x80000000U && b == ~0U) return a;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) / static_cast<std::int32_t>(b));
}
inline std::uint32_t remainder_signed(std::uint32_t a, std::uint32_t b) {
  if (b == 0) return a;
  if (a == 0x80000000U && b == ~0U) return 0;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) % static_cast<std::int32_t>(b));
}

}  // namespace tvp::riscv
