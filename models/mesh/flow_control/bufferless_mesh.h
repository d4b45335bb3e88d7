#pragma once

#include <bit>
#include <vector>

#include "models/mesh/flow_control/single_cycle_mesh.h"

namespace tvp::mesh {

/// Base of meshes of routers without buffers: each received flit leaves the router in the next
/// cycle. The derived `Mesh` implements was_blocked(), which selects the flits that count as
/// blocked, and drop_rest(), which handles flits that cannot leave.
template <typename Mesh, typename Router>
class BufferlessMesh : public SingleCycleMesh {
 protected:
  BufferlessMesh(const MeshConfig& config, const MeshTopology& topology,
                 support::Calendar& calendar)
      : SingleCycleMesh(config, topology, calendar), routers_(topology.nodes()) {
    BufferlessMesh::flush();
  }

  void flush() final {
    for (unsigned node = 0; node < topology_.nodes(); ++node) {
      routers_[node].init(table_, arbitration_of(config_), targets_.ports_of(node));
    }
    clear_activity();
  }

  void step(support::Cycle now) final {
    moves_.clear();
    active_routers_.for_each([&](unsigned node) {
      routers_[node].step(outputs_);
      if (routers_[node].idle()) active_routers_.erase(node);
      for (unsigned bits = outputs_.valid; bits != 0; bits &= bits - 1) {
        const auto port = static_cast<Port>(std::countr_zero(bits));
        leave(node, port, outputs_.flit[index(port)], Mesh::was_blocked(outputs_, port), now);
      }
      static_cast<Mesh*>(this)->drop_rest(now);
    });
    active_sources_.for_each([&](unsigned endpoint) {
      const unsigned node = topology_.router_of(endpoint);
      const Port port = topology_.port_of(endpoint);
      if (routers_[node].takes(port)) leave_source(endpoint, node, port, now);
    });
    for (const Move& move : moves_) {
      const unsigned node = move.input / kPorts;
      routers_[node].receive(static_cast<Port>(move.input % kPorts), move.flit);
      active_routers_.insert(node);
    }
  }

  typename Router::Outputs outputs_;  ///< outputs of the router in the current step

 private:
  std::vector<Router> routers_;
};

}  // namespace tvp::mesh
