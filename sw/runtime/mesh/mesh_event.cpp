#include "sw/runtime/mesh/mesh_event.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

MeshEvent::MeshEvent(MeshDevice& mesh, std::uint32_t id, std::uint32_t queue)
    : mesh_(&mesh),
      mesh_life_(mesh.life()),
      id_(id),
      queue_(queue),
      done_(std::make_shared<bool>(false)) {}

MeshDevice& MeshEvent::device() const {
  if (mesh_life_.expired())
    bad_use("event " + std::to_string(id_), "is used though its mesh is closed");
  return *mesh_;
}

}  // namespace tvp::runtime
