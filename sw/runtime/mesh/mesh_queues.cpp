// The part of MeshDevice that command queues are made of.

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_command_queue.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::runtime {

void MeshDevice::reshape(const MeshShape& shape) {
  if (std::uint64_t{shape.rows} * shape.columns != num_devices())
    bad_use("mesh", "a shape of " + std::to_string(shape.rows) + " x " +
                        std::to_string(shape.columns) + " for " + std::to_string(num_devices()) +
                        " devices");
  shape_ = shape;
}

unsigned MeshDevice::device_index(MeshCoordinate device) const {
  if (device.row >= shape_.rows || device.column >= shape_.columns)
    bad_use("device " + device.str(), "is outside the mesh of " + std::to_string(shape_.rows) +
                                          " x " + std::to_string(shape_.columns));
  return device.row * shape_.columns + device.column;
}

MeshCommandQueue& MeshDevice::mesh_command_queue(std::uint32_t id) {
  if (id >= queues_.size())
    bad_use("command queue " + std::to_string(id),
            "a mesh has queues 0 to " + std::to_string(queues_.size() - 1));
  return *queues_[id];
}

MeshTraceId MeshDevice::begin_mesh_trace(std::uint32_t queue) {
  mesh_command_queue(queue);  // is there
  return traces_.begin(queue);
}

void MeshDevice::end_mesh_trace(std::uint32_t queue, MeshTraceId id) { traces_.end(queue, id); }

void MeshDevice::replay_mesh_trace(std::uint32_t queue, MeshTraceId id, bool blocking) {
  mesh_command_queue(queue).enqueue_trace(id, blocking);
}

void MeshDevice::check_current(const MeshLaunch& launch) {
  if (launch.manager != sub_devices_.loaded_id())
    bad_use("workload", "was laid out under sub-device manager " + std::to_string(*launch.manager) +
                            ", and " + std::to_string(*sub_devices_.loaded_id()) + " is loaded");
  for (const MeshLaunch::Part& part : launch.parts) {
    part.plan.check_memory();
    const std::uint32_t limit = l1_limit(part.sub_device);
    if (part.plan.l1_end() > limit)
      bad_use("workload", "its circular buffers end at " + std::to_string(part.plan.l1_end()) +
                              ", where a buffer has been made since, at " + std::to_string(limit));
  }
}

bool MeshDevice::can_start(const MeshLaunch& launch) {
  check_current(launch);
  forget_finished();
  return std::none_of(running_.begin(), running_.end(), [&](const Running& running) {
    return std::any_of(launch.parts.begin(), launch.parts.end(), [&](const MeshLaunch::Part& part) {
      if (part.device != running.device) return false;
      if (!running.core.ethernet && owner(running) == part.sub_device) return true;
      // What runs on ethernet cores is in nobody's way but on the same core.
      return std::any_of(part.plan.cores().begin(), part.plan.cores().end(),
                         [&](const CoreLaunch& core) { return core.core == running.core; });
    });
  });
}

bool MeshDevice::idle(std::span<const SubDeviceId> sub_devices) {
  forget_finished();
  return std::none_of(running_.begin(), running_.end(), [&](const Running& running) {
    const auto id = owner(running);
    return !running.core.ethernet && id &&
           std::find(sub_devices.begin(), sub_devices.end(), *id) != sub_devices.end();
  });
}

bool MeshDevice::give_commands() {
  bool any = false;
  for (bool again = true; again;) {
    again = false;
    for (const auto& queue : queues_)
      while (queue->issue()) again = true;
    any = any || again;
  }
  return any;
}

}  // namespace tvp::runtime
