#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dram/timing/timing.h"

namespace tvp::ddr {

using dram::MemCycle;

/// Direction of data on the pins, as the DIMM's buffer sees it.
enum class Direction : std::uint8_t {
  kFromChip,  ///< as in a read
  kToChip,    ///< as in a write
};

/// The data pins of a channel, partitioned into channels of equal width. Each channel moves two
/// beats in a cycle of CK. A change of direction costs idle cycles unless the pins are split into
/// transmit and receive halves. Normal reads and writes of the host take all pins at once. They
/// compete with transfers on single channels in the order in which they ask.
class DqLanes {
 public:
  struct Span {
    MemCycle begin = 0;
    MemCycle end = 0;  ///< first cycle at which the pins are free again
  };
  struct Stats {
    std::uint64_t bytes = 0;
    MemCycle busy = 0;
    std::uint64_t turnarounds = 0;
  };

  /// Throws foundation::Fault(kDescription) that names `where` if the pins cannot be divided like
  /// this. `timing` must outlive the lanes.
  DqLanes(const dram::Timing& timing, unsigned pins, unsigned channels, bool split_halves,
          const std::string& where);

  /// The first cycle from `earliest` on at which `channel` can move data in this direction.
  MemCycle ready(unsigned channel, Direction direction, MemCycle earliest) const;
  /// Cycles to move `bytes` on one channel in one direction.
  MemCycle cycles_of(std::uint64_t bytes) const;
  /// Takes the pins of `channel` from `begin` on, at which they must be ready.
  Span take(unsigned channel, Direction direction, std::uint64_t bytes, MemCycle begin);
  /// The first cycle from `earliest` on at which all pins can move data in this direction.
  MemCycle burst_ready(Direction direction, MemCycle earliest) const;
  /// A normal burst: all pins for timing.bl cycles.
  Span take_burst(Direction direction, MemCycle earliest);

  unsigned channels() const { return static_cast<unsigned>(channels_.size()); }
  /// True if a channel has transmit and receive halves and so moves data both ways at once.
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
    Half halves[2];  ///< only the first one is used without a split
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
