#pragma once

#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/passing_flits.h"
#include "models/mesh/routing/routing_table.h"

namespace tvp::mesh {

/// The external routers of a mesh, by node, and the flits inside of them. Empty without a clock.
template <typename Router>
class ExternalRouterSet {
 public:
  using Find = Router& (RouterClock::*)(unsigned node);

  /// `clock` provides external routers, or is null. `find` selects its member function.
  ExternalRouterSet(RouterClock* clock, Find find, unsigned nodes) : clock_(clock) {
    if (clock == nullptr) return;
    routers_.resize(nodes);
    passing_.resize(nodes);
    for (unsigned node = 0; node < nodes; ++node) {
      if (clock->has(node)) routers_[node] = &(clock->*find)(node);
    }
  }

  /// Null if the router is internal.
  Router* operator[](unsigned node) const { return routers_.empty() ? nullptr : routers_[node]; }
  PassingFlits& passing(unsigned node) { return passing_[node]; }
  const PassingFlits& passing(unsigned node) const { return passing_[node]; }
  bool empty() const { return routers_.empty(); }
  void clock(unsigned node, support::Cycle cycle) const { clock_->clock(node, cycle); }

  /// Empties the routers and gives them the current tables.
  void reset(const MeshTopology& topology, const RoutingTable& table, const LinkTargets& targets) {
    for (PassingFlits& flits : passing_) flits.clear();
    const RoutingTable* const changed = topology.has_faults() ? &table : nullptr;
    for (unsigned node = 0; node < routers_.size(); ++node) {
      if (routers_[node] == nullptr) continue;
      clock_->reset({node, targets.endpoint_ports_of(node)}, changed);
    }
  }

 private:
  RouterClock* clock_;
  std::vector<Router*> routers_;
  std::vector<PassingFlits> passing_;
};

}  // namespace tvp::mesh
