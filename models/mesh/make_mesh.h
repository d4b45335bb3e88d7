#pragma once

#include <memory>

#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

class RouterClock;

/// The network that `config.flow_control` names, with the routing that `config.routing` names.
/// Throws Fault(kDescription) when the two deadlock on this topology. `clock`: who has those of the
/// routers that are not the mesh's own, or null. `place`: which of several meshes it is.
std::unique_ptr<MeshNetwork> make_mesh(const MeshConfig& config, const MeshTopology& topology,
                                       support::Calendar& calendar, RouterClock* clock = nullptr,
                                       const MeshPlace& place = {});

}  // namespace tvp::mesh
