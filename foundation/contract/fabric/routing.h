#pragma once
// Routes through a mesh or torus of chips. The host leaves the table of routes in the L1 of every
// Tensix tile. Packets go north or south first, then east or west (dimension order).

#include <stdint.h>

namespace tvp::contract::fabric {

/// Numbers of tt-metal's eth_chan_directions. East is the next column, south the next row.
enum Direction : uint32_t { kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kNoDirection = 4 };
constexpr uint32_t kDirections = 4;

constexpr Direction opposite(Direction direction) { return static_cast<Direction>(direction ^ 1u); }
constexpr bool along_row(Direction direction) { return direction < kNorth; }

/// Limit of the hops in a header's route, over all branches of a multicast.
constexpr uint32_t kMaxMeshHops = 32;
constexpr uint32_t kMaxMeshDevices = 256;
constexpr uint32_t kMaxEthernetChannels = 32;

/// Hops along a column and along a row. Bit 7 is set if they lead south or east.
struct MeshRoute {
  static constexpr uint8_t kPositive = 0x80;
  uint8_t column;
  uint8_t row;
};

struct RoutingTable {
  uint16_t device;  ///< number of the chip that owns the table
  uint16_t mesh;
  uint16_t devices;  ///< size of the mesh; 0 before the start of a fabric
  uint8_t rows;
  uint8_t columns;
  MeshRoute routes[kMaxMeshDevices];  ///< index: device
  /// Direction of the link of each ethernet channel of the chip; kNoDirection for channels without
  /// a router.
  uint8_t channel_directions[kMaxEthernetChannels];
};
static_assert(sizeof(RoutingTable) == 8 + 2 * kMaxMeshDevices + kMaxEthernetChannels);

}  // namespace tvp::contract::fabric
