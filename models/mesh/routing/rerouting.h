#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// Numbers the connected parts of the mesh. Routers that can reach each other have the same number;
/// broken routers have kApart.
class Connectivity {
 public:
  static constexpr unsigned kApart = 0xFFFFFFFF;
  explicit Connectivity(const MeshTopology& topology);

  bool reaches(unsigned from_router, unsigned to_router) const {
    return part_[from_router] != kApart && part_[from_router] == part_[to_router];
  }
  unsigned parts() const { return parts_; }
  /// For example "2 parts: (0,0) (1,0) | (2,0)", followed by broken routers. Empty if there is one
  /// part.
  std::string partition(const MeshTopology& topology) const;

 private:
  std::vector<unsigned> part_;
  unsigned parts_ = 0;
};

/// Any shortest route over working links. Free of deadlock only if packets never hold channels
/// while they wait.
RoutingTable shortest_table(const MeshTopology& topology);

/// Hops towards the root of a spanning tree first, then hops away from it, with the fewest hops.
/// Free of deadlock on any topology (Schroeder et al.: Autonet, IEEE JSAC 1991).
RoutingTable up_down_table(const MeshTopology& topology);

/// Routes around broken parts.
struct Rerouting {
  RoutingTable table;
  std::string method;
};
/// The routing itself if it still delivers all packets without deadlock, else one of the tables
/// above. `waits`: packets hold channels while they wait for others.
Rerouting reroute(const MeshTopology& topology, const RoutingFunction& routing,
                  const std::string& routing_name, bool waits, bool has_escape);

}  // namespace tvp::mesh
