#include "sw/runtime/mesh/mesh_device.h"

#include <numeric>
#include <string>
#include <utility>

#include "foundation/source_root.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/shared_cluster.h"

namespace tt::tt_metal::distributed {
namespace {

using tvp::runtime::Cluster;
using tvp::runtime::shared_cluster;

std::vector<unsigned> first_ones(unsigned count) {
  std::vector<unsigned> devices(count);
  std::iota(devices.begin(), devices.end(), 0U);
  return devices;
}

/// Checks a number of a device that a program gives.
unsigned checked(const Cluster& cluster, int id) {
  const unsigned devices = cluster.num_devices();
  if (id < 0 || static_cast<unsigned>(id) >= devices)
    tvp::runtime::bad_use("device " + std::to_string(id),
                          "the system has " + std::to_string(devices) + " (" +
                              tvp::foundation::program_name() +
                              " exec --system NAME chooses another, " +
                              tvp::foundation::program_name() + " list names them)");
  return static_cast<unsigned>(id);
}

}  // namespace

MeshDevice::MeshDevice(DeviceLibrary& library, Options options)
    : MeshDevice(std::make_shared<Cluster>(library, std::move(options))) {}

MeshDevice::MeshDevice(const std::shared_ptr<Cluster>& cluster)
    : IDevice(cluster, false, first_ones(cluster->num_devices()), {1, cluster->num_devices()}, {},
              nullptr) {}

MeshDevice::MeshDevice(std::shared_ptr<Cluster> cluster, bool shared, std::vector<unsigned> devices,
                       const MeshShape& shape, const DispatchCoreConfig& dispatch,
                       std::shared_ptr<MeshDevice> parent)
    : IDevice(std::move(cluster), shared, std::move(devices), shape, dispatch, std::move(parent)) {}

std::shared_ptr<MeshDevice> MeshDevice::create(const MeshDeviceConfig& config, std::size_t,
                                               std::size_t, std::size_t,
                                               const DispatchCoreConfig& dispatch) {
  auto cluster = shared_cluster();
  const unsigned all = cluster->num_devices();
  const MeshShape shape = config.mesh_shape.value_or(cluster->shape());
  // A part of the system is its first devices. Larger shapes are refused.
  if (shape.mesh_size() == 0 || shape.rows > all || shape.columns > all || shape.mesh_size() >= all)
    check_shape(shape, all);
  return std::shared_ptr<MeshDevice>(new MeshDevice(
      std::move(cluster), true, first_ones(shape.mesh_size()), shape, dispatch, nullptr));
}

std::shared_ptr<MeshDevice> MeshDevice::create_unit_mesh(int device_id, std::size_t, std::size_t,
                                                         std::size_t,
                                                         const DispatchCoreConfig& dispatch) {
  auto cluster = shared_cluster();
  const unsigned device = checked(*cluster, device_id);
  return std::shared_ptr<MeshDevice>(
      new MeshDevice(std::move(cluster), true, {device}, {1, 1}, dispatch, nullptr));
}

std::map<int, std::shared_ptr<MeshDevice>> MeshDevice::create_unit_meshes(
    const std::vector<int>& device_ids, std::size_t l1_small_size, std::size_t trace_region_size,
    std::size_t num_command_queues, const DispatchCoreConfig& dispatch) {
  std::map<int, std::shared_ptr<MeshDevice>> meshes;
  for (const int id : device_ids)
    meshes[id] =
        create_unit_mesh(id, l1_small_size, trace_region_size, num_command_queues, dispatch);
  return meshes;
}

}  // namespace tt::tt_metal::distributed
