#include "models/mesh/link_targets.h"

namespace tvp::mesh {

void LinkTargets::find(const MeshTopology& topology) {
  targets_.assign(std::size_t{topology.nodes()} * kPorts, Target{});
  for (unsigned node = 0; node < topology.nodes(); ++node) {
    for (unsigned p = 0; p < kPorts; ++p) {
      const auto port = static_cast<Port>(p);
      const unsigned neighbor = topology.neighbor(node, port);
      const unsigned endpoint = topology.endpoint_at(node, port);
      Target& target = targets_[std::size_t{node} * kPorts + p];
      if (neighbor != MeshTopology::kNone) target.value = neighbor * kPorts + index(opposite(port));
      if (endpoint != MeshTopology::kNone) target.value = Target::kEndpoint | endpoint;
    }
  }
}

PortMask LinkTargets::links_of(unsigned node) const {
  PortMask mask = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const Target target = targets_[std::size_t{node} * kPorts + port];
    const bool link = target.value != Target::kNothing && !target.is_endpoint();
    mask |= static_cast<PortMask>(link << port);
  }
  return mask;
}

PortMask LinkTargets::endpoint_ports_of(unsigned node) const {
  PortMask mask = 0;
  for (unsigned port = 0; port < kPorts; ++port) {
    const bool endpoint = targets_[std::size_t{node} * kPorts + port].is_endpoint();
    mask |= static_cast<PortMask>(endpoint << port);
  }
  return mask;
}

}  // namespace tvp::mesh
