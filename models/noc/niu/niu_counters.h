#pragma once

#include <array>
#include <cstdint>

#include "foundation/regs/noc.h"

namespace tvp::noc {

/// The status counters of a NIU (ISA NoC/Counters.md), indexed as in regs/noc.h.
class NiuCounters {
 public:
  std::uint32_t operator[](unsigned index) const { return words_[index]; }
  void count(unsigned index, std::uint32_t amount = 1) { words_[index] += amount; }
  /// The counters of a transaction id have 8 bits and wrap silently.
  void count_id(unsigned first, unsigned id, int amount) {
    std::uint32_t& word = words_[first + id];
    word = (word + static_cast<std::uint32_t>(amount)) & 0xFF;
  }
  void clear(unsigned index) { words_[index] = 0; }

 private:
  std::array<std::uint32_t, regs::noc::kCounters> words_{};
};

}  // namespace tvp::noc
