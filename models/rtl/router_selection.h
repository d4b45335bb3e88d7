#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"

namespace tvp::rtl {

/// The routers of a mesh that `mesh.router` selects as RTL.
struct RouterSelection {
  std::vector<unsigned> nodes;  ///< empty for all
  std::string library;          ///< path or name of a user's library; empty for our routers
};

/// Absent for none. `place` is the number of the mesh among several. Throws Fault(kDescription) if
/// the text cannot be read.
std::optional<RouterSelection> select_routers(const mesh::MeshConfig& config,
                                              const mesh::MeshTopology& topology,
                                              const mesh::MeshPlace& place = {});

}  // namespace tvp::rtl
