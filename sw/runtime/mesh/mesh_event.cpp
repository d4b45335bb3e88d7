#include "sw/runtime/mesh/mesh_event.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

MeshEvent::MeshEvent(MeshDevice& mesh, std::uint32_t id, std::uint32_t queue)
    : mesh_(&mesh),
      cluster_(&mesh.cluster()),
      cluster_life_(cluster_->life()),
      id_(id),
      queue_(queue),
      done_(std::make_shared<bool>(false)) {}

Cluster& MeshEvent::cluster() const {
  if (cluster_life_.expired())
    bad_use("event " + std::to_string(id_), "is used after its mesh was closed");
  return *cluster_;
}

}  // namespace tvp::runtime
