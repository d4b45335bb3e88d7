#pragma once

#include <array>
#include <cstdint>

namespace tvp::riscv {

/// Which lines of L1 the instruction cache holds (ISA BabyRISCV/InstructionCache.md), for timing
/// only: what the words are is PredecodedCode's business.
///
/// A fetch from L1 is a 128-bit read of four instructions (ISA L1.md). The prefetcher is taken to
/// keep up with straight code, which needs one such read every four cycles, so that only a jump to
/// a line that is absent waits. Direct mapping and the wait are assumed.
class InstructionCache {
 public:
  static constexpr std::uint32_t kLineBytes = 16;
  static constexpr std::uint32_t kMaxLines = 128;
  using Tags = std::array<std::uint32_t, kMaxLines>;

  /// `bytes` is a power of two, or 0 for a cache that has everything.
  void configure(std::uint32_t bytes, std::uint32_t miss_cycles) {
    on_ = bytes != 0;
    mask_ = on_ ? bytes / kLineBytes - 1 : 0;
    miss_cycles_ = miss_cycles;
    clear();
  }
  bool on() const { return on_; }
  void clear() { tags_.fill(kNothing); }

  /// The words from `first` to `last` have been executed in a row.
  void ran(std::uint32_t first, std::uint32_t last) {
    if (first >= kUncached) return;
    for (std::uint32_t line = first / kLineBytes; line <= last / kLineBytes; ++line) {
      tags_[line & mask_] = line;
    }
  }
  /// Cycles that a jump to `target` waits for its line.
  std::uint32_t jump(std::uint32_t target) {
    if (target >= kUncached) return 0;
    const std::uint32_t line = target / kLineBytes;
    if (tags_[line & mask_] == line) return 0;
    tags_[line & mask_] = line;
    return miss_cycles_;
  }
  const Tags& tags() const { return tags_; }

 private:
  static constexpr std::uint32_t kNothing = ~0U;
  static constexpr std::uint32_t kUncached = 0xFF000000;  ///< instruction RAM

  bool on_ = false;
  std::uint32_t mask_ = 0;
  std::uint32_t miss_cycles_ = 0;
  Tags tags_{};
};

}  // namespace tvp::riscv
