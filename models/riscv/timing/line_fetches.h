#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

/// When the lines of code that a core has to fetch from L1 arrive.
///
/// The front end runs ahead of the instructions along the predicted path, by no more than two
/// lines, and fetches one line after the other; a wrong prediction makes it begin anew. So code
/// that is fetched for ever advances by a line in the time of a fetch, a jump that was not foreseen
/// waits for one, a single absent line among others that are there costs nothing, and of several in
/// a row what lies in front of them hides no more than what two lines take. Measured loops also fit
/// two fetches at a time that take twice as long; products of single cores (tt-llk's perf_matmul),
/// whose code jumps, exclude that. Times are in eighths of a cycle.
class LineFetches {
 public:
  using Cycle = support::Cycle;
  /// A fetch begins at most this many cycles before its line is needed: eight instructions.
  /// Measured (mesham/tt-sim riscvbench, phase F on Wormhole): a loop a line longer than its cache
  /// waits 1.6 cycles a round, on T1 and on T0, for the line that its jump goes back to. Were it
  /// one line, it would wait three to five on T1; the whole loop, none.
  static constexpr Cycle kMostAhead = 8;
  /// Until when what has happened can make a line late, as it looks from some cycle.
  using Ahead = std::array<Cycle, 2>;

  /// Sets the cycles of one fetch from L1.
  void configure(double fetch_cycles) { fetch_ = static_cast<Cycle>(fetch_cycles * kParts); }
  void clear(Cycle now) {
    redirected_ = now;
    arrival_ = 0;
  }
  /// The front end begins anew at cycle t.
  [[gnu::always_inline]] void redirect(Cycle t) { redirected_ = t; }

  /// For code that does the same: where that cycle stands.
  const Cycle* redirected() const { return &redirected_; }

  /// A line is needed at cycle t, and absent: when it is there.
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
  /// As if all had happened `by` cycles later.
  void shift(Cycle by) {
    redirected_ += by;
    arrival_ += by * kParts;
  }

 private:
  static constexpr Cycle kParts = 8;

  Cycle fetch_ = 0;
  Cycle redirected_ = 0;
  Cycle arrival_ = 0;  ///< of the last line
};

}  // namespace tvp::riscv
