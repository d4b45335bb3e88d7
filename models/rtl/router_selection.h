#pragma once

#include <optional>
#include <vector>

#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"

namespace tvp::rtl {

/// Which routers of a mesh `config.router` wants in RTL: absent for none, empty for all. `place`:
/// which of several meshes it is. Throws Fault(kDescription) when it cannot be read.
std::optional<std::vector<unsigned>> rtl_nodes(const mesh::MeshConfig& config,
                                               const mesh::MeshTopology& topology,
                                               const mesh::MeshPlace& place = {});

}  // namespace tvp::rtl
