#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/flow_control/arbitration.h"
#include "models/support/latency_histogram.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// Counts of a mesh's activity so far. `packets_routed` counts every packet at every router that it
/// left; `packets_blocked` counts those that had to wait there. The PIM interconnect document names
/// both.
struct Statistics {
  std::uint64_t packets_injected = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packets_lost = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_routed = 0;
  std::uint64_t packets_blocked = 0;
  std::uint64_t total_hops = 0;       ///< routers that delivered packets have been through
  std::uint64_t retries = 0;          ///< times that a source sent a packet again
  std::uint64_t packets_damaged = 0;  ///< that failed their check at the destination
  support::Cycle cycles = 0;          ///< that something moved or waited in

  std::vector<std::uint64_t> link_flits;                           ///< node * kPorts + output port
  std::array<support::LatencyHistogram, kTrafficClasses> latency;  ///< created until delivered
  std::array<support::LatencyHistogram, kTrafficClasses>
      network_latency;  ///< entered until delivered
};

}  // namespace tvp::mesh
