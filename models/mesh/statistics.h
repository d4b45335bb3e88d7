#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/flow_control/arbitration.h"
#include "models/support/latency_histogram.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// Activity of a mesh. `packets_routed` counts every packet at every router that it left;
/// `packets_blocked` counts those that had to wait there. The PIM interconnect document uses both
/// names.
struct Statistics {
  std::uint64_t packets_injected = 0;
  std::uint64_t packets_delivered = 0;
  std::uint64_t packets_lost = 0;
  std::uint64_t flits_injected = 0;
  std::uint64_t flits_delivered = 0;
  std::uint64_t packets_routed = 0;
  std::uint64_t packets_blocked = 0;
  std::uint64_t total_hops = 0;       ///< routers passed by delivered packets
  std::uint64_t retries = 0;          ///< number of times that a source sent a packet again
  std::uint64_t packets_damaged = 0;  ///< packets that failed their check at the destination
  support::Cycle cycles = 0;          ///< cycles in which flits moved or waited

  std::vector<std::uint64_t> link_flits;  ///< index: node * kPorts + output port
  std::array<support::LatencyHistogram, kTrafficClasses> latency;  ///< from creation to delivery
  std::array<support::LatencyHistogram, kTrafficClasses>
      network_latency;  ///< from entering the network to delivery
};

}  // namespace tvp::mesh
