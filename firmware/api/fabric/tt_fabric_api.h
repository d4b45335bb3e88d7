#pragma once
// Filling in the route of a packet. Routes are source routed: the header says what to do at every
// hop.

#include "fabric/fabric_edm_packet_header.hpp"
#include "internal/risc_attribs.h"

namespace tt::tt_fabric {

/// To the chip `hops` links away in the direction of the router that takes the packet.
template <bool called_from_router = false>
FORCE_INLINE bool fabric_set_unicast_route(volatile LowLatencyPacketHeader* header, uint8_t hops) {
  header->to_chip_unicast(hops);
  return true;
}

/// To `range` chips in a row, the first of them `start_distance` links away.
template <bool called_from_router = false>
FORCE_INLINE void fabric_set_mcast_route(volatile LowLatencyPacketHeader* header,
                                         uint8_t start_distance, uint8_t range) {
  header->to_chip_multicast({start_distance, range});
}

}  // namespace tt::tt_fabric

using tt::tt_fabric::fabric_set_mcast_route;
using tt::tt_fabric::fabric_set_unicast_route;
