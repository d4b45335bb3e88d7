#pragma once

#include <string>
#include <vector>

#include "foundation/random.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/traffic/mesh_traffic_config.h"

namespace tvp::mesh {

const std::vector<std::string>& pattern_names();

/// The destination of each source, by the patterns of Dally, Towles: Principles and Practices of
/// Interconnection Networks, section 3.2.
class TrafficPattern {
 public:
  /// Throws Fault(kDescription) if the pattern is not defined on the mesh: `transpose` needs a
  /// square, `bit_reverse` a power of two of nodes.
  TrafficPattern(const MeshTrafficConfig& config, const MeshTopology& topology);

  /// The destination of a node's next packet. `uniform` selects any node, itself included.
  unsigned destination(unsigned source, foundation::Random& random) const;

 private:
  enum class Kind { kUniform, kHotspot, kPermutation };
  unsigned partner(const std::string& name, unsigned source, const MeshTopology& topology) const;

  Kind kind_ = Kind::kUniform;
  unsigned nodes_;
  double hotspot_share_;
  unsigned hotspot_;
  std::vector<unsigned> partner_;
};

}  // namespace tvp::mesh
