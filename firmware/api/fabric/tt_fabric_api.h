#pragma once
// Filling in the route of a packet. Routes are source routed: the header says what to do at every
// hop.

#include "fabric/fabric_edm_packet_header.hpp"
#include "hostdevcommon/fabric_common.h"
#include "internal/risc_attribs.h"

/// On functions that kernels name and do not call on lines.
#define TVP_ONLY_2D \
  __attribute__((error("2D routes are not here; firmware/api/README.md says what is")))

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

/// To the chips of a mask, whose bit n - 1 is the one n links away.
template <typename HopMask>
FORCE_INLINE void fabric_set_sparse_multicast_route(volatile LowLatencyPacketHeader* header,
                                                    HopMask hop_mask) {
  header->to_chip_sparse_multicast({static_cast<uint16_t>(hop_mask)});
}

// --- 2D routes, by chip and mesh
TVP_ONLY_2D bool fabric_set_unicast_route(volatile HybridMeshPacketHeader* header,
                                          uint16_t dst_dev_id, uint16_t dst_mesh_id);
TVP_ONLY_2D void fabric_set_mcast_route(volatile HybridMeshPacketHeader* header,
                                        uint16_t dst_dev_id, uint16_t dst_mesh_id, uint16_t e_hops,
                                        uint16_t w_hops, uint16_t n_hops, uint16_t s_hops);
TVP_ONLY_2D uint8_t get_router_direction(uint32_t eth_channel);
TVP_ONLY_2D eth_chan_directions get_next_hop_router_direction(uint32_t dst_mesh_id,
                                                              uint32_t dst_dev_id);

}  // namespace tt::tt_fabric

// Kernels use these names without their namespace.
using namespace tt::tt_fabric;
