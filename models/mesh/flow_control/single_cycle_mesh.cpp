#include "models/mesh/flow_control/single_cycle_mesh.h"

namespace tvp::mesh {

using support::Cycle;

SingleCycleMesh::SingleCycleMesh(const MeshConfig& config, const MeshTopology& topology,
                                 support::Calendar& calendar)
    : MeshNetwork(config, topology, calendar),
      active_routers_(topology.nodes()),
      active_sources_(topology.endpoints()) {}

void SingleCycleMesh::clear_activity() {
  active_routers_.clear();
  active_sources_.clear();
}

Cycle SingleCycleMesh::next_step(Cycle now) const {
  return active_routers_.empty() && active_sources_.empty() ? support::kNever : now + 1;
}

}  // namespace tvp::mesh
