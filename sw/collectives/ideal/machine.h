#pragma once

#include <cstdint>
#include <memory>

#include "sw/collectives/ideal/topology.h"

namespace tvp::collectives {

/// An alpha-beta machine, times in ticks of any length. A message of c chunks keeps a sending port
/// of its rank, a receiving port of the other, and the links of its way for alpha + c * chunk;
/// it arrives `hop` later for each link after the first.
struct Machine {
  std::uint64_t alpha = 0;
  std::uint64_t chunk = 1;
  /// More for each chunk of a message that its receiver combines with its own.
  std::uint64_t combine = 0;
  std::uint64_t hop = 0;
  /// For each crossing of the switch that combines and multicasts; it cuts through, so that ports
  /// are kept for c * chunk.
  std::uint64_t switch_alpha = 0;
  /// Each rank has as many for sending and as many for receiving; 0: links alone limit it.
  std::uint32_t ports = 1;
  std::shared_ptr<const Topology> topology = nullptr;  ///< none: a crossbar
  /// Messages on their way in a connection; 0: one begins when its receiver waits for it, so that
  /// the order of receiving is that of the schedule.
  std::uint32_t slots = 8;
};

}  // namespace tvp::collectives
