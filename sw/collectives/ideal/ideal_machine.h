#pragma once

#include <cstdint>
#include <memory>

#include "sw/collectives/ideal/ideal_topology.h"

namespace tvp::collectives {

/// An alpha-beta machine, times in ticks of any length. A message of c chunks occupies a sending
/// port of its rank, a receiving port of the other, and the links of its path for alpha + c *
/// chunk. It arrives `hop` later for each link after the first.
struct IdealMachine {
  std::uint64_t alpha = 0;
  std::uint64_t chunk = 1;
  /// The additional time of each chunk that its receiver combines with its own.
  std::uint64_t combine = 0;
  std::uint64_t hop = 0;
  /// The time of each crossing of the switch that combines and multicasts. The switch cuts through:
  /// a message keeps a port for c * chunk.
  std::uint64_t switch_alpha = 0;
  /// Levels of the tree of switches. A message crosses each level up and down.
  std::uint32_t switch_levels = 1;
  /// Sending ports of each rank, and as many receiving ports; 0: links are the only limit.
  std::uint32_t ports = 1;
  std::shared_ptr<const IdealTopology> topology = nullptr;  ///< none: a crossbar
  /// Most messages in flight in a connection. With 0 a message begins when its receiver waits for
  /// it, so that the order of receiving is that of the schedule.
  std::uint32_t slots = 8;
};

}  // namespace tvp::collectives
