#pragma once

#include "models/mesh/flow_control/bufferless_mesh.h"
#include "models/mesh/flow_control/deflection_router.h"

namespace tvp::mesh {

/// A mesh of routers that deflect flits whose output is taken. The flits of a packet travel
/// independently and their destination reassembles them. A hop takes one cycle.
class DeflectionMesh : public BufferlessMesh<DeflectionMesh, DeflectionRouter> {
 public:
  DeflectionMesh(const MeshConfig& config, const MeshTopology& topology,
                 support::Calendar& calendar)
      : BufferlessMesh(config, topology, calendar) {}

 private:
  friend BufferlessMesh;
  static bool was_blocked(const DeflectionRouter::Outputs& outputs, Port port) {
    return (outputs.deflected & mask_of(port)) != 0;
  }
  void drop_rest(support::Cycle) {}
};

}  // namespace tvp::mesh
