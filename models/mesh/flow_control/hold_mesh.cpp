#include "models/mesh/flow_control/hold_mesh.h"

#include <bit>

namespace tvp::mesh {

using support::Cycle;

HoldMesh::HoldMesh(const MeshConfig& config, const MeshTopology& topology,
                   support::Calendar& calendar, RouterClock* clock)
    : SingleCycleMesh(config, topology, calendar),
      routers_(topology.nodes()),
      external_(clock, &RouterClock::hold_router, topology.nodes()) {
  HoldMesh::flush();
}

void HoldMesh::flush() {
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    routers_[node].init(table_, arbitration_of(config_), node);
  }
  clear_activity();
  external_.reset(topology_, table_, targets_);
}

void HoldMesh::step(Cycle now) {
  active_routers_.for_each([&](unsigned node) {
    if (external_[node] == nullptr) routers_[node].arbitrate();
  });
  // All ready signals are computed before any flit moves.
  moves_.clear();
  active_routers_.for_each([&](unsigned node) { move_from(node, now); });
  active_sources_.for_each([&](unsigned endpoint) { move_from_source(endpoint, now); });
  for (Move& move : moves_) {
    const unsigned node = move.input / kPorts;
    const auto port = static_cast<Port>(move.input % kPorts);
    if (ExternalHoldRouter* router = external_[node]) {
      move.flit.set_arrived(now + 1);
      router->receive(port, move.flit);
    } else {
      routers_[node].receive(port, move.flit, now + 1);
    }
    active_routers_.insert(node);
  }
  if (external_.empty()) return;
  active_routers_.for_each([&](unsigned node) {
    if (external_[node] != nullptr) external_.request_edge(node, *this, now);
  });
}

PortMask HoldMesh::ready(unsigned node) const {
  const ExternalHoldRouter* router = external_[node];
  return router != nullptr ? router->ready() : routers_[node].ready();
}

void HoldMesh::move_from(unsigned node, Cycle now) {
  if (ExternalHoldRouter* router = external_[node]) {
    for (unsigned bits = router->valid(); bits != 0; bits &= bits - 1) {
      const auto port = static_cast<Port>(std::countr_zero(bits));
      if (!takes(target(node, port))) continue;
      const Flit& flit = router->output(port);
      leave(node, port, flit, HoldRouter::was_blocked(flit, now), now);
      router->take(port);
    }
    if (router->idle()) active_routers_.erase(node);
    return;
  }
  HoldRouter& router = routers_[node];
  for (unsigned bits = router.valid(); bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    if (!takes(target(node, port))) continue;
    const Flit flit = router.take(port);
    leave(node, port, flit, HoldRouter::was_blocked(flit, now), now);
  }
  if (router.idle()) active_routers_.erase(node);
}

bool HoldMesh::takes(Target to) const {
  if (to.is_endpoint()) return true;
  return (ready(to.value / kPorts) >> (to.value % kPorts) & 1) != 0;
}

void HoldMesh::move_from_source(unsigned endpoint, Cycle now) {
  const unsigned node = topology_.router_of(endpoint);
  const Port port = topology_.port_of(endpoint);
  if ((ready(node) & mask_of(port)) != 0) leave_source(endpoint, node, port, now);
}

}  // namespace tvp::mesh
