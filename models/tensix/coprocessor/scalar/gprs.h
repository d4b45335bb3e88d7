#pragma once

#include <array>
#include <cstdint>

namespace tvp::tensix::coprocessor {

/// GPRs[3][64] of the scalar unit (ISA TensixCoprocessor/ScalarUnit.md, GPRs).
struct Gprs {
  static constexpr unsigned kCount = 64;
  using Thread = std::array<std::uint32_t, kCount>;

  std::array<Thread, 3> thread{};

  Thread& operator[](unsigned t) { return thread[t]; }
  const Thread& operator[](unsigned t) const { return thread[t]; }

  /// Half `half` (0..127) of a thread's registers; even halves are the low ones.
  std::uint16_t half(unsigned t, unsigned half) const {
    return static_cast<std::uint16_t>(thread[t][half >> 1] >> ((half & 1U) * 16));
  }
  void set_half(unsigned t, unsigned half, std::uint16_t value) {
    const unsigned shift = (half & 1U) * 16;
    std::uint32_t& reg = thread[t][half >> 1];
    reg = (reg & ~(0xFFFFU << shift)) | (std::uint32_t{value} << shift);
  }
};

}  // namespace tvp::tensix::coprocessor
