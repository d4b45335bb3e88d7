#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// Which routers can still reach each other: the same number for those that can, kApart for broken
/// ones.
class Connectivity {
 public:
  static constexpr unsigned kApart = 0xFFFFFFFF;
  explicit Connectivity(const MeshTopology& topology);

  bool reaches(unsigned from_router, unsigned to_router) const {
    return part_[from_router] != kApart && part_[from_router] == part_[to_router];
  }
  unsigned parts() const { return parts_; }
  /// "2 parts: (0,0) (1,0) | (2,0)", with broken routers behind; empty when all is in one piece.
  std::string partition(const MeshTopology& topology) const;

 private:
  std::vector<unsigned> part_;
  unsigned parts_ = 0;
};

/// Any shortest way over the links that work. Free of deadlock only where packets wait for nothing.
RoutingTable shortest_table(const MeshTopology& topology);

/// First hops towards the root of a spanning tree, then hops away from it, as few as can be: free
/// of deadlock on any topology (Schroeder et al.: Autonet, IEEE JSAC 1991).
RoutingTable up_down_table(const MeshTopology& topology);

/// A way around what is broken.
struct Rerouting {
  RoutingTable table;
  std::string method;
};
/// The routing itself where it still leads everywhere without deadlock, else one of the above.
/// `waits`: packets hold channels while they wait for others.
Rerouting reroute(const MeshTopology& topology, const RoutingFunction& routing,
                  const std::string& routing_name, bool waits, bool has_escape);

}  // namespace tvp::mesh
