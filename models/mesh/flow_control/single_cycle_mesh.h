#pragma once

#include <cstdint>
#include <vector>

#include "models/mesh/active_set.h"
#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

/// Base of meshes with one-cycle hops. All moves of a cycle are collected first and received
/// afterwards.
class SingleCycleMesh : public MeshNetwork {
 public:
  double zero_load_cycles(double routers, unsigned flits) const final {
    return routers + 1 + flits - 1;
  }

 protected:
  SingleCycleMesh(const MeshConfig& config, const MeshTopology& topology,
                  support::Calendar& calendar);

  support::Cycle next_step(support::Cycle now) const final;
  void source_ready(unsigned endpoint) final { active_sources_.insert(endpoint); }

  void clear_activity();
  /// A flit leaves a router through a port. `blocked` is set for a head that had to wait there.
  void leave(unsigned node, Port port, const Flit& flit, bool blocked, support::Cycle now) {
    count_link(node, port, flit);
    if (flit.head) count_routed(flit.packet, blocked);
    const Target to = target(node, port);
    if (to.is_endpoint()) {
      eject(to.endpoint(), flit, now + 1);
    } else {
      moves_.push_back({to.value, flit});
    }
  }
  /// The next flit of an endpoint enters its router.
  void leave_source(unsigned endpoint, unsigned node, Port port, support::Cycle now) {
    moves_.push_back({node * kPorts + index(port), take_flit(endpoint, now)});
    if (!has_queued(endpoint)) active_sources_.erase(endpoint);
  }

  struct Move {
    std::uint32_t input;  ///< node * kPorts + port
    Flit flit;
  };

  ActiveSet active_routers_;
  ActiveSet active_sources_;
  std::vector<Move> moves_;  ///< moves of the current cycle
};

}  // namespace tvp::mesh
