#pragma once

#include <optional>
#include <vector>

#include "models/mesh/faults/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_topology.h"

namespace tvp::rtl {

/// The routers of a mesh that `config.router` selects as RTL: absent for none, empty for all.
/// `place` is the number of the mesh among several. Throws Fault(kDescription) if the text cannot
/// be read.
std::optional<std::vector<unsigned>> rtl_nodes(const mesh::MeshConfig& config,
                                               const mesh::MeshTopology& topology,
                                               const mesh::MeshPlace& place = {});

}  // namespace tvp::rtl
