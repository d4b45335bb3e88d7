#pragma once
// Sets the route of a packet. Routes are source routed: the header has the action at every hop.

#include "debug/assert.h"
#include "fabric/fabric_edm_packet_header.hpp"
#include "foundation/contract/fabric/routing.h"
#include "foundation/contract/memory_map.h"
#include "hostdevcommon/fabric_common.h"
#include "internal/risc_attribs.h"

namespace tt::tt_fabric {

/// The table that the host wrote for this chip when it started the fabric.
FORCE_INLINE const volatile tvp::contract::fabric::RoutingTable& routing_table() {
  return *reinterpret_cast<const volatile tvp::contract::fabric::RoutingTable*>(
      tvp::contract::kRoutingTableBase);
}

/// Sets the route to the chip of this number on the line or ring, by a router in the direction of
/// get_next_hop_router_direction(). If not `target_as_dev`, the number is the distance in links, in
/// the direction of the router that takes the packet. Returns false if there is no route.
template <bool target_as_dev = true, bool compressed = true>
FORCE_INLINE bool fabric_set_unicast_route(volatile LowLatencyPacketHeader* header,
                                           uint16_t target) {
  uint32_t hops = target;
  if constexpr (target_as_dev) {
    using tvp::contract::fabric::MeshRoute;
    ASSERT(target < routing_table().devices);
    ASSERT(routing_table().routes[target].column == 0);
    hops = routing_table().routes[target].row & (MeshRoute::kPositive - 1u);
    if (hops == 0) return false;
  }
  header->to_chip_unicast(static_cast<uint8_t>(hops));
  return true;
}

/// Sets the route to `range` chips in a row, the first of them `start_distance` links away.
template <bool called_from_router = false>
FORCE_INLINE void fabric_set_mcast_route(volatile LowLatencyPacketHeader* header,
                                         uint8_t start_distance, uint8_t range) {
  header->to_chip_multicast({start_distance, range});
}

/// Sets the route to the chips of a mask, whose bit n - 1 is the chip n links away.
template <typename HopMask>
FORCE_INLINE void fabric_set_sparse_multicast_route(volatile LowLatencyPacketHeader* header,
                                                    HopMask hop_mask) {
  header->to_chip_sparse_multicast({static_cast<uint16_t>(hop_mask)});
}

// --- 2D routes, by chip and mesh

/// Sets the route to another chip, by a router in the direction of get_next_hop_router_direction().
/// Other meshes are not connected, so their number has no effect.
template <bool called_from_router = false>
FORCE_INLINE bool fabric_set_unicast_route(volatile HybridMeshPacketHeader* header,
                                           uint16_t dst_dev_id,
                                           uint16_t dst_mesh_id = MAX_NUM_MESHES) {
  using namespace tvp::contract::fabric;
  ASSERT(dst_dev_id < routing_table().devices);
  const uint32_t column = routing_table().routes[dst_dev_id].column;
  const uint32_t row = routing_table().routes[dst_dev_id].row;
  constexpr uint32_t kHops = MeshRoute::kPositive - 1u;
  if (((column | row) & kHops) == 0) return false;
  header->set_unicast(column & kHops, column > kHops ? kSouth : kNorth, row & kHops,
                      row > kHops ? kEast : kWest);
  return true;
}

/// Form of 2025, which also passes this chip and the mesh's width; in June 2025 also the direction.
FORCE_INLINE bool fabric_set_unicast_route(volatile HybridMeshPacketHeader* header,
                                           uint16_t /*my_dev_id*/, uint16_t dst_dev_id,
                                           uint16_t dst_mesh_id, uint16_t /*ew_dim*/) {
  return fabric_set_unicast_route(header, dst_dev_id, dst_mesh_id);
}
FORCE_INLINE bool fabric_set_unicast_route(volatile HybridMeshPacketHeader* header,
                                           eth_chan_directions, uint16_t /*my_dev_id*/,
                                           uint16_t dst_dev_id, uint16_t dst_mesh_id,
                                           uint16_t /*ew_dim*/) {
  return fabric_set_unicast_route(header, dst_dev_id, dst_mesh_id);
}

/// Form of September 2025.
FORCE_INLINE bool fabric_set_unicast_route(uint16_t dst_dev_id,
                                           volatile HybridMeshPacketHeader* header) {
  return fabric_set_unicast_route(header, dst_dev_id);
}

/// Sets the route to a block of chips: `n_hops` or `s_hops` rows to the north or south, and in each
/// of them `e_hops` and `w_hops` chips to either side. Without rows it is `e_hops` or `w_hops`
/// chips of this row. The packet goes to the router of the first of these directions that is not 0.
template <bool called_from_router = false>
FORCE_INLINE void fabric_set_mcast_route(volatile HybridMeshPacketHeader* header,
                                         uint16_t dst_dev_id, uint16_t dst_mesh_id, uint16_t e_hops,
                                         uint16_t w_hops, uint16_t n_hops, uint16_t s_hops) {
  using namespace tvp::contract::fabric;
  ASSERT(n_hops == 0 || s_hops == 0);
  if (n_hops != 0) {
    header->set_multicast(n_hops, kNorth, e_hops, w_hops);
  } else {
    header->set_multicast(s_hops, kSouth, e_hops, w_hops);
  }
}

/// Direction of the first hop to another chip; COUNT for this one.
FORCE_INLINE eth_chan_directions get_next_hop_router_direction(uint32_t dst_mesh_id,
                                                               uint32_t dst_dev_id) {
  using tvp::contract::fabric::MeshRoute;
  ASSERT(dst_dev_id < routing_table().devices);
  const uint32_t column = routing_table().routes[dst_dev_id].column;
  const uint32_t row = routing_table().routes[dst_dev_id].row;
  constexpr uint32_t kHops = MeshRoute::kPositive - 1u;
  if ((column & kHops) != 0) return column > kHops ? SOUTH : NORTH;
  if ((row & kHops) != 0) return row > kHops ? EAST : WEST;
  return COUNT;
}
/// Sets the route to a neighbor, by the router in `direction`, without the table.
FORCE_INLINE void fabric_set_single_hop_unicast_route_from_direction(
    volatile HybridMeshPacketHeader* header, eth_chan_directions direction, uint16_t dst_dev_id,
    uint16_t dst_mesh_id) {
  using namespace tvp::contract::fabric;
  ASSERT(direction <= SOUTH);
  const auto to = static_cast<Direction>(direction);
  if (along_row(to)) {
    header->set_unicast(0, kNorth, 1, to);
  } else {
    header->set_unicast(1, to, 0, kWest);
  }
}
FORCE_INLINE void fabric_set_single_hop_unicast_route(volatile HybridMeshPacketHeader* header,
                                                      uint16_t dst_dev_id, uint16_t dst_mesh_id) {
  fabric_set_single_hop_unicast_route_from_direction(
      header, get_next_hop_router_direction(dst_mesh_id, dst_dev_id), dst_dev_id, dst_mesh_id);
}
/// Direction of the link of an ethernet channel of this chip.
FORCE_INLINE uint8_t get_router_direction(uint32_t eth_channel) {
  ASSERT(eth_channel < tvp::contract::fabric::kMaxEthernetChannels);
  return routing_table().channel_directions[eth_channel];
}

// --- clients of the fabric before packet headers: only routers of those releases serve them

#define TVP_NO_ROUTER                                                    \
  [[gnu::unavailable(                                                    \
      "no router here serves clients without packet headers; send with " \
      "WorkerToFabricEdmSender (edm_fabric_worker_adapters.hpp) or the functions of mesh/api.h")]]
struct TVP_NO_ROUTER fabric_pull_client_interface_t;
struct TVP_NO_ROUTER fabric_push_client_interface_t;
struct TVP_NO_ROUTER local_pull_request_t;
struct TVP_NO_ROUTER chan_req_buf;
enum class TVP_NO_ROUTER ClientDataMode : uint8_t { PACKETIZED_DATA, RAW_DATA };
enum class TVP_NO_ROUTER AsyncWriteMode : uint8_t { ADD_PR, SEND_PR, PUSH, ADD_HEADER, ALL };
template <auto... modes, typename... Args>
TVP_NO_ROUTER void fabric_endpoint_init(const Args&...);
#undef TVP_NO_ROUTER

}  // namespace tt::tt_fabric

// Kernels use these names without their namespace.
using namespace tt::tt_fabric;
