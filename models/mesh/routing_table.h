#pragma once

#include <cstdint>
#include <vector>

#include "models/mesh/routing_function.h"
#include "models/mesh/topology.h"

namespace tvp::mesh {

/// Outputs by router, input port and destination, looked up once for every packet and router.
class RoutingTable {
 public:
  RoutingTable(const Topology& topology, const RoutingFunction& routing);
  /// A table of nothing, to be filled in with set().
  explicit RoutingTable(const Topology& topology);

  /// At the destination's router: the port that the destination is at.
  PortMask outputs(unsigned node, Port in, unsigned destination) const {
    return outputs_[at(node, in, destination)];
  }
  PortMask escape(unsigned node, Port in, unsigned destination) const {
    return escape_.empty() ? PortMask{0} : escape_[at(node, in, destination)];
  }
  bool has_escape() const { return !escape_.empty(); }
  void set(unsigned node, Port in, unsigned destination, PortMask outputs) {
    outputs_[at(node, in, destination)] = outputs;
  }
  /// Takes all other outputs of a router away.
  void restrict(unsigned node, PortMask outputs);

 private:
  std::size_t at(unsigned node, Port in, unsigned destination) const {
    return (std::size_t{node} * kPorts + index(in)) * destinations_ + destination;
  }

  unsigned destinations_;
  std::vector<PortMask> outputs_;
  std::vector<PortMask> escape_;
};

/// Numbers node * kPorts + output port of the links on the route of a packet, in order, with the
/// port out of the last router. The first output where the table leaves a choice.
void find_route(const Topology& topology, const RoutingTable& table, unsigned source,
                unsigned destination, std::vector<std::uint32_t>& links);

}  // namespace tvp::mesh
