#pragma once

#include <cstdint>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/port.h"

namespace tvp::mesh {

/// The other end of a router's port.
struct Target {
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;
  static constexpr std::uint32_t kEndpoint = 0x80000000;
  std::uint32_t value = kNothing;  ///< node * kPorts + input port there, or kEndpoint | endpoint
  bool is_endpoint() const { return value != kNothing && (value & kEndpoint) != 0; }
  unsigned endpoint() const { return value & ~kEndpoint; }
};

/// The other ends of a router's ports.
struct RouterPorts {
  unsigned node = 0;
  PortMask links = 0;      ///< ports that lead to routers
  PortMask endpoints = 0;  ///< ports that lead to endpoints
};

/// The other ends of all ports of a topology. Links come in pairs, so the table also gives the way
/// back.
class LinkTargets {
 public:
  explicit LinkTargets(const MeshTopology& topology) { find(topology); }
  /// Rebuilds the table, for example after a fault in the topology.
  void find(const MeshTopology& topology);

  /// Target of port number node * kPorts + port.
  Target operator[](std::size_t link) const { return targets_[link]; }
  std::size_t size() const { return targets_.size(); }
  /// Ports of a router that lead to routers, and those that lead to endpoints.
  PortMask links_of(unsigned node) const;
  PortMask endpoint_ports_of(unsigned node) const;
  RouterPorts ports_of(unsigned node) const {
    return {.node = node, .links = links_of(node), .endpoints = endpoint_ports_of(node)};
  }

 private:
  std::vector<Target> targets_;
};

}  // namespace tvp::mesh
