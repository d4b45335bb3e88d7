#pragma once

#include "models/mesh/flow_control/bufferless_mesh.h"
#include "models/mesh/flow_control/drop_router.h"

namespace tvp::mesh {

/// A mesh of routers that drop packets in conflict. A negative acknowledgement returns over
/// separate wires in as many cycles as the packet has made hops, and the source sends again. A hop
/// takes one cycle.
class DropMesh : public BufferlessMesh<DropMesh, DropRouter> {
 public:
  DropMesh(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar)
      : BufferlessMesh(config, topology, calendar) {}

 private:
  friend BufferlessMesh;
  static bool was_blocked(const DropRouter::Outputs&, Port) { return false; }
  void drop_rest(support::Cycle now);
  void drop(const Flit& flit, support::Cycle now);
};

}  // namespace tvp::mesh
