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
  PortMask links = 0;      ///< with a router behind them
  PortMask endpoints = 0;  ///< with an endpoint
};

/// The other ends of all ports of a topology, looked up once. Links come in pairs, so the way back
/// is the same.
class LinkTargets {
 public:
  explicit LinkTargets(const MeshTopology& topology) { find(topology); }
  /// Anew, for a topology in which something has broken.
  void find(const MeshTopology& topology);

  /// Target by node * kPorts + port.
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
