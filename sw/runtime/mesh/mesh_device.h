#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "sw/runtime/mesh/i_device.h"

namespace tvp::runtime {

struct MeshDeviceConfig {
  std::optional<MeshShape> mesh_shape;
  MeshDeviceConfig() = default;
  MeshDeviceConfig(MeshShape shape) : mesh_shape(shape) {}  // NOLINT: as tt-metal's
};

}  // namespace tvp::runtime

namespace tt::tt_metal::distributed {

/// Devices of a cluster (tt-metal's tt-metalium/mesh_device.hpp), and how they are made. IDevice
/// has what all of them can do.
class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice> {
 public:
  using MeshDeviceConfig = tvp::runtime::MeshDeviceConfig;
  static constexpr std::size_t kNoSize = 0;  ///< values that this library does not use

  /// Creates a row of all devices of a library, which must outlive the mesh.
  MeshDevice(DeviceLibrary& library, Options options);

  // Create meshes of the shared cluster.
  /// All devices of the system in this shape, or the first ones if the shape is smaller. Without a
  /// shape, the system's own (Cluster::shape).
  static std::shared_ptr<MeshDevice> create(const MeshDeviceConfig& config,
                                            std::size_t l1_small_size = kNoSize,
                                            std::size_t trace_region_size = kNoSize,
                                            std::size_t num_command_queues = 1,
                                            const DispatchCoreConfig& dispatch = {});
  static std::shared_ptr<MeshDevice> create_unit_mesh(int device_id,
                                                      std::size_t l1_small_size = kNoSize,
                                                      std::size_t trace_region_size = kNoSize,
                                                      std::size_t num_command_queues = 1,
                                                      const DispatchCoreConfig& dispatch = {});
  static std::map<int, std::shared_ptr<MeshDevice>> create_unit_meshes(
      const std::vector<int>& device_ids, std::size_t l1_small_size = kNoSize,
      std::size_t trace_region_size = kNoSize, std::size_t num_command_queues = 1,
      const DispatchCoreConfig& dispatch = {});

 private:
  friend class tt::tt_metal::IDevice;
  explicit MeshDevice(const std::shared_ptr<Cluster>& cluster);
  MeshDevice(std::shared_ptr<Cluster> cluster, bool shared, std::vector<unsigned> devices,
             const MeshShape& shape, const DispatchCoreConfig& dispatch,
             std::shared_ptr<MeshDevice> parent);
};

}  // namespace tt::tt_metal::distributed
