#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::ethernet {

/// Period of a clock as a fraction, so that edge n lies at n*num/den ps and rounding never adds up.
struct ClockRatio {
  std::uint64_t numerator_ps = 1000;
  std::uint64_t denominator = 1;

  /// Time of edge n, rounded down to whole picoseconds.
  std::uint64_t time_ps(support::Cycle edge) const {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(edge) * numerator_ps /
                                      denominator);
  }
  /// First edge at `ps` or later.
  support::Cycle edge_at_or_after(std::uint64_t ps) const {
    const unsigned __int128 scaled = static_cast<unsigned __int128>(ps) * denominator;
    return static_cast<support::Cycle>((scaled + numerator_ps - 1) / numerator_ps);
  }
};

}  // namespace tvp::ethernet
