#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace tvp::riscv {

/// The lines of L1 in the instruction cache (ISA BabyRISCV/InstructionCache.md), for timing only;
/// PredecodedCode has the words. A fetch from L1 is a 128-bit read of four instructions (ISA
/// L1.md). Direct mapping is assumed for Wormhole. A set of two ways replaces the older line.
class InstructionCache {
 public:
  static constexpr std::uint32_t kLineBytes = 16;
  static constexpr std::uint32_t kMaxLines = 256;
  static constexpr std::uint32_t kNothing = ~0U;
  /// Behind the lines: for each set of two ways, the way that the next line replaces.
  using Tags = std::array<std::uint32_t, kMaxLines + kMaxLines / 2>;

  /// `bytes` is a power of two, or 0 for a cache that holds everything.
  void configure(std::uint32_t bytes, std::uint32_t ways) {
    on_ = bytes != 0;
    ways_ = ways;
    mask_ = on_ ? bytes / kLineBytes / ways - 1 : 0;
    clear();
  }
  bool on() const { return on_; }
  void clear() {
    tags_.fill(kNothing);
    std::fill(tags_.begin() + kMaxLines, tags_.end(), 0);
  }

  /// Loads the line; returns the evicted one, or kNothing.
  std::uint32_t fill(std::uint32_t line) {
    const std::uint32_t set = line & mask_;
    std::uint32_t place = set * ways_;
    if (ways_ == 2) {
      place += tags_[kMaxLines + set];
      tags_[kMaxLines + set] ^= 1U;
    }
    return std::exchange(tags_[place], line);
  }
  bool has(std::uint32_t line) const { return tags_[place_of(line)] == line; }
  /// The place of a line that is cached.
  std::uint32_t place_of(std::uint32_t line) const {
    const std::uint32_t first = (line & mask_) * ways_;
    return ways_ == 1 || tags_[first] == line ? first : first + 1;
  }
  const Tags& tags() const { return tags_; }

 private:
  bool on_ = false;
  std::uint32_t mask_ = 0;
  std::uint32_t ways_ = 1;
  Tags tags_{};
};

}  // namespace tvp::riscv
