#include "models/mesh/routing_table.h"

#include <bit>

namespace tvp::mesh {

RoutingTable::RoutingTable(const Topology& topology)
    : destinations_(topology.endpoints()),
      outputs_(std::size_t{topology.nodes()} * kPorts * destinations_, 0) {}

RoutingTable::RoutingTable(const Topology& topology, const RoutingFunction& routing)
    : RoutingTable(topology) {
  std::vector<PortMask> escape(outputs_.size(), 0);
  bool any_escape = false;
  for (unsigned node = 0; node < topology.nodes(); ++node) {
    for (unsigned in = 0; in < kPorts; ++in) {
      const auto port = static_cast<Port>(in);
      const bool from_outside = topology.endpoint_at(node, port) != Topology::kNone;
      for (unsigned destination = 0; destination < destinations_; ++destination) {
        const unsigned target = topology.router_of(destination);
        const std::size_t i = at(node, port, destination);
        if (target == node) {
          outputs_[i] = mask_of(topology.port_of(destination));
          continue;
        }
        Hop hop{.x = topology.x_of(node),
                .y = topology.y_of(node),
                .in = from_outside ? Port::kLocal : port};
        hop.dx = static_cast<int>(topology.x_of(target)) - static_cast<int>(hop.x);
        hop.dy = static_cast<int>(topology.y_of(target)) - static_cast<int>(hop.y);
        outputs_[i] = routing.outputs(hop);
        escape[i] = routing.escape(hop);
        any_escape = any_escape || escape[i] != 0;
      }
    }
  }
  if (any_escape) escape_ = std::move(escape);
}

void RoutingTable::restrict(unsigned node, PortMask outputs) {
  const std::size_t end = at(node + 1, Port::kLocal, 0);
  for (std::size_t i = at(node, Port::kLocal, 0); i < end; ++i) {
    outputs_[i] &= outputs;
    if (!escape_.empty()) escape_[i] &= outputs;
  }
}

void find_route(const Topology& topology, const RoutingTable& table, unsigned source,
                unsigned destination, std::vector<std::uint32_t>& links) {
  links.clear();
  unsigned node = topology.router_of(source);
  Port in = topology.port_of(source);
  const unsigned target = topology.router_of(destination);
  while (true) {
    const unsigned outputs = table.outputs(node, in, destination);
    const auto port = static_cast<unsigned>(std::countr_zero(outputs));
    links.push_back(node * kPorts + port);
    if (node == target) return;
    in = opposite(static_cast<Port>(port));
    node = topology.neighbor(node, static_cast<Port>(port));
  }
}

}  // namespace tvp::mesh
