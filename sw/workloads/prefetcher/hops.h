#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/devices/chip_layout.h"
#include "sw/workloads/prefetcher/placement.h"

namespace tvp::workloads::prefetcher {

/// Cores that only forward shards of the activation where neighbors of the ring are not neighbors
/// on the chip. For each core of the ring there are those between it and the previous one, to which
/// it sends, in that order.
class Hops {
 public:
  /// Selects `count` cores, each in the middle of the longest remaining path. `taken` are cores
  /// with another task. Throws Fault(kDescription) if no free core shortens a path.
  Hops(const runtime::ChipLayout& layout, const std::vector<RingCore>& ring,
       const std::vector<runtime::CoreCoord>& taken, std::uint32_t count);

  const std::vector<runtime::CoreCoord>& behind(std::size_t place) const { return ways_[place]; }
  std::vector<runtime::CoreCoord> cores() const;

 private:
  /// Number of routers on the path of a packet of NoC 1, which goes west and north.
  std::uint32_t distance(runtime::CoreCoord from, runtime::CoreCoord to) const;
  /// The stops from a core of the ring to its destination, both included.
  std::vector<runtime::CoreCoord> stops(std::size_t place) const;
  bool shorten_longest(const std::vector<runtime::CoreCoord>& free);

  const runtime::ChipLayout& layout_;
  const std::vector<RingCore>& ring_;
  std::vector<std::vector<runtime::CoreCoord>> ways_;
};

}  // namespace tvp::workloads::prefetcher
