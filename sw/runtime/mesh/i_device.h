#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "sw/runtime/buffers/allocator.h"
#include "sw/runtime/devices/core_types.h"
#include "sw/runtime/mesh/cluster.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/metal_classes.h"

namespace tvp::runtime {
using DeviceAddr = std::uint64_t;
}  // namespace tvp::runtime

namespace tt::tt_metal {

using tvp::runtime::Allocator;
using tvp::runtime::CoreCoord;
using tvp::runtime::CoreRangeSet;
using tvp::runtime::CoreType;
using tvp::runtime::DeviceAddr;
using tvp::runtime::DispatchCoreConfig;
using tvp::runtime::HalProgrammableCoreType;
using tvp::runtime::SubDevice;
using tvp::runtime::SubDeviceId;
using tvp::runtime::SubDeviceManagerId;

/// Devices of a cluster by row and column: all, some, or one (tt-metal's tt-metalium/device.hpp and
/// mesh_device.hpp). Each is a distributed::MeshDevice: a device is a mesh of one. Meshes of a
/// cluster share its memory, its queues and its split into sub-devices. Functions throw
/// Fault(kDescription) for unknown devices, queues and sub-devices, and after close().
class IDevice {
 public:
  using ARCH = tvp::runtime::ARCH;
  using BankManager = tvp::runtime::BankManager;
  using BufferType = tvp::runtime::BufferType;
  using ChipLayout = tvp::runtime::ChipLayout;
  using Cluster = tvp::runtime::Cluster;
  using CoreId = tvp::runtime::CoreId;
  using DeviceLibrary = tvp::runtime::DeviceLibrary;
  using KernelCompiler = tvp::runtime::KernelCompiler;
  using MeshCommandQueue = distributed::MeshCommandQueue;
  using MeshCoordinate = tvp::runtime::MeshCoordinate;
  using MeshDevice = distributed::MeshDevice;
  using MeshLink = tvp::runtime::MeshLink;
  using MeshShape = tvp::runtime::MeshShape;
  using MeshTraceId = tvp::runtime::MeshTraceId;
  using Zone = tvp::runtime::Zone;

  using Options = Cluster::Options;
  static constexpr std::uint32_t kCommandQueues = Cluster::kCommandQueues;

  IDevice(const IDevice&) = delete;
  IDevice& operator=(const IDevice&) = delete;

  // The devices.
  const MeshShape& shape() const { return shape_; }
  /// Throws Fault(kDescription) if the shape has another number of devices.
  void reshape(const MeshShape& shape);
  unsigned num_devices() const { return static_cast<unsigned>(devices_.size()); }
  std::size_t num_rows() const { return shape_.rows; }
  std::size_t num_cols() const { return shape_.columns; }
  tvp::runtime::Device& device(unsigned index) const;
  /// Number in the cluster.
  unsigned device_index(MeshCoordinate device) const;
  /// Devices, row by row, each as a mesh of one.
  std::vector<IDevice*> get_devices() const;
  std::vector<int> get_device_ids() const;
  MeshDevice* get_device(const MeshCoordinate& device) const;
  MeshDevice* get_device(std::size_t row, std::size_t column) const;
  /// A part of this mesh from `offset` on. Throws Fault(kDescription) if it exceeds the mesh, or if
  /// no shared pointer holds this mesh.
  std::shared_ptr<MeshDevice> create_submesh(
      const MeshShape& shape, const std::optional<MeshCoordinate>& offset = std::nullopt);
  /// Divides the mesh into as many parts as possible, row by row.
  std::vector<std::shared_ptr<MeshDevice>> create_submeshes(const MeshShape& shape);
  /// Returns the parts that still exist.
  std::vector<std::shared_ptr<MeshDevice>> get_submeshes() const;
  bool is_parent_mesh() const { return parent_ == nullptr; }
  const std::shared_ptr<MeshDevice>& get_parent_mesh() const { return parent_; }
  /// Waits for all enqueued commands, also those of parts.
  void quiesce_devices();
  /// Waits for all enqueued commands. Returns false if the mesh is already closed.
  bool close();

