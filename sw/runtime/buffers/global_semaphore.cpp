#include "sw/runtime/buffers/global_semaphore.h"

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

GlobalSemaphore::GlobalSemaphore(MeshDevice& mesh, CoreRangeSet cores, std::uint32_t initial)
    : cluster_(&mesh.cluster()), cluster_life_(cluster_->life()), cores_(std::move(cores)) {
  if (cores_.ranges().empty()) bad_use("global semaphore", "needs cores");
  for (unsigned d = 0; d < cluster_->num_devices(); ++d)
    for (const CoreCoord core : cores_.cores())
      cluster_->device(d).layout().worker_noc0(core);  // throws if it does not exist
  address_ = cluster_->create_global_semaphore(cores_, initial);
}

void GlobalSemaphore::reset_semaphore_value(std::uint32_t value) const {
  if (cluster_life_.expired()) bad_use("global semaphore", "is used after its mesh was closed");
  cluster_->reset_semaphore(address_, cores_, value);
}

}  // namespace tvp::runtime
