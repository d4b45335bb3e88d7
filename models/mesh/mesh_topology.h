#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/mesh/port.h"

namespace tvp::mesh {

/// The positions of routers, and the other end of each of their ports.
///
/// Routers are numbered y * width + x. Endpoints send and receive packets. Endpoint n below
/// `nodes()` is at the local port of router n; gateways follow in the order of their addition. A
/// gateway is a free port at the edge of the mesh that leads outside.
class MeshTopology {
 public:
  /// Throws Fault(kDescription) if a side is 0 or there are more than 4096 routers.
  MeshTopology(unsigned width, unsigned height);

  unsigned width() const { return width_; }
  unsigned height() const { return height_; }
  unsigned nodes() const { return width_ * height_; }
  unsigned node_at(unsigned x, unsigned y) const { return y * width_ + x; }
  unsigned x_of(unsigned node) const { return node % width_; }
  unsigned y_of(unsigned node) const { return node / width_; }

  /// Returns the endpoint number. Throws Fault(kDescription) if the port is not at the edge or
  /// already taken.
  unsigned add_gateway(unsigned x, unsigned y, Port port);
  unsigned endpoints() const { return nodes() + static_cast<unsigned>(gateways_.size()); }
  /// The router of an endpoint, and the port there.
  unsigned router_of(unsigned endpoint) const;
  Port port_of(unsigned endpoint) const;

  static constexpr unsigned kNone = 0xFFFFFFFF;
  /// The router behind a port; kNone at the edge and behind a broken link or router.
  unsigned neighbor(unsigned node, Port port) const;
  /// The endpoint behind a port; kNone if there is none.
  unsigned endpoint_at(unsigned node, Port port) const;

  /// Takes a link (one direction) or a router out of service.
  void break_link(unsigned node, Port port);
  void break_router(unsigned node);
  bool router_works(unsigned node) const { return !broken_routers_[node]; }
  bool has_faults() const { return faults_ > 0; }

  /// "(2,3)", "(2,3).east".
  std::string name_of_router(unsigned node) const;
  std::string name_of_link(unsigned node, Port port) const;
  std::string name_of_endpoint(unsigned endpoint) const;

 private:
  struct Gateway {
    unsigned router;
    Port port;
  };
  /// The neighbor in a direction of the intact mesh.
  unsigned beside(unsigned node, Port port) const;

  unsigned width_;
  unsigned height_;
  std::vector<Gateway> gateways_;
  std::vector<bool> broken_routers_;
  std::vector<bool> broken_links_;  ///< index: node * kPorts + port
  unsigned faults_ = 0;
};

}  // namespace tvp::mesh
