#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dram/timing/timing.h"

namespace tvp::ddr {

using dram::MemCycle;

/// Where data go on the pins, seen from the DIMM's buffer.
enum class Direction : std::uint8_t {
  kFromChip,  ///< as in a read
  kToChip,    ///< as in a write
};

/// The data pins of a channel, partitioned into channels of equal width. Each moves two beats a
/// cycle of CK; a change of direction costs idle cycles, unless the pins are split into transmit
/// and receive halves. Normal reads and writes of the host take all pins at once and compete with
/// transfers on single channels in the order in which they ask.
class DqLanes {
 public:
  struct Span {
    MemCycle begin = 0;
    MemCycle end = 0;  ///< the pins are free again
  };
  struct Stats {
    std::uint64_t bytes = 0;
    MemCycle busy = 0;
    std::uint64_t turnarounds = 0;
  };

  /// Throws foundation::Fault(kDescription), naming `where`, when the pins cannot be divided so.
  /// Requires `timing` to outlive the lanes.
  DqLanes(const dram::Timing& timing, unsigned pins, unsigned channels, bool split_halves,
          const std::string& where);

  /// The first moment from `earliest` on at which `channel` can begin to move data that way.
  MemCycle ready(unsigned channel, Direction direction, MemCycle earliest) const;
  /// Cycles that `bytes` take on one channel, one direction.
  MemCycle cycles_of(std::uint64_t bytes) const;
  /// Takes the pins of `channel` from `begin`, which must be ready, on.
  Span take(unsigned channel, Direction direction, std::uint64_t bytes, MemCycle begin);
  /// The first moment from `earliest` on at which all pins can move data that way.
  MemCycle burst_ready(Direction direction, MemCycle earliest) const;
  /// A normal burst: all pins, timing.bl cycles.
  Span take_burst(Direction direction, MemCycle earliest);

  unsigned channels() const { return static_cast<unsigned>(channels_.size()); }
  /// Transmit and receive halves: a channel moves data both ways at once.
  bool split() const { return split_; }
  unsigned pins_a_direction() const { return pins_a_direction_; }
  const Stats& stats(unsigned channel) const { return channels_[channel].stats; }

 private:
  struct Half {
    MemCycle free = 0;
    Direction last = Direction::kFromChip;
    bool used = false;
  };
  struct Channel {
    Half halves[2];  ///< only the first one without a split
    Stats stats;
  };
  std::size_t half_of(Direction direction) const {
    return split_ && direction == Direction::kToChip ? 1 : 0;
  }
  void occupy(unsigned channel, Direction direction, MemCycle begin, MemCycle end);

  const dram::Timing& timing_;
  const bool split_;
  unsigned pins_a_direction_;
  std::vector<Channel> channels_;
};

}  // namespace tvp::ddr
