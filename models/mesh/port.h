#pragma once

#include <cstdint>

namespace tvp::mesh {

/// Ports of a mesh router. East is towards larger x, north towards larger y.
enum class Port : std::uint8_t { kLocal = 0, kNorth = 1, kEast = 2, kSouth = 3, kWest = 4 };
inline constexpr unsigned kPorts = 5;
/// The ports that can lead to other routers.
inline constexpr Port kLinkPorts[] = {Port::kNorth, Port::kEast, Port::kSouth, Port::kWest};

/// Set of ports, one bit each.
using PortMask = std::uint8_t;

constexpr unsigned index(Port port) { return static_cast<unsigned>(port); }
constexpr PortMask mask_of(Port port) { return static_cast<PortMask>(1U << index(port)); }

/// The port of the neighbor at the other end of a link from `port`.
constexpr Port opposite(Port port) {
  switch (port) {
    case Port::kNorth:
      return Port::kSouth;
    case Port::kEast:
      return Port::kWest;
    case Port::kSouth:
      return Port::kNorth;
    case Port::kWest:
      return Port::kEast;
    case Port::kLocal:
      break;
  }
  return Port::kLocal;
}

constexpr const char* name_of(Port port) {
  constexpr const char* kNames[] = {"local", "north", "east", "south", "west"};
  return kNames[index(port)];
}

}  // namespace tvp::mesh
