#include "models/mesh/hold_mesh.h"

#include <bit>

namespace tvp::mesh {

using support::Cycle;

HoldMesh::HoldMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar,
                   RouterClock* clock)
    : MeshNetwork(config, topology, calendar),
      routers_(topology.nodes()),
      clock_(clock),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()) {
  if (clock != nullptr) external_.resize(topology.nodes());
  for (unsigned node = 0; node < external_.size(); ++node) {
    if (clock->has(node)) external_[node] = &clock->hold_router(node);
  }
  HoldMesh::flush();
}

void HoldMesh::flush() {
  for (unsigned node = 0; node < topology_.nodes(); ++node)
    routers_[node].init(table_, arbitration_of(config_), node);
  active_routers_.clear();
  active_sources_.clear();
  if (clock_ != nullptr) reset_external(*clock_);
}

Cycle HoldMesh::next_step(Cycle now) const {
  return active_routers_.empty() && active_sources_.empty() ? support::kNever : now + 1;
}

void HoldMesh::step(Cycle now) {
  active_routers_.for_each([&](unsigned node) {
    if (external(node) == nullptr) routers_[node].arbitrate();
  });
  // Everything that is ready is so before anything moves.
  moves_.clear();
  active_routers_.for_each([&](unsigned node) { move_from(node, now); });
  active_sources_.for_each([&](unsigned endpoint) { move_from_source(endpoint, now); });
  for (Move& move : moves_) {
    const unsigned node = move.input / kPorts;
    const auto port = static_cast<Port>(move.input % kPorts);
    if (ExternalHoldRouter* router = external(node)) {
      move.flit.arrived = static_cast<std::uint32_t>(now + 1);
      router->receive(port, move.flit);
    } else {
      routers_[node].receive(port, move.flit, now + 1);
    }
    active_routers_.insert(node);
  }
  if (clock_ == nullptr) return;
  active_routers_.for_each([&](unsigned node) {
    if (external(node) != nullptr) clock_->request_edge(node, *this, now);
  });
}

PortMask HoldMesh::ready(unsigned node) const {
  const ExternalHoldRouter* router = external(node);
  return router != nullptr ? router->ready() : routers_[node].ready();
}

void HoldMesh::move_from(unsigned node, Cycle now) {
  if (ExternalHoldRouter* router = external(node)) {
    for (unsigned bits = router->valid(); bits != 0; bits &= bits - 1) {
      const auto port = static_cast<Port>(std::countr_zero(bits));
      const Target target = targets()[std::size_t{node} * kPorts + index(port)];
      if (!takes(target)) continue;
      const Flit& flit = router->output(port);
      move(node, port, target, flit, HoldRouter::was_blocked(flit, now), now);
      router->take(port);
    }
    if (router->idle()) active_routers_.erase(node);
    return;
  }
  HoldRouter& router = routers_[node];
  for (unsigned bits = router.valid(); bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    const Target target = targets()[std::size_t{node} * kPorts + index(port)];
    if (!takes(target)) continue;
    const Flit flit = router.take(port);
    move(node, port, target, flit, HoldRouter::was_blocked(flit, now), now);
  }
  if (router.idle()) active_routers_.erase(node);
}

bool HoldMesh::takes(Target target) const {
  if (target.is_endpoint()) return true;
  return (ready(target.value / kPorts) >> (target.value % kPorts) & 1) != 0;
}

void HoldMesh::move(unsigned node, Port port, Target target, const Flit& flit, bool blocked,
                    Cycle now) {
  count_link(node, port, flit);
  if (flit.head) count_routed(flit.packet, blocked);
  if (target.is_endpoint()) {
    eject(target.endpoint(), flit, now + 1);
  } else {
    moves_.push_back({target.value, flit});
  }
}

void HoldMesh::move_from_source(unsigned endpoint, Cycle now) {
  const unsigned node = topology_.router_of(endpoint);
  const Port port = topology_.port_of(endpoint);
  if ((ready(node) & mask_of(port)) == 0) return;
  moves_.push_back({node * kPorts + index(port), take_flit(endpoint, now)});
  if (!has_queued(endpoint)) active_sources_.erase(endpoint);
}

}  // namespace tvp::mesh
