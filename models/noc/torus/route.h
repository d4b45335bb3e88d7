#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/grid.h"
#include "models/noc/noc_protocol.h"

namespace tvp::noc {

/// Direction of a link at a router: two ways to other routers, out to the NIU, and in from it.
enum class Port : std::uint8_t { kX = 0, kY = 1, kNiu = 2, kInjection = 3 };
inline constexpr unsigned kPorts = 4;

inline constexpr unsigned link_index(unsigned node, Port port) {
  return node * kPorts + static_cast<unsigned>(port);
}

/// The links of a packet in an order in which each follows the one that feeds it. The first one is
/// the injection. A unicast packet has a chain, a broadcast a tree (ISA NoC/RoutingPaths.md).
struct RouteLeg {
  std::uint16_t link = 0;
  std::uint16_t feeder = 0;                        ///< index of the previous leg
  std::uint8_t dateline = 0;                       ///< dateline bit of the VC on this leg
  unsigned node() const { return link / kPorts; }  ///< the router at which the leg starts
  Port port() const { return static_cast<Port>(link % kPorts); }
};

/// Fills `legs`. Coordinates are those of the NoC itself, in which data flows towards larger ones.
/// NoC 0 moves along X first, NoC 1 along Y first.
void find_route(const Grid& grid, const NocExtension& header, unsigned noc,
                std::vector<RouteLeg>& legs);

/// True if a broadcast includes `node`.
bool in_rectangle(const NocExtension& header, Node node);

}  // namespace tvp::noc
