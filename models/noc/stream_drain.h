#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/support/time.h"

namespace tvp::noc {

/// A short queue between a link and a receiver that takes the data of writes more slowly than the
/// link delivers it. Times are fractions of a cycle, so that the rate is exact. Without a rate it
/// accepts all flits.
class StreamDrain {
 public:
  StreamDrain() = default;
  StreamDrain(double cycles_a_flit, unsigned flits)
      : ticks_a_flit_(static_cast<std::uint64_t>(std::lround(cycles_a_flit * kTicks))),
        flits_(flits) {}

  bool limits() const { return ticks_a_flit_ != 0; }
  /// Free space in flits.
  unsigned room(support::Cycle now) const {
    const std::uint64_t begin = ticks(now);
    if (empty_at_ <= begin) return flits_;
    const std::uint64_t held = (empty_at_ - begin + ticks_a_flit_ - 1) / ticks_a_flit_;
    return flits_ - static_cast<unsigned>(std::min<std::uint64_t>(held, flits_));
  }
  void take(support::Cycle now, unsigned flits) {
    empty_at_ = std::max(empty_at_, ticks(now)) + flits * ticks_a_flit_;
  }
  /// The cycle at which `flits` flits (at most the whole queue) have room.
  support::Cycle has_room_at(unsigned flits) const {
    const std::uint64_t held = (flits_ - std::min(flits, flits_)) * ticks_a_flit_;
    return empty_at_ <= held ? 0 : (empty_at_ - held + kTicks - 1) / kTicks;
  }

 private:
  static constexpr std::uint64_t kTicks = 1024;  ///< ticks a cycle
  static std::uint64_t ticks(support::Cycle now) { return now * kTicks; }

  std::uint64_t ticks_a_flit_ = 0;
  std::uint64_t empty_at_ = 0;
  unsigned flits_ = 0;
};

}  // namespace tvp::noc
