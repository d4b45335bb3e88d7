#pragma once
// Devices by tt-metal's names (tt-metalium/device.hpp, mesh_device.hpp): one by its number, or a
// mesh of them. Both are views of the machine that the library models.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sw/metalium/allocator.h"
#include "sw/metalium/constants.h"
#include "sw/metalium/machine.h"
#include "sw/runtime/host_api.h"

namespace tt {
using chip_id_t = int;
using ChipId = int;
}  // namespace tt
using tt::chip_id_t;
using CoreCoord = tvp::runtime::CoreCoord;
using tt_xy_pair = tvp::runtime::CoreCoord;

namespace tt::tt_metal {

using tvp::runtime::CoreCoord;
using tvp::runtime::CoreRange;
using tvp::runtime::CoreRangeSet;
using tvp::runtime::HalProgrammableCoreType;
using tvp::runtime::SubDevice;
using tvp::runtime::SubDeviceId;
using tvp::runtime::SubDeviceManagerId;
using DeviceAddr = std::uint64_t;

enum class CoreType : std::uint8_t { ARC, DRAM, ACTIVE_ETH, IDLE_ETH, PCIE, TENSIX, WORKER, ETH };
enum class DispatchCoreType : std::uint8_t { WORKER, ETH };
enum class DispatchCoreAxis : std::uint8_t { ROW, COL };
/// Which cores dispatch on silicon: a row of workers is not for programs unless ethernet cores do.
struct DispatchCoreConfig {
  DispatchCoreType type = DispatchCoreType::WORKER;
  DispatchCoreConfig() = default;
  DispatchCoreConfig(DispatchCoreType of) : type(of) {}  // NOLINT: as tt-metal's
  DispatchCoreConfig(DispatchCoreType of, DispatchCoreAxis) : type(of) {}
};

constexpr std::size_t DEFAULT_L1_SMALL_SIZE = 0;
constexpr std::size_t DEFAULT_TRACE_REGION_SIZE = 0;
constexpr std::size_t DEFAULT_WORKER_L1_SIZE = 0;

namespace distributed {
class MeshCommandQueue;
class MeshDevice;
using tvp::runtime::MeshCoordinate;
using tvp::runtime::MeshCoordinateRange;
using tvp::runtime::MeshShape;
using tvp::runtime::MeshTraceId;
}  // namespace distributed
using CommandQueue = distributed::MeshCommandQueue;

/// What a pointer names. Throws Fault(kDescription) when it names nothing.
template <typename Thing>
Thing& named(Thing* thing, const char* where, const char* what) {
  if (thing == nullptr)
    tvp::runtime::bad_use(where, std::string("is given none; expected ") + what);
  return *thing;
}

class IDevice {
 public:
  virtual ~IDevice();
  IDevice(const IDevice&) = delete;
  IDevice& operator=(const IDevice&) = delete;

  int id() const { return static_cast<int>(first_); }
  ARCH arch() const { return ARCH::WORMHOLE_B0; }
  bool is_initialized() const { return open_; }
  std::uint8_t num_hw_cqs() const { return tvp::runtime::MeshDevice::kCommandQueues; }
  int num_dram_channels() const { return static_cast<int>(layout().dram_banks()); }
  std::uint32_t l1_size_per_core() const;
  std::uint32_t dram_size_per_channel() const {
    return static_cast<std::uint32_t>(layout().dram_bank_bytes());
  }
  int get_clock_rate_mhz() const { return 1000; }

  /// Of the NoC.
  CoreCoord grid_size() const { return {layout().spec().columns, layout().spec().rows}; }
  /// All workers, and those that programs have: on silicon the last row dispatches.
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
  CoreCoord logical_core_from_dram_channel(std::uint32_t channel) const { return {channel, 0}; }

  CommandQueue& command_queue(std::size_t id = 0);
  /// Waits for what was enqueued. What the device is asked for from then on is refused.
  bool close();

  const std::unique_ptr<Allocator>& allocator() const { return allocator_; }
  /// Of a sub-device's own L1.
  const std::unique_ptr<Allocator>& allocator(SubDeviceId id) const;
  /// Where L1 ends that circular buffers may take; nothing when no buffer is in L1.
  std::optional<DeviceAddr> lowest_occupied_compute_l1_address() const;
  std::optional<DeviceAddr> lowest_occupied_compute_l1_address(
      std::span<const SubDeviceId> ids) const;

