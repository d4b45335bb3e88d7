#pragma once

#include <string>
#include <vector>

#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// A fault of a link or router. While it lasts, every flit that leaves by the link, or by any port
/// of the router, is damaged.
struct MeshFault {
  unsigned mesh = 0;  ///< number among several meshes
  bool is_router = false;
  unsigned node = 0;
  Port port = Port::kLocal;  ///< port of the link
  support::Cycle at = 0;     ///< first cycle of the fault
  support::Cycle lasts = 0;  ///< in cycles; 0: permanent
  bool is_permanent() const { return lasts == 0; }
};

/// The number of a mesh among several with the same settings, one for each chip.
struct MeshPlace {
  unsigned number = 0;
  unsigned meshes = 1;
  /// Prefix of names in messages: "chip2.", or "" if there is only one mesh.
  std::string prefix() const { return meshes == 1 ? "" : "chip" + std::to_string(number) + "."; }
};

/// The faults that `mesh.faults` lists and the random ones of all meshes, sorted by cycle. Throws
/// Fault(kDescription) if the list cannot be read or names an unknown link or router.
std::vector<MeshFault> plan_faults(const MeshConfig& config, const MeshTopology& topology,
                                   unsigned meshes = 1);

std::string name_of(const MeshFault& fault, const MeshTopology& topology, const MeshPlace& place);

}  // namespace tvp::mesh
