#include "models/mesh/traffic/traffic_pattern.h"

#include <bit>

#include "foundation/fault.h"

namespace tvp::mesh {

using foundation::Fault;
using foundation::FaultKind;

const std::vector<std::string>& pattern_names() {
  static const std::vector<std::string> kNames{"uniform",     "transpose", "hotspot",
                                               "bit_reverse", "tornado",   "neighbor"};
  return kNames;
}

TrafficPattern::TrafficPattern(const MeshTrafficConfig& config, const MeshTopology& topology)
    : nodes_(topology.nodes()), hotspot_share_(config.hotspot_share), hotspot_(config.hotspot) {
  const std::string& name = config.pattern.value();
  const auto reject = [&](const char* text) {
    throw Fault(FaultKind::kDescription, "traffic.pattern",
                name + " " + text + "; the mesh has " + std::to_string(topology.width()) + " x " +
                    std::to_string(topology.height()) + " routers");
  };
  if (name == "transpose" && topology.width() != topology.height()) reject("needs a square mesh");
  if (name == "bit_reverse" && !std::has_single_bit(nodes_))
    reject("needs a power of two of nodes");
  if (name == "hotspot") {
    if (hotspot_ >= nodes_) reject("needs traffic.hotspot to be a node of the mesh");
    kind_ = Kind::kHotspot;
  } else if (name != "uniform") {
    kind_ = Kind::kPermutation;
    for (unsigned node = 0; node < nodes_; ++node) {
      partner_.push_back(partner(name, node, topology));
    }
  }
}

unsigned TrafficPattern::partner(const std::string& name, unsigned source,
                                 const MeshTopology& topology) const {
  const unsigned x = topology.x_of(source);
  const unsigned y = topology.y_of(source);
  const unsigned width = topology.width();
  const unsigned height = topology.height();
  if (name == "transpose") return topology.node_at(y, x);
  if (name == "bit_reverse") {
    unsigned reversed = 0;
    for (unsigned bit = 1; bit < nodes_; bit *= 2) {
      reversed = reversed * 2 + ((source & bit) != 0 ? 1 : 0);
    }
    return reversed;
  }
  // One hop less than half-way around each dimension, or one hop.
  const bool tornado = name == "tornado";
  const unsigned dx = tornado ? (width + 1) / 2 - 1 : 1;
  const unsigned dy = tornado ? (height + 1) / 2 - 1 : 1;
  return topology.node_at((x + dx) % width, (y + dy) % height);
}

unsigned TrafficPattern::destination(unsigned source, foundation::Random& random) const {
  switch (kind_) {
    case Kind::kPermutation:
      return partner_[source];
    case Kind::kHotspot:
      if (random.unit() <= hotspot_share_) return hotspot_;
      break;
    case Kind::kUniform:
      break;
  }
  return random.below(nodes_);
}

}  // namespace tvp::mesh
