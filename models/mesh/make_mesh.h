#pragma once

#include <memory>

#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

class RouterClock;

/// Makes the network that `config.flow_control` and `config.routing` name. Throws
/// Fault(kDescription) if the two can deadlock on this topology. `clock` provides external routers,
/// or is null. `place` is the number of the mesh among several.
std::unique_ptr<MeshNetwork> make_mesh(const MeshConfig& config, const MeshTopology& topology,
                                       support::Calendar& calendar, RouterClock* clock = nullptr,
                                       const MeshPlace& place = {});

}  // namespace tvp::mesh
