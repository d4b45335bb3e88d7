#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// Something that breaks. While it is broken, every flit that leaves by the link, or by any port of
/// the router, is damaged.
struct MeshFault {
  unsigned mesh = 0;  ///< of several
  bool is_router = false;
  unsigned node = 0;
  Port port = Port::kLocal;  ///< of a link
  support::Cycle at = 0;     ///< from this cycle on
  support::Cycle lasts = 0;  ///< cycles; 0 for ever
  bool is_permanent() const { return lasts == 0; }
};

/// Which of several meshes with the same settings, one a chip.
struct MeshPlace {
  unsigned number = 0;
  unsigned meshes = 1;
  /// "chip2." where there are several; in front of what faults break there.
  std::string prefix() const { return meshes == 1 ? "" : "chip" + std::to_string(number) + "."; }
};

/// The faults that `mesh.faults` lists and the random ones in so many meshes, in the order of their
/// cycles. Throws Fault(kDescription) if the list cannot be read or names an unknown link or
/// router.
std::vector<MeshFault> plan_faults(const MeshConfig& config, const MeshTopology& topology,
                                   unsigned meshes = 1);

std::string name_of(const MeshFault& fault, const MeshTopology& topology, const MeshPlace& place);

}  // namespace tvp::mesh
