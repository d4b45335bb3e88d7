#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::support {

/// Who holds banks of L1 for longer than the cycle that a word takes: narrow writes, which are
/// read-modify-write (ISA TensixTile/L1.md).
class L1Holders {
 public:
  /// Words of 16 bytes that follow each other, so many in each cycle from `begin` on.
  struct Stream {
    std::uint32_t word = 0;
    std::uint32_t words = 0;
    std::uint32_t lanes = 1;
    Cycle begin = 0;
  };

  virtual ~L1Holders() = default;
  /// Cycles that the stream loses where one of its words finds its bank held, by what is known at
  /// `now`.
  virtual Cycle lost(const Stream& stream, Cycle now) = 0;
};

}  // namespace tvp::support
