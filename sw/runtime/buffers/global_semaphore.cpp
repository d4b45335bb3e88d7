#include "sw/runtime/buffers/global_semaphore.h"

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

GlobalSemaphore::GlobalSemaphore(MeshDevice& mesh, CoreRangeSet cores, std::uint32_t initial)
    : mesh_(&mesh), mesh_life_(mesh.life()), cores_(std::move(cores)) {
  if (cores_.ranges().empty()) bad_use("global semaphore", "needs cores");
  for (unsigned d = 0; d < mesh.num_devices(); ++d)
    for (const CoreCoord core : cores_.cores())
      mesh.device(d).layout().worker_noc0(core);  // exists
  address_ = mesh.create_global_semaphore(cores_, initial);
}

void GlobalSemaphore::reset_semaphore_value(std::uint32_t value) const {
  if (mesh_life_.expired()) bad_use("global semaphore", "is used though its mesh is closed");
  mesh_->reset_semaphore(address_, cores_, value);
}

}  // namespace tvp::runtime
