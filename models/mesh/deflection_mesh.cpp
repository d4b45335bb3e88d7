#include "models/mesh/deflection_mesh.h"

#include <bit>

namespace tvp::mesh {

using support::Cycle;

DeflectionMesh::DeflectionMesh(const MeshConfig& config, const Topology& topology,
                               support::Calendar& calendar)
    : MeshNetwork(config, topology, calendar),
      routers_(topology.nodes()),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()) {
  DeflectionMesh::flush();
}

void DeflectionMesh::flush() {
  for (unsigned node = 0; node < topology_.nodes(); ++node) {
    routers_[node].init(table_, arbitration_of(config_), node, links_of(node),
                        endpoint_ports_of(node));
  }
  active_routers_.clear();
  active_sources_.clear();
}

Cycle DeflectionMesh::next_step(Cycle now) const {
  return active_routers_.empty() && active_sources_.empty() ? support::kNever : now + 1;
}

void DeflectionMesh::step(Cycle now) {
  moves_.clear();
  active_routers_.for_each([&](unsigned node) { move_from(node, now); });
  active_sources_.for_each([&](unsigned endpoint) {
    const unsigned node = topology_.router_of(endpoint);
    const Port port = topology_.port_of(endpoint);
    if (!routers_[node].takes(port)) return;
    moves_.push_back({node * kPorts + index(port), take_flit(endpoint, now)});
    if (!has_queued(endpoint)) active_sources_.erase(endpoint);
  });
  for (const Move& move : moves_) {
    const unsigned node = move.input / kPorts;
    routers_[node].receive(static_cast<Port>(move.input % kPorts), move.flit);
    active_routers_.insert(node);
  }
}

void DeflectionMesh::move_from(unsigned node, Cycle now) {
  DeflectionRouter& router = routers_[node];
  router.step(outputs_);
  if (router.idle()) active_routers_.erase(node);
  for (unsigned bits = outputs_.valid; bits != 0; bits &= bits - 1) {
    const auto port = static_cast<Port>(std::countr_zero(bits));
    const Flit& flit = outputs_.flit[index(port)];
    const Target target = targets()[std::size_t{node} * kPorts + index(port)];
    count_link(node, port, flit);
    if (flit.head) count_routed(flit.packet, (outputs_.deflected & mask_of(port)) != 0);
    if (target.is_endpoint()) {
      eject(target.endpoint(), flit, now + 1);
    } else {
      moves_.push_back({target.value, flit});
    }
  }
}

}  // namespace tvp::mesh
