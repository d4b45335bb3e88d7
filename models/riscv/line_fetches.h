#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

/// When the lines of code that a core has to fetch from L1 arrive.
///
/// The front end runs ahead of the instructions along the predicted path and has two fetches under
/// way at the most (ISA BabyRISCV/InstructionCache.md, maximum in-flight prefetches); a wrong
/// prediction makes it begin anew. So code that is fetched for ever advances by two lines in the
/// time of a fetch, and a single absent line among others that are there costs nothing. Counted in
/// quarters of a cycle.
class LineFetches {
 public:
  using Cycle = support::Cycle;
  /// Until when what has happened can make a line late, as it looks from some cycle.
  using Ahead = std::array<Cycle, 3>;

  /// Of one fetch from L1.
  void configure(double fetch_cycles) { fetch_ = static_cast<Cycle>(fetch_cycles * kQuarters); }
  void clear(Cycle now) {
    redirected_ = now;
    arrivals_ = {};
  }
  /// The front end begins anew at cycle t.
  [[gnu::always_inline]] void redirect(Cycle t) { redirected_ = t; }

  /// A line is needed at cycle t, and absent: when it is there.
  Cycle needed(Cycle t) {
    const Cycle asked = std::max(redirected_ * kQuarters, arrivals_[0]);
    arrivals_ = {arrivals_[1], asked + fetch_};
    return std::max(t, (asked + fetch_ + kQuarters - 1) / kQuarters);
  }

  Ahead seen_from(Cycle t) const {
    const auto ahead = [&](Cycle asked) {
      const Cycle now = t * kQuarters;
      return asked + fetch_ > now ? asked + fetch_ - now : 0;
    };
    return {ahead(redirected_ * kQuarters), ahead(arrivals_[0]), ahead(arrivals_[1])};
  }
  /// As if all had happened `by` cycles later.
  void shift(Cycle by) {
    redirected_ += by;
    for (Cycle& arrival : arrivals_) arrival += by * kQuarters;
  }

 private:
  static constexpr Cycle kQuarters = 4;

  Cycle fetch_ = 0;
  Cycle redirected_ = 0;
  std::array<Cycle, 2> arrivals_{};  ///< of the last two fetches
};

}  // namespace tvp::riscv
