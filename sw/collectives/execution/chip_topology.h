#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/fabric/fabric_routes.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::collectives {

/// How the devices of a system, in their order, are joined: a line, a ring, or rows of a mesh.
struct ChipTopology {
  runtime::MeshShape shape;
  runtime::FabricWraps wraps;
  unsigned links = 1;  ///< of every edge, the fewest

  /// The widest shape whose edges are all there. Throws Fault(kDescription) when there is none.
  static ChipTopology of(const runtime::MeshDevice& mesh);
  std::string text() const;  ///< "ring of 4", "mesh of 2 x 4"
  /// The devices in an order in which neighbors are joined, the last with the first where that can
  /// be had; empty: their own.
  std::vector<std::uint32_t> ring() const;
};

}  // namespace tvp::collectives