  // Number of the first device, the only one of a unit mesh.
  int id() const { return static_cast<int>(devices_.front()); }
  ARCH arch() const { return tvp::runtime::architecture_of(layout().spec().generation); }
  bool is_initialized() const { return cluster_ != nullptr; }
  std::uint8_t num_hw_cqs() const { return kCommandQueues; }
  int num_dram_channels() const { return static_cast<int>(layout().dram_banks()); }
  std::uint32_t l1_size_per_core() const {
    return static_cast<std::uint32_t>(layout().spec().memories.tensix_l1_bytes);
  }
  std::uint32_t dram_size_per_channel() const {
    return static_cast<std::uint32_t>(layout().dram_bank_bytes());
  }
  int get_clock_rate_mhz() const { return 1000; }
  /// Columns and rows of the NoC.
  CoreCoord grid_size() const { return {layout().spec().columns, layout().spec().rows}; }
  /// All workers, and the workers of programs: on silicon the last row dispatches.
  CoreCoord logical_grid_size() const { return layout().grid_size(); }
  CoreCoord compute_with_storage_grid_size() const;
  CoreCoord dram_grid_size() const { return {layout().dram_banks(), 1}; }
  CoreCoord worker_core_from_logical_core(CoreCoord core) const {
    return layout().worker_virtual(core);
  }
  std::vector<CoreCoord> worker_cores_from_logical_cores(const std::vector<CoreCoord>& cores) const;
  CoreCoord physical_core_from_logical_core(CoreCoord core, CoreType type) const {
    return virtual_core_from_logical_core(core, type);
  }
  CoreCoord virtual_core_from_logical_core(CoreCoord core, CoreType type) const;
  CoreCoord ethernet_core_from_logical_core(CoreCoord core) const {
    return layout().ethernet_virtual(core.y);
  }
  /// Logical ethernet cores with a link to another device of the cluster. Routers of a fabric use
  /// none until a program sets it up, so no core is reserved.
  std::unordered_set<CoreCoord> get_active_ethernet_cores(bool skip_reserved = false) const;
  std::unordered_set<CoreCoord> get_inactive_ethernet_cores() const;
  bool is_active_ethernet_core(CoreCoord core, bool skip_reserved = false) const {
    return get_active_ethernet_cores(skip_reserved).contains(core);
  }
  CoreCoord logical_core_from_dram_channel(std::uint32_t channel) const { return {channel, 0}; }

  // Memory.
  const std::unique_ptr<Allocator>& allocator() const { return allocator_; }
  /// Allocator of a sub-device's own L1.
  const std::unique_ptr<Allocator>& allocator(SubDeviceId id) const;
  /// End of the L1 that circular buffers may use; nothing if no buffer is in L1.
  std::optional<DeviceAddr> lowest_occupied_compute_l1_address() const;
  std::optional<DeviceAddr> lowest_occupied_compute_l1_address(
      std::span<const SubDeviceId> ids) const;

  // Sub-devices. All devices of a cluster have the same split. Functions that change it throw
  // Fault(kDescription) on a mesh that is a part of its cluster.
  /// `local_l1_size` is the number of bytes of L1 that each sub-device allocates for itself, below
  /// the shared L1.
  SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                               DeviceAddr local_l1_size);
  SubDeviceManagerId create_sub_device_manager(std::initializer_list<SubDevice> sub_devices,
                                               DeviceAddr local_l1_size);
  /// No worker may be running, and no sub-device of the loaded manager may have buffers of its own.
  void load_sub_device_manager(SubDeviceManagerId id);
  void clear_loaded_sub_device_manager();
  void remove_sub_device_manager(SubDeviceManagerId id);
  SubDeviceManagerId get_active_sub_device_manager_id() const;
  SubDeviceManagerId get_default_sub_device_manager_id() const {
    return tvp::runtime::SubDeviceManagers::default_id();
  }
  std::vector<SubDeviceId> get_sub_device_ids() const { return cluster().sub_device_ids(); }
  std::uint32_t num_sub_devices() const {
    return static_cast<std::uint32_t>(get_sub_device_ids().size());
  }
  /// Sub-devices for which finish() and a queue's accesses to buffers wait by default.
  std::vector<SubDeviceId> get_sub_device_stall_group() const;
  void set_sub_device_stall_group(std::span<const SubDeviceId> ids);
  void reset_sub_device_stall_group();
  CoreRangeSet worker_cores(HalProgrammableCoreType type, SubDeviceId id) const {
    return cluster().worker_cores(type, id);
  }
  std::uint32_t num_worker_cores(HalProgrammableCoreType type, SubDeviceId id) const {
    return static_cast<std::uint32_t>(worker_cores(type, id).cores().size());
  }

  // Command queues, and traces that they capture (distributed.h).
  MeshCommandQueue& command_queue(std::size_t id = 0) const;
  MeshCommandQueue& mesh_command_queue(std::optional<std::uint32_t> id = std::nullopt) const {
    return command_queue(id.value_or(0));
  }
  MeshTraceId begin_mesh_trace(std::uint32_t queue);
  void end_mesh_trace(std::uint32_t queue, const MeshTraceId& id);
  void replay_mesh_trace(std::uint32_t queue, const MeshTraceId& id, bool blocking);
  void release_mesh_trace(const MeshTraceId& id) { cluster().traces().release(id); }

