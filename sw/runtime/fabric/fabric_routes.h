#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foundation/contract/fabric/routing.h"
#include "sw/runtime/mesh/mesh_coord.h"

namespace tvp::runtime {

using contract::fabric::Direction;

std::string to_string(Direction direction);

/// Axes of a fabric that are rings.
struct FabricWraps {
  bool rows = false;     ///< the last device of a row is joined to its first, east to west
  bool columns = false;  ///< the last of a column to its first, south to north
};

/// Routes of packets through a mesh or torus of devices, numbered row by row: north or south first,
/// then east or west. On rings they take the shorter direction. If both are equal, the parity of
/// the position selects one, so that each gets half of the traffic. Independent of hardware.
class FabricRoutes {
 public:
  /// A link in one direction.
  struct Hop {
    unsigned device;
    Direction direction;
    auto operator<=>(const Hop&) const = default;
  };

  /// Throws Fault(kDescription) for a shape without devices, for more hops along a row and a column
  /// than a header's route holds, and for rings of fewer than three devices.
  FabricRoutes(MeshShape shape, FabricWraps wraps);

  const MeshShape& shape() const { return shape_; }
  unsigned devices() const { return shape_.mesh_size(); }
  bool has_rings() const { return wraps_.rows || wraps_.columns; }
  /// The device over the link in a direction.
  std::optional<unsigned> neighbor(unsigned device, Direction direction) const;
  /// True if links in this direction belong to rings.
  bool on_ring(Direction direction) const;

  /// Hops to another device, and directions of both legs.
  contract::fabric::MeshRoute route(unsigned from, unsigned to) const;
  /// Direction of the first hop; kNoDirection to the device itself.
  Direction first_direction(unsigned from, unsigned to) const;
  /// All hops of the route.
  std::vector<Hop> path(unsigned from, unsigned to) const;
  /// All hops of any route that a header can hold, unicast or a branch of a multicast.
  std::vector<Hop> path(unsigned from, contract::fabric::MeshRoute route) const;

  /// Routing table for kernels of a device.
  contract::fabric::RoutingTable table(unsigned device) const;

 private:
  MeshCoordinate at(unsigned device) const;

  MeshShape shape_;
  FabricWraps wraps_;
};

}  // namespace tvp::runtime