  // Sub-devices. All devices of a system are split alike: what changes the split throws
  // Fault(kDescription) on a device or mesh that is a part of it.
  SubDeviceManagerId create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                               DeviceAddr local_l1_size);
  SubDeviceManagerId create_sub_device_manager(std::initializer_list<SubDevice> sub_devices,
                                               DeviceAddr local_l1_size);
  void load_sub_device_manager(SubDeviceManagerId id);
  void clear_loaded_sub_device_manager();
  void remove_sub_device_manager(SubDeviceManagerId id);
  SubDeviceManagerId get_active_sub_device_manager_id() const;
  SubDeviceManagerId get_default_sub_device_manager_id() const;
  std::vector<SubDeviceId> get_sub_device_ids() const;
  std::uint32_t num_sub_devices() const {
    return static_cast<std::uint32_t>(get_sub_device_ids().size());
  }
  /// Those that queues wait for unless they are told which.
  std::vector<SubDeviceId> get_sub_device_stall_group() const;
  void set_sub_device_stall_group(std::span<const SubDeviceId> ids);
  void reset_sub_device_stall_group();
  CoreRangeSet worker_cores(HalProgrammableCoreType type, SubDeviceId id) const;
  std::uint32_t num_worker_cores(HalProgrammableCoreType type, SubDeviceId id) const {
    return static_cast<std::uint32_t>(worker_cores(type, id).cores().size());
  }

  /// In it.
  virtual std::size_t num_devices() const { return 1; }

  // Kernels are kept in the cache of sw/runtime, always.
  void enable_program_cache() {}
  void enable_async(bool) {}
  void clear_program_cache() {}
  void disable_and_clear_program_cache() {}

  // Of this library.
  /// Throws Fault(kDescription) when the device is closed.
  const std::shared_ptr<tvp::metalium::Machine>& machine() const;
  tvp::runtime::Device& runtime_device() const { return machine()->mesh().device(first_); }
  unsigned first_device() const { return first_; }
  const DispatchCoreConfig& dispatch() const { return dispatch_; }

 protected:
  IDevice(std::shared_ptr<tvp::metalium::Machine> machine, unsigned first,
          const DispatchCoreConfig& dispatch);

  const tvp::runtime::ChipLayout& layout() const { return runtime_device().layout(); }

 private:
  tvp::runtime::MeshDevice& whole() const;

  std::shared_ptr<tvp::metalium::Machine> machine_;
  unsigned first_;
  DispatchCoreConfig dispatch_;
  bool open_ = true;
  std::vector<std::unique_ptr<CommandQueue>> queues_;
  std::unique_ptr<Allocator> allocator_ = std::make_unique<Allocator>(*this, std::nullopt);
  mutable std::map<SubDeviceId, std::unique_ptr<Allocator>> of_sub_devices_;
};
using Device = IDevice;

namespace distributed {

struct MeshDeviceConfig {
  std::optional<MeshShape> mesh_shape;
  MeshDeviceConfig() = default;
  MeshDeviceConfig(MeshShape shape) : mesh_shape(shape) {}  // NOLINT: as tt-metal's
};

class MeshDevice : public IDevice, public std::enable_shared_from_this<MeshDevice> {
 public:
  /// All devices of the system, in this shape, or as many of the first ones as it has.
  static std::shared_ptr<MeshDevice> create(const MeshDeviceConfig& config,
                                            std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                                            std::size_t trace_region_size = 0,
                                            std::size_t num_command_queues = 1,
                                            const DispatchCoreConfig& dispatch = {});
  static std::shared_ptr<MeshDevice> create_unit_mesh(
      int device_id, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
      std::size_t trace_region_size = 0, std::size_t num_command_queues = 1,
      const DispatchCoreConfig& dispatch = {});

  static std::map<int, std::shared_ptr<MeshDevice>> create_unit_meshes(
      const std::vector<int>& device_ids, std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
      std::size_t trace_region_size = 0, std::size_t num_command_queues = 1,
      const DispatchCoreConfig& dispatch = {});