  // Has no effect: the kernel cache always keeps kernels.
  void enable_program_cache() {}
  void enable_async(bool) {}
  void clear_program_cache() {}
  void disable_and_clear_program_cache() {}

  // Functions that tt-metal does not have: programs without queues, the library, measurements.
  /// This device as the mesh that it is.
  MeshDevice& mesh() const;
  Cluster& cluster() const;
  /// Keeps the library open, for a mesh of the shared cluster; null otherwise.
  std::shared_ptr<const void> keep_open() const;
  DeviceLibrary& library() const { return cluster().library(); }
  KernelCompiler& compiler() const { return cluster().compiler(); }
  double compile_seconds() const { return cluster().compile_seconds(); }
  const std::vector<MeshLink>& links() const { return cluster().links(); }
  std::uint32_t l1_banks() const { return cluster().l1_banks(); }
  std::uint32_t dram_banks() const { return cluster().dram_banks(); }
  BankManager& bank_manager(BufferType type) const { return cluster().bank_manager(type); }
  BankManager& bank_manager(SubDeviceId id) const { return cluster().bank_manager(id); }
  /// Reserves 16 bytes at one address of L1 on all workers, set to `initial`.
  std::uint32_t create_global_semaphore(const CoreRangeSet& cores, std::uint32_t initial) {
    return cluster().create_global_semaphore(cores, initial);
  }

  /// Starts the program on a device (Cluster::enqueue).
  void enqueue(unsigned device, const Program& program);
  /// Starts program i on device i, all in the same cycle. Devices whose program has no kernels are
  /// skipped.
  void enqueue_all(const std::vector<Program>& programs);
  // Wait until programs have finished (see Cluster).
  void finish() { cluster().finish(); }
  void finish(std::span<const SubDeviceId> sub_devices) { cluster().finish(sub_devices); }
  void finish(unsigned device) { cluster().finish(number_of(device)); }
  void finish_ethernet(unsigned device, unsigned channel) {
    cluster().finish_ethernet(number_of(device), channel);
  }
  void finish_workers() { cluster().finish_workers(); }
  void run(unsigned device, const Program& program) {
    enqueue(device, program);
    finish(device);
  }
  bool running() const { return cluster().running(); }
  bool give_commands() { return cluster().give_commands(); }
  void wait_until(const std::function<bool()>& done, const char* what) {
    cluster().wait_until(done, what);
  }
  /// Wall clock of a worker's last program at go and done, in cycles.
  tvp::contract::RunTimes run_times(unsigned device, const CoreId& core) const {
    return cluster().run_times(number_of(device), core);
  }
  std::vector<Zone> zones() { return cluster().zones(); }

 protected:
  IDevice(std::shared_ptr<Cluster> cluster, bool shared, std::vector<unsigned> devices,
          const MeshShape& shape, const DispatchCoreConfig& dispatch,
          std::shared_ptr<MeshDevice> parent);
  ~IDevice();
  /// Throws Fault(kDescription) if the shape has another number of devices.
  static void check_shape(const MeshShape& shape, unsigned devices);

 private:
  std::shared_ptr<MeshDevice> part(std::vector<unsigned> devices, const MeshShape& shape,
                                   std::shared_ptr<MeshDevice> parent) const;
  /// Throws Fault(kDescription) if the mesh is a part of its cluster.
  Cluster& whole() const;
  /// Number in the cluster of a device of the mesh.
  unsigned number_of(unsigned device) const;
  const ChipLayout& layout() const { return device(0).layout(); }

  std::shared_ptr<Cluster> cluster_;  ///< null after close()
  bool shared_;                       ///< true for the shared cluster
  std::vector<unsigned> devices_;
  MeshShape shape_;
  DispatchCoreConfig dispatch_;
  std::shared_ptr<MeshDevice> parent_;
  std::vector<std::weak_ptr<MeshDevice>> submeshes_;
  std::vector<std::unique_ptr<MeshCommandQueue>> queues_;
  std::unique_ptr<Allocator> allocator_;
  mutable std::map<SubDeviceId, std::unique_ptr<Allocator>> of_sub_devices_;
  mutable std::vector<std::shared_ptr<MeshDevice>> units_;  ///< the first use creates them
};

}  // namespace tt::tt_metal
