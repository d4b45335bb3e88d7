#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sw/collectives/execution/rank_shape.h"
#include "sw/runtime/fabric/fabric_routes.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::collectives {

/// The shape of the links between a system's devices, in their order: a line, a ring, or rows of a
/// mesh.
struct ChipTopology {
  runtime::MeshShape shape;
  runtime::FabricWraps wraps;
  unsigned links = 1;  ///< the fewest links of any edge

  /// Links between devices, by their numbers.
  using Links = std::vector<std::pair<unsigned, unsigned>>;

  /// Returns the widest shape whose edges all exist. Throws Fault(kDescription) if there is none.
  static ChipTopology of(unsigned devices, const Links& links);
  static ChipTopology of(const runtime::MeshDevice& mesh);
  /// The same for a system's description, before its chips exist. None if it has no devices.
  static std::optional<ChipTopology> described(const std::string& system);
  std::string text() const;        ///< "ring of 4", "mesh of 2 x 4"
  std::string links_like() const;  ///< as IdealTopology names it
  /// Returns the devices in an order in which neighbors are joined, the last with the first if
  /// possible. Empty for their own order.
  std::vector<std::uint32_t> ring() const;
  RankShape ranks() const;
};

}  // namespace tvp::collectives
