#pragma once

#include <cstdint>
#include <vector>

#include "models/tensix/tile/l1_banks.h"

namespace tvp::tensix {

/// The words that a NIU reads from L1 and writes back, in a copy from a tile to itself. A returning
/// word conflicts with a read that needs the same bank in the same cycle (ISA TensixTile/L1.md).
/// The write goes first and the read waits for a cycle (assumed). That gap travels with the later
/// words, so nothing conflicts until it returns; then the conflict repeats.
class ReturningWords {
 public:
  /// `read` begins each of its turns when none of its banks is being written. The words of a turn
  /// are written `after` cycles later, from `word` on. Returns the cycle after the last turn.
  support::Cycle pass(const L1Banks::Stream& read, std::uint32_t word, support::Cycle after);

 private:
  using Banks = std::uint16_t;
  struct Turn {
    support::Cycle at = support::kNever;
    Banks banks = 0;
  };
  Banks written_at(support::Cycle at) const {
    const Turn& turn = turns_[at & (turns_.size() - 1)];
    return turn.at == at ? turn.banks : Banks{0};
  }

  /// Index: cycle modulo the size, a power of two that exceeds the look-ahead.
  std::vector<Turn> turns_;
};

}  // namespace tvp::tensix
