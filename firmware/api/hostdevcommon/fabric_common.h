#pragma once
// Constants of the fabric that kernels share with the host.

#include <stddef.h>
#include <stdint.h>

#include "foundation/contract/fabric/routing.h"

namespace tt::tt_fabric {

constexpr uint32_t PACKET_WORD_SIZE_BYTES = 16;
/// Header size of packets of 2025, which were words with a header of their own. Test helpers still
/// use it.
constexpr uint32_t PACKET_HEADER_SIZE_BYTES = 48;
constexpr uint32_t PACKET_HEADER_SIZE_WORDS = PACKET_HEADER_SIZE_BYTES / PACKET_WORD_SIZE_BYTES;
/// L1 that kernels set aside for a connection to a router.
constexpr uint32_t FABRIC_CONNECTION_OBJECT_SIZE = 128;
constexpr uint32_t MAX_MESH_SIZE = 256;
constexpr uint32_t MAX_NUM_MESHES = 1024;

enum eth_chan_magic_values : uint8_t {
  INVALID_DIRECTION = 0xDD,
  INVALID_ROUTING_TABLE_ENTRY = 0xFF,
};
enum eth_chan_directions : uint8_t { EAST = 0, WEST = 1, NORTH = 2, SOUTH = 3, Z = 4, COUNT = 5 };

/// Number of this chip and its mesh, which kernels read at MEM_TENSIX_ROUTING_TABLE_BASE after the
/// fabric has started. tt_fabric_api.h returns directions and routes; tt-metal's members with them
/// do not exist here.
struct routing_l1_info_t {
  uint16_t my_device_id;
  uint16_t my_mesh_id;
};
static_assert(offsetof(routing_l1_info_t, my_device_id) ==
              offsetof(tvp::contract::fabric::RoutingTable, device));
static_assert(offsetof(routing_l1_info_t, my_mesh_id) ==
              offsetof(tvp::contract::fabric::RoutingTable, mesh));

}  // namespace tt::tt_fabric
