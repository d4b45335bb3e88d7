#include "models/mesh/hold_mesh.h"

#include <bit>

namespace tvp::mesh {

using support::Cycle;

HoldMesh::HoldMesh(const MeshConfig& config, const Topology& topology, support::Calendar& calendar)
    : MeshNetwork(config, topology, calendar),
      routers_(topology.nodes()),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()) {
  for (unsigned node = 0; node < topology_.nodes(); ++node) routers_[node].init(table_, node);
}

Cycle HoldMesh::next_step(Cycle now) const {
  return active_routers_.empty() && active_sources_.empty() ? support::kNever : now + 1;
}

void HoldMesh::step(Cycle now) {
  active_routers_.for_each([&](unsigned node) { routers_[node].arbitrate(); });
  // Everything that is ready is so before anything moves.
  moves_.clear();
  active_routers_.for_each([&](unsigned node) { move_from(node, now); });
  active_sources_.for_each([&](unsigned endpoint) { move_from_source(endpoint, now); });
  for (const Move& move : moves_) {
    const unsigned node = move.input / kPorts;
    routers_[node].receive(static_cast<Port>(move.input % kPorts), move.flit, now + 1);
    active_routers_.insert(node);
  }
}

void HoldMesh::move_from(unsigned node, Cycle now) {
  HoldRouter& router = routers_[node];
  for (unsigned bits = router.valid(); bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    const Target target = targets()[std::size_t{node} * kPorts + index(port)];
    if (!target.is_endpoint()) {
      const PortMask ready = routers_[target.value / kPorts].ready();
      if ((ready >> (target.value % kPorts) & 1) == 0) continue;
    }
    const bool blocked = router.was_blocked(port, now);
    const Flit flit = router.take(port);
    count_link(node, port, flit);
    if (flit.head) count_routed(flit.packet, blocked);
    if (target.is_endpoint()) {
      eject(target.endpoint(), flit, now + 1);
    } else {
      moves_.push_back({target.value, flit});
    }
  }
  if (router.idle()) active_routers_.erase(node);
}

void HoldMesh::move_from_source(unsigned endpoint, Cycle now) {
  const unsigned node = topology_.router_of(endpoint);
  const Port port = topology_.port_of(endpoint);
  if ((routers_[node].ready() & mask_of(port)) == 0) return;
  moves_.push_back({node * kPorts + index(port), take_flit(endpoint, now)});
  if (!has_queued(endpoint)) active_sources_.erase(endpoint);
}

}  // namespace tvp::mesh
