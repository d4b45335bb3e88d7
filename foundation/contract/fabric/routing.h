#pragma once
// Routes through a mesh or torus of chips, and the table of them that the host leaves in the L1 of
// every Tensix tile. Packets go north or south first, then east or west (dimension order).

#include <stdint.h>

namespace tvp::contract::fabric {

/// Numbers of tt-metal's eth_chan_directions. East is the next column, south the next row.
enum Direction : uint32_t { kEast = 0, kWest = 1, kNorth = 2, kSouth = 3, kNoDirection = 4 };
constexpr uint32_t kDirections = 4;

constexpr Direction opposite(Direction direction) { return static_cast<Direction>(direction ^ 1u); }
constexpr bool along_row(Direction direction) { return direction < kNorth; }

/// Most hops that a header's route names, along all branches of a multicast.
constexpr uint32_t kMaxMeshHops = 32;
constexpr uint32_t kMaxMeshDevices = 256;
constexpr uint32_t kMaxEthernetChannels = 32;

/// Hops along a column and along a row, and in bit 7 whether they lead south or east.
struct MeshRoute {
  static constexpr uint8_t kPositive = 0x80;
  uint8_t column;
  uint8_t row;
};

struct RoutingTable {
  uint16_t device;  ///< of the chip that the table is for
  uint16_t mesh;
  uint16_t devices;  ///< of the mesh; 0 before a fabric was started
  uint8_t rows;
  uint8_t columns;
  MeshRoute routes[kMaxMeshDevices];  ///< by device
  /// Direction of the link of each ethernet channel of the chip; kNoDirection of those without a
  /// router.
  uint8_t channel_directions[kMaxEthernetChannels];
};
static_assert(sizeof(RoutingTable) == 8 + 2 * kMaxMeshDevices + kMaxEthernetChannels);

}  // namespace tvp::contract::fabric
