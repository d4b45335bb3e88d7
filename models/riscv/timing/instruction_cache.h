#pragma once

#include <array>
#include <cstdint>

namespace tvp::riscv {

/// The lines of L1 in the instruction cache (ISA BabyRISCV/InstructionCache.md), for timing only;
/// PredecodedCode has the words. A fetch from L1 is a 128-bit read of four instructions (ISA
/// L1.md). Direct mapping is assumed.
class InstructionCache {
 public:
  static constexpr std::uint32_t kLineBytes = 16;
  static constexpr std::uint32_t kMaxLines = 128;
  static constexpr std::uint32_t kNothing = ~0U;
  using Tags = std::array<std::uint32_t, kMaxLines>;

  /// `bytes` is a power of two, or 0 for a cache that holds everything.
  void configure(std::uint32_t bytes) {
    on_ = bytes != 0;
    mask_ = on_ ? bytes / kLineBytes - 1 : 0;
    clear();
  }
  bool on() const { return on_; }
  void clear() { tags_.fill(kNothing); }

  /// Loads the line; returns the evicted one, or kNothing.
  std::uint32_t fill(std::uint32_t line) {
    const std::uint32_t evicted = tags_[line & mask_];
    tags_[line & mask_] = line;
    return evicted;
  }
  bool has(std::uint32_t line) const { return tags_[place_of(line)] == line; }
  std::uint32_t place_of(std::uint32_t line) const { return line & mask_; }
  const Tags& tags() const { return tags_; }

 private:
  bool on_ = false;
  std::uint32_t mask_ = 0;
  Tags tags_{};
};

}  // namespace tvp::riscv
