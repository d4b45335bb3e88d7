#include "models/mesh/routing/routing_table.h"

#include <bit>
#include <utility>

namespace tvp::mesh {

namespace {
constexpr PortMask kAllPorts = (1U << kPorts) - 1;
}

RoutingTable::RoutingTable(const MeshTopology& topology)
    : places_(topology.endpoints()),
      working_(topology.nodes(), kAllPorts),
      by_destination_(std::size_t{topology.nodes()} * kPorts * topology.endpoints(), 0) {}

RoutingTable::RoutingTable(const MeshTopology& topology, const RoutingFunction& routing)
    : working_(topology.nodes(), kAllPorts),
      parts_(routing.parts()),
      goes_via_(routing.goes_via()) {
  for (unsigned endpoint = 0; endpoint < topology.endpoints(); ++endpoint) {
    const unsigned node = topology.router_of(endpoint);
    places_.push_back({.x = static_cast<std::uint16_t>(topology.x_of(node)),
                       .y = static_cast<std::uint16_t>(topology.y_of(node)),
                       .port = mask_of(topology.port_of(endpoint))});
  }
  number_.reserve(std::size_t{topology.nodes()} * kPorts * parts_);
  for (unsigned part = 0; part < parts_; ++part) {
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      for (unsigned in = 0; in < kPorts; ++in) {
        ask(topology, routing, part, node, static_cast<Port>(in));
      }
    }
  }
}

/// Asks only for directions in which the mesh has a router.
void RoutingTable::ask(const MeshTopology& topology, const RoutingFunction& routing, unsigned part,
                       unsigned node, Port in) {
  const bool from_outside = topology.endpoint_at(node, in) != MeshTopology::kNone;
  Hop hop{
      .x = topology.x_of(node), .y = topology.y_of(node), .in = from_outside ? Port::kLocal : in};
  hop.part = part;
  Answers answers;
  for (hop.dy = -Hop::kFarthest; hop.dy <= Hop::kFarthest; ++hop.dy) {
    const int y = static_cast<int>(hop.y) + hop.dy;
    if (y < 0 || y >= static_cast<int>(topology.height())) continue;
    for (hop.dx = -Hop::kFarthest; hop.dx <= Hop::kFarthest; ++hop.dx) {
      const int x = static_cast<int>(hop.x) + hop.dx;
      if (x < 0 || x >= static_cast<int>(topology.width()) || (hop.dx == 0 && hop.dy == 0))
        continue;
      const std::size_t to = direction(hop.dx, hop.dy);
      answers.outputs[to] = routing.outputs(hop);
      answers.escape[to] = routing.escape(hop);
      has_escape_ = has_escape_ || answers.escape[to] != 0;
    }
  }
  number_.push_back(keep(answers));
}

/// Most answers equal those of the previous router, so the search begins with the latest ones.
std::uint16_t RoutingTable::keep(const Answers& answers) {
  for (std::size_t i = answers_.size(); i-- > 0;) {
    if (answers_[i] == answers) return static_cast<std::uint16_t>(i);
  }
  answers_.push_back(answers);
  return static_cast<std::uint16_t>(answers_.size() - 1);
}

void RoutingTable::expand() {
  std::vector<PortMask> expanded(working_.size() * kPorts * places_.size());
  for (unsigned node = 0; node < working_.size(); ++node) {
    for (unsigned in = 0; in < kPorts; ++in) {
      for (unsigned to = 0; to < places_.size(); ++to) {
        expanded[at(node, static_cast<Port>(in), to)] = outputs(node, static_cast<Port>(in), to);
      }
    }
  }
  by_destination_ = std::move(expanded);
}

void find_route(const MeshTopology& topology, const RoutingTable& table, unsigned source,
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
