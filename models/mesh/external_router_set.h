#pragma once

#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// Those of the routers of a mesh that are not its own, by node; none without a clock.
template <typename Router>
class ExternalRouterSet {
 public:
  using Find = Router& (RouterClock::*)(unsigned node);

  /// `clock`: null, or who has some of the routers. `find`: how it gives one.
  ExternalRouterSet(RouterClock* clock, Find find, unsigned nodes) : clock_(clock) {
    if (clock == nullptr) return;
    routers_.resize(nodes);
    for (unsigned node = 0; node < nodes; ++node) {
      if (clock->has(node)) routers_[node] = &(clock->*find)(node);
    }
  }

  /// Null for one of the mesh's own.
  Router* operator[](unsigned node) const { return routers_.empty() ? nullptr : routers_[node]; }
  bool empty() const { return routers_.empty(); }
  void request_edge(unsigned node, EdgeListener& listener, support::Cycle cycle) const {
    clock_->request_edge(node, listener, cycle);
  }

  /// They are empty and have the tables of now.
  void reset(const MeshTopology& topology, const RoutingTable& table,
             const LinkTargets& targets) const {
    const RoutingTable* const changed = topology.has_faults() ? &table : nullptr;
    for (unsigned node = 0; node < routers_.size(); ++node) {
      if (routers_[node] == nullptr) continue;
      clock_->reset({node, targets.endpoint_ports_of(node)}, changed);
    }
  }

 private:
  RouterClock* clock_;
  std::vector<Router*> routers_;
};

}  // namespace tvp::mesh
