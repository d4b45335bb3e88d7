#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

/// Arrival times of the lines of code that a core fetches from L1. The front end runs ahead along
/// the predicted path by at most two lines and fetches one line after the other. A wrong prediction
/// restarts it.
///
/// Straight code that is never cached thus advances by one line for each fetch time. An unpredicted
/// jump waits for a whole fetch. A single absent line among present ones costs nothing. For several
/// absent lines in a row, the code before them hides at most the time of two lines. Measured loops
/// also fit two concurrent fetches that take twice as long, but tt-llk's perf_matmul on single
/// cores, whose code jumps, excludes that. Times are in eighths of a cycle.
class LineFetches {
 public:
  using Cycle = support::Cycle;
  /// A fetch begins at most this many cycles before its line is needed: eight instructions.
  /// Measured (mesham/tt-sim riscvbench, phase F on Wormhole): a loop one line longer than its
  /// cache waits 1.6 cycles a round, on T1 and on T0, when it jumps back. With one line it would
  /// wait three to five cycles on T1; with the whole loop, none.
  static constexpr Cycle kMostAhead = 8;
  /// Times until which past events can delay a line, relative to a cycle.
  using Ahead = std::array<Cycle, 2>;

  /// Sets the cycles of one fetch from L1.
  void configure(double fetch_cycles) { fetch_ = static_cast<Cycle>(fetch_cycles * kParts); }
  void clear(Cycle now) {
    redirected_ = now;
    arrival_ = 0;
  }
  /// The front end restarts at cycle t.
  [[gnu::always_inline]] void redirect(Cycle t) { redirected_ = t; }

  /// For code that reimplements redirect(): the address of that cycle.
  const Cycle* redirected() const { return &redirected_; }

  /// An absent line is needed at cycle t. Returns its arrival.
  Cycle needed(Cycle t) {
    const Cycle soonest = t - std::min(t, kMostAhead);
    arrival_ = std::max({redirected_ * kParts, arrival_, soonest * kParts}) + fetch_;
    return std::max(t, (arrival_ + kParts - 1) / kParts);
  }

  Ahead seen_from(Cycle t) const {
    const auto ahead = [&](Cycle asked) {
      const Cycle now = t * kParts;
      return asked + fetch_ > now ? asked + fetch_ - now : 0;
    };
    return {ahead(redirected_ * kParts), ahead(arrival_)};
  }
  /// Delays all past events by `by` cycles.
  void shift(Cycle by) {
    redirected_ += by;
    arrival_ += by * kParts;
  }

 private:
  static constexpr Cycle kParts = 8;

  Cycle fetch_ = 0;
  Cycle redirected_ = 0;
  Cycle arrival_ = 0;  ///< arrival of the last line
};

}  // namespace tvp::riscv
