#include "models/mesh/buffered_mesh.h"
#include "models/mesh/hold_mesh.h"
#include "models/support/fault.h"

namespace tvp::mesh {

std::unique_ptr<MeshNetwork> make_mesh(const MeshConfig& config, const Topology& topology,
                                       support::Calendar& calendar) {
  if (config.flow_control == "hold") {
    return std::make_unique<HoldMesh>(config, topology, calendar);
  }
  return std::make_unique<BufferedMesh>(config, topology, calendar);
}

}  // namespace tvp::mesh
