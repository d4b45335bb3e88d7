#include "models/mesh/mesh_topology.h"

#include "foundation/fault.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;

namespace {
constexpr unsigned kMaxNodes = 4096;
}

MeshTopology::MeshTopology(unsigned width, unsigned height) : width_(width), height_(height) {
  if (width == 0 || height == 0 || width > kMaxNodes || height > kMaxNodes / width) {
    throw Fault(FaultKind::kDescription, "mesh",
                "a mesh of " + std::to_string(width) + " x " + std::to_string(height) +
                    " routers; expected 1 to " + std::to_string(kMaxNodes));
  }
  broken_routers_.assign(nodes(), false);
  broken_links_.assign(std::size_t{nodes()} * kPorts, false);
}

unsigned MeshTopology::beside(unsigned node, Port port) const {
  const unsigned x = x_of(node);
  const unsigned y = y_of(node);
  switch (port) {
    case Port::kNorth:
      return y + 1 < height_ ? node + width_ : kNone;
    case Port::kEast:
      return x + 1 < width_ ? node + 1 : kNone;
    case Port::kSouth:
      return y > 0 ? node - width_ : kNone;
    case Port::kWest:
      return x > 0 ? node - 1 : kNone;
    case Port::kLocal:
      break;
  }
  return kNone;
}

unsigned MeshTopology::add_gateway(unsigned x, unsigned y, Port port) {
  if (x >= width_ || y >= height_) {
    throw Fault(FaultKind::kDescription, "mesh",
                "gateway at (" + std::to_string(x) + "," + std::to_string(y) +
                    "), outside of the mesh of " + std::to_string(width_) + " x " +
                    std::to_string(height_));
  }
  const unsigned node = node_at(x, y);
  if (port == Port::kLocal || beside(node, port) != kNone || endpoint_at(node, port) != kNone) {
    throw Fault(FaultKind::kDescription, "mesh",
                "gateway at " + name_of_link(node, port) +
                    "; expected a free port at the edge of the mesh");
  }
  gateways_.push_back({node, port});
  return endpoints() - 1;
}

unsigned MeshTopology::router_of(unsigned endpoint) const {
  return endpoint < nodes() ? endpoint : gateways_[endpoint - nodes()].router;
}

Port MeshTopology::port_of(unsigned endpoint) const {
  return endpoint < nodes() ? Port::kLocal : gateways_[endpoint - nodes()].port;
}

unsigned MeshTopology::neighbor(unsigned node, Port port) const {
  const unsigned other = beside(node, port);
  if (other == kNone || broken_links_[std::size_t{node} * kPorts + index(port)]) return kNone;
  return broken_routers_[node] || broken_routers_[other] ? kNone : other;
}

unsigned MeshTopology::endpoint_at(unsigned node, Port port) const {
  if (broken_routers_[node]) return kNone;
  if (port == Port::kLocal) return node;
  for (std::size_t i = 0; i < gateways_.size(); ++i) {
    if (gateways_[i].router == node && gateways_[i].port == port) {
      return nodes() + static_cast<unsigned>(i);
    }
  }
  return kNone;
}

void MeshTopology::break_link(unsigned node, Port port) {
  broken_links_[std::size_t{node} * kPorts + index(port)] = true;
  ++faults_;
}

void MeshTopology::break_router(unsigned node) {
  broken_routers_[node] = true;
  ++faults_;
}

std::string MeshTopology::name_of_router(unsigned node) const {
  return std::string("(") + std::to_string(x_of(node)) + "," + std::to_string(y_of(node)) + ")";
}

std::string MeshTopology::name_of_link(unsigned node, Port port) const {
  return name_of_router(node) + "." + name_of(port);
}

std::string MeshTopology::name_of_endpoint(unsigned endpoint) const {
  return endpoint < nodes() ? name_of_router(endpoint)
                            : "gateway " + name_of_link(router_of(endpoint), port_of(endpoint));
}

}  // namespace tvp::mesh