  /// A part of this mesh from `offset` on, with queues of its own names. Throws
  /// Fault(kDescription) for one that lies beyond the mesh.
  std::shared_ptr<MeshDevice> create_submesh(
      const MeshShape& shape, const std::optional<MeshCoordinate>& offset = std::nullopt);
  /// As many as the mesh divides into, row by row.
  std::vector<std::shared_ptr<MeshDevice>> create_submeshes(const MeshShape& shape);
  /// Those that are still held.
  std::vector<std::shared_ptr<MeshDevice>> get_submeshes() const;
  bool is_parent_mesh() const { return parent_ == nullptr; }
  const std::shared_ptr<MeshDevice>& get_parent_mesh() const { return parent_; }
  /// Waits for what was enqueued, here and in parts.
  void quiesce_devices();

  /// Devices, row by row, each as a mesh of one.
  std::vector<IDevice*> get_devices() const;
  std::vector<int> get_device_ids() const;
  IDevice* get_device(const MeshCoordinate& device) const;
  IDevice* get_device(std::size_t row, std::size_t column) const;

  const MeshShape& shape() const { return shape_; }
  std::size_t num_devices() const override { return shape_.mesh_size(); }
  std::size_t num_rows() const { return shape_.rows; }
  std::size_t num_cols() const { return shape_.columns; }
  MeshCommandQueue& mesh_command_queue(std::optional<std::uint8_t> id = std::nullopt) {
    return command_queue(id.value_or(0));
  }

  MeshTraceId begin_mesh_trace(std::uint8_t queue);
  void end_mesh_trace(std::uint8_t queue, const MeshTraceId& id);
  void replay_mesh_trace(std::uint8_t queue, const MeshTraceId& id, bool blocking);
  void release_mesh_trace(const MeshTraceId& id);

  // Of this library.
  /// `devices`: numbers in the system, row by row.
  MeshDevice(std::shared_ptr<tvp::metalium::Machine> machine, std::vector<unsigned> devices,
             const MeshShape& shape, const DispatchCoreConfig& dispatch,
             std::shared_ptr<MeshDevice> parent = nullptr);
  /// Number in the system. Throws Fault(kDescription) for one that is not of the mesh.
  unsigned device_index(MeshCoordinate device) const;

 private:
  MeshShape shape_;
  std::vector<unsigned> devices_;
  std::shared_ptr<MeshDevice> parent_;
  std::vector<std::weak_ptr<MeshDevice>> submeshes_;
  mutable std::vector<std::shared_ptr<MeshDevice>> units_;  ///< made when they are asked for
};

}  // namespace distributed

std::size_t GetNumAvailableDevices();
inline std::size_t GetNumPCIeDevices() { return GetNumAvailableDevices(); }
/// Kept until it is closed, or the program ends.
IDevice* CreateDevice(int device_id, std::uint8_t num_hw_cqs = 1,
                      std::size_t l1_small_size = DEFAULT_L1_SMALL_SIZE,
                      std::size_t trace_region_size = DEFAULT_TRACE_REGION_SIZE,
                      const DispatchCoreConfig& dispatch = {});
inline IDevice* CreateDeviceMinimal(int device_id, std::uint8_t num_hw_cqs = 1,
                                    const DispatchCoreConfig& dispatch = {}) {
  return CreateDevice(device_id, num_hw_cqs, 0, 0, dispatch);
}
bool CloseDevice(IDevice* device);

namespace detail {
std::map<int, IDevice*> CreateDevices(const std::vector<int>& ids);
void CloseDevices(const std::map<int, IDevice*>& devices);

// L1 of a worker, in no simulated time.
bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                     const std::vector<std::uint32_t>& words, CoreType type = CoreType::WORKER);
bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                      std::uint32_t bytes, std::vector<std::uint32_t>& words,
                      CoreType type = CoreType::WORKER);
}  // namespace detail

namespace hal {
inline std::uint32_t get_l1_alignment() { return 16; }
inline std::uint32_t get_dram_alignment() { return 32; }
inline std::uint32_t get_pcie_alignment() { return 32; }
}  // namespace hal

}  // namespace tt::tt_metal
