#include "sw/runtime/fabric/fabric_routes.h"

#include "sw/runtime/errors.h"

namespace tvp::runtime {

using namespace contract::fabric;

namespace {

/// Route along one axis: hops and direction, as in MeshRoute.
std::uint8_t leg(std::uint32_t from, std::uint32_t to, std::uint32_t positions, bool ring) {
  const std::uint32_t up = (to + positions - from) % positions;
  const std::uint32_t down = positions - up;
  bool positive = to > from;
  if (ring && up != 0) positive = up != down ? up < down : from % 2 == 0;
  const std::uint32_t hops = up == 0 ? 0 : positive ? up : down;
  return static_cast<std::uint8_t>(hops | (positive ? MeshRoute::kPositive : 0U));
}

std::uint8_t hops_of(std::uint8_t leg) {
  return static_cast<std::uint8_t>(leg & ~MeshRoute::kPositive);
}
bool positive(std::uint8_t leg) { return (leg & MeshRoute::kPositive) != 0; }

}  // namespace

std::string to_string(Direction direction) {
  switch (direction) {
    case kEast:
      return "east";
    case kWest:
      return "west";
    case kNorth:
      return "north";
    case kSouth:
      return "south";
    case kNoDirection:
      break;
  }
  return "nowhere";
}

FabricRoutes::FabricRoutes(MeshShape shape, FabricWraps wraps) : shape_(shape), wraps_(wraps) {
  const std::string what = std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
  if (shape.rows == 0 || shape.columns == 0 || shape.rows > kMaxMeshHops ||
      shape.columns > kMaxMeshHops || shape.rows + shape.columns - 2 > kMaxMeshHops ||
      shape.mesh_size() > kMaxMeshDevices)
    bad_use("fabric", "a mesh of " + what +
                          " devices: expected 1 or more along both axes, at most " +
                          std::to_string(kMaxMeshHops) + " hops from corner to corner and " +
                          std::to_string(kMaxMeshDevices) + " devices");
  if ((wraps.rows && shape.columns < 3) || (wraps.columns && shape.rows < 3))
    bad_use("fabric", "a ring along the " +
                          std::string(wraps.rows && shape.columns < 3 ? "rows" : "columns") +
                          " of a mesh of " + what + " devices: expected 3 or more along it");
}

MeshCoordinate FabricRoutes::at(unsigned device) const {
  return {device / shape_.columns, device % shape_.columns};
}

std::optional<unsigned> FabricRoutes::neighbor(unsigned device, Direction direction) const {
  const bool row = along_row(direction);
  const std::uint32_t positions = row ? shape_.columns : shape_.rows;
  auto [y, x] = at(device);
  std::uint32_t& position = row ? x : y;
  const bool up = direction == kEast || direction == kSouth;
  const bool ring = row ? wraps_.rows : wraps_.columns;
  if (!ring && position == (up ? positions - 1 : 0)) return std::nullopt;
  position = (position + (up ? 1 : positions - 1)) % positions;
  return y * shape_.columns + x;
}

bool FabricRoutes::on_ring(Direction direction) const {
  return along_row(direction) ? wraps_.rows : wraps_.columns;
}

MeshRoute FabricRoutes::route(unsigned from, unsigned to) const {
  const MeshCoordinate a = at(from);
  const MeshCoordinate b = at(to);
  return {leg(a.row, b.row, shape_.rows, wraps_.columns),
          leg(a.column, b.column, shape_.columns, wraps_.rows)};
}

Direction FabricRoutes::first_direction(unsigned from, unsigned to) const {
  const MeshRoute r = route(from, to);
  if (hops_of(r.column) != 0) return positive(r.column) ? kSouth : kNorth;
  if (hops_of(r.row) != 0) return positive(r.row) ? kEast : kWest;
  return kNoDirection;
}

std::vector<FabricRoutes::Hop> FabricRoutes::path(unsigned from, unsigned to) const {
  return path(from, route(from, to));
}

std::vector<FabricRoutes::Hop> FabricRoutes::path(unsigned from, MeshRoute route) const {
  std::vector<Hop> hops;
  unsigned device = from;
  const auto walk = [&](std::uint8_t leg, Direction up, Direction down) {
    const Direction direction = positive(leg) ? up : down;
    for (unsigned i = 0; i < hops_of(leg); ++i) {
      hops.push_back({device, direction});
      const auto next = neighbor(device, direction);
      if (!next)
        bad_use("fabric", "a route of device " + std::to_string(from) + " leads " +
                              to_string(direction) + " of device " + std::to_string(device) +
                              ", where there is none");
      device = *next;
    }
  };
  walk(route.column, kSouth, kNorth);
  walk(route.row, kEast, kWest);
  return hops;
}

RoutingTable FabricRoutes::table(unsigned device) const {
  RoutingTable table{};
  table.device = static_cast<std::uint16_t>(device);
  table.devices = static_cast<std::uint16_t>(devices());
  table.rows = static_cast<std::uint8_t>(shape_.rows);
  table.columns = static_cast<std::uint8_t>(shape_.columns);
  for (unsigned to = 0; to < devices(); ++to) table.routes[to] = route(device, to);
  return table;
}

}  // namespace tvp::runtime
