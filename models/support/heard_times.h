#pragma once

#include <vector>

#include "models/support/time.h"

namespace tvp::support {

/// When somebody could meet what is done at L1: while packets with data come in, and a while behind
/// them. What is done then is told, by the tile's order of everything, and only then somebody asks
/// for it: so it makes no difference who has run ahead, or sleeps and does not execute it.
class HeardTimes {
 public:
  struct Span {
    Cycle from = 0, until = 0;
  };

  /// The header of a packet comes at cycle `now`; its data do not come before the next one.
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

  /// In order.
  const std::vector<Span>& spans() const { return spans_; }
  bool meets(Cycle from, Cycle until) const {
    for (const Span& span : spans_) {
      if (from < span.until && span.from < until) return true;
    }
    return false;
  }
  /// Nobody asks any more for what was before.
  void forget(Cycle before) {
    std::erase_if(spans_, [&](const Span& span) { return span.until <= before; });
  }

 private:
  /// Cycles for the part of an arrived packet that L1 has not taken yet, and for waiting stores.
  static constexpr Cycle kBehind = 64;
  unsigned packets_ = 0;
  Cycle until_ = 0;
  std::vector<Span> spans_;
};

}  // namespace tvp::support
