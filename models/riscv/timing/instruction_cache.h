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

  /// Behind the lines: for each set of two ways, the way that the next line replaces. Copies and
  /// comparisons touch only what the cache has, because each turn of a poll makes some.
  class Tags {
   public:
    Tags() {}  // NOLINT: words behind used_ have no value
    Tags(const Tags& other) { *this = other; }
    Tags& operator=(const Tags& other) {
      used_ = other.used_;
      std::copy_n(other.words_.begin(), used_, words_.begin());
      return *this;
    }
    bool operator==(const Tags& other) const {
      return used_ == other.used_ &&
             std::equal(words_.begin(), words_.begin() + used_, other.words_.begin());
    }
    std::uint32_t& operator[](std::size_t index) { return words_[index]; }
    std::uint32_t operator[](std::size_t index) const { return words_[index]; }
    void fill(std::uint32_t lines, std::uint32_t sets) {
      used_ = lines + sets;
      std::fill_n(words_.begin(), lines, kNothing);
      std::fill_n(words_.begin() + lines, sets, 0U);
    }

   private:
    std::uint32_t used_ = 0;
    std::array<std::uint32_t, kMaxLines + kMaxLines / 2> words_;
  };

  /// `bytes` is a power of two, or 0 for a cache that holds everything.
  void configure(std::uint32_t bytes, std::uint32_t ways) {
    on_ = bytes != 0;
    ways_ = ways;
    mask_ = on_ ? bytes / kLineBytes / ways - 1 : 0;
    clear();
  }
  bool on() const { return on_; }
  void clear() { tags_.fill(lines(), ways_ == 2 ? mask_ + 1 : 0); }

  /// Loads the line; returns the evicted one, or kNothing.
  std::uint32_t fill(std::uint32_t line) {
    const std::uint32_t set = line & mask_;
    std::uint32_t place = set * ways_;
    if (ways_ == 2) {
      std::uint32_t& older = tags_[lines() + set];
      place += older;
      older ^= 1U;
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
  std::uint32_t lines() const { return (mask_ + 1) * ways_; }

  bool on_ = false;
  std::uint32_t mask_ = 0;
  std::uint32_t ways_ = 1;
  Tags tags_{};
};

}  // namespace tvp::riscv
