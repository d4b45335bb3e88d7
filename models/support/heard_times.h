#pragma once

#include <vector>

#include "models/support/time.h"

namespace tvp::support {

/// Times in which packets can meet accesses to L1: while packets with data arrive, and for a while
/// after. Accesses in these times are reported in the tile's order, and only then do NIUs ask for
/// them. So the result does not depend on which agent ran ahead, or sleeps and does not execute its
/// accesses.
class HeardTimes {
 public:
  struct Span {
    Cycle from = 0, until = 0;
  };

  /// A packet's header arrives at cycle `now`; its data arrive in the next cycle at the earliest.
  void begins(Cycle now) {
    if (packets_++ != 0) return;
    if (now >= until_) spans_.push_back({.from = now + 1});
    until_ = spans_.back().until = kNever;
  }
  void ends(Cycle now) {
    if (--packets_ == 0) until_ = spans_.back().until = now + kBehind;
  }
  /// True if an action at cycle c must be reported.
  bool hears(Cycle c) const { return c < until_; }

  /// In ascending order.
  const std::vector<Span>& spans() const { return spans_; }
  bool meets(Cycle from, Cycle until) const {
    for (const Span& span : spans_) {
      if (from < span.until && span.from < until) return true;
    }
    return false;
  }
  /// Times before `before` will not be asked for any more.
  void forget(Cycle before) {
    std::erase_if(spans_, [&](const Span& span) { return span.until <= before; });
  }

 private:
  /// Allowance in cycles for the part of a packet that L1 has not taken yet, and for waiting
  /// stores.
  static constexpr Cycle kBehind = 64;
  unsigned packets_ = 0;
  Cycle until_ = 0;
  std::vector<Span> spans_;
};

}  // namespace tvp::support
