#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/fabric/fabric_routes.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::collectives {

/// The shape of the links between a system's devices, in their order: a line, a ring, or rows of a
/// mesh.
struct ChipTopology {
  runtime::MeshShape shape;
  runtime::FabricWraps wraps;
  unsigned links = 1;  ///< the fewest links of any edge

  /// Returns the widest shape whose edges all exist. Throws Fault(kDescription) if there is none.
  static ChipTopology of(const runtime::MeshDevice& mesh);
  std::string text() const;  ///< "ring of 4", "mesh of 2 x 4"
  /// Returns the devices in an order in which neighbors are joined, the last with the first if
  /// possible. Empty for their own order.
  std::vector<std::uint32_t> ring() const;
};

}  // namespace tvp::collectives
