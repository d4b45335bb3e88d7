#include "sw/metalium/device.h"

#include <algorithm>
#include <string>

#include "sw/metalium/queue.h"
#include "sw/runtime/errors.h"

namespace tt::tt_metal {
namespace {

using tvp::metalium::Machine;
using tvp::runtime::bad_use;

/// Devices that were created by their number.
std::map<int, std::shared_ptr<distributed::MeshDevice>>& created() {
  static std::map<int, std::shared_ptr<distributed::MeshDevice>> devices;
  return devices;
}

void refuse_other_than_worker(CoreType type) {
  if (type != CoreType::WORKER && type != CoreType::TENSIX)
    bad_use("core", "expected a worker; L1 of other cores is not reached by this name");
}

}  // namespace

IDevice::IDevice(std::shared_ptr<Machine> machine, unsigned first,
                 const DispatchCoreConfig& dispatch)
    : machine_(std::move(machine)), first_(first), dispatch_(dispatch) {
  for (std::uint32_t i = 0; i < tvp::runtime::MeshDevice::kCommandQueues; ++i)
    queues_.push_back(std::make_unique<CommandQueue>(*this, i));
}

IDevice::~IDevice() = default;

const std::shared_ptr<Machine>& IDevice::machine() const {
  if (machine_ == nullptr)
    bad_use("device " + std::to_string(first_), "is used after it was closed");
  return machine_;
}

std::uint32_t IDevice::l1_size_per_core() const {
  return static_cast<std::uint32_t>(layout().spec().memories.tensix_l1_bytes);
}

CoreCoord IDevice::compute_with_storage_grid_size() const {
  CoreCoord grid = layout().grid_size();
  if (dispatch_.type == DispatchCoreType::WORKER && grid.y > 1) --grid.y;
  return grid;
}

std::vector<CoreCoord> IDevice::worker_cores_from_logical_cores(
    const std::vector<CoreCoord>& cores) const {
  std::vector<CoreCoord> all;
  for (const CoreCoord core : cores) all.push_back(worker_core_from_logical_core(core));
  return all;
}

CoreCoord IDevice::virtual_core_from_logical_core(CoreCoord core, CoreType type) const {
  if (type == CoreType::ETH || type == CoreType::ACTIVE_ETH || type == CoreType::IDLE_ETH)
    return ethernet_core_from_logical_core(core);
  refuse_other_than_worker(type);
  return worker_core_from_logical_core(core);
}

CommandQueue& IDevice::command_queue(std::size_t id) {
  if (id >= queues_.size())
    bad_use("command queue " + std::to_string(id),
            "a device has " + std::to_string(queues_.size()));
  return *queues_[id];
}

bool IDevice::close() {
  if (!open_) return false;
  for (const auto& queue : queues_) queue->finish();
  open_ = false;
  machine_.reset();
  return true;
}

std::size_t GetNumAvailableDevices() { return Machine::get()->mesh().num_devices(); }

IDevice* CreateDevice(int device_id, std::uint8_t, std::size_t, std::size_t,
                      const DispatchCoreConfig& dispatch) {
  auto machine = Machine::get();
  const unsigned index = machine->device_number(device_id);
  auto& device = created()[device_id];
  if (device != nullptr)
    bad_use("device " + std::to_string(device_id), "is created a second time before it is closed");
  device = std::make_shared<distributed::MeshDevice>(
      std::move(machine), std::vector<unsigned>{index}, distributed::MeshShape{1, 1}, dispatch);
  return device.get();
}

bool CloseDevice(IDevice* device) {
  // Whoever keeps the pointer is told so.
  static std::vector<std::shared_ptr<IDevice>> closed_ones;
  const bool closed = named(device, "CloseDevice", "a device").close();
  for (auto& [id, known] : created())
    if (known.get() == device) {
      closed_ones.push_back(std::move(known));
      created().erase(id);
      break;
    }
  return closed;
}

namespace detail {

std::map<int, IDevice*> CreateDevices(const std::vector<int>& ids) {
  std::map<int, IDevice*> devices;
  for (const int id : ids) devices[id] = CreateDevice(id);
  return devices;
}

void CloseDevices(const std::map<int, IDevice*>& devices) {
  for (const auto& [id, device] : devices) CloseDevice(device);
}

bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                     const std::vector<std::uint32_t>& words, CoreType type) {
  refuse_other_than_worker(type);
  named(device, "WriteToDeviceL1", "a device")
      .runtime_device()
      .write_l1(core, address, words.data(), words.size() * 4);
  return true;
}

bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                      std::uint32_t bytes, std::vector<std::uint32_t>& words, CoreType type) {
  refuse_other_than_worker(type);
  auto& from = named(device, "ReadFromDeviceL1", "a device").runtime_device();
  from.check_l1(address, bytes);
  words.assign((bytes + 3) / 4, 0);
  from.read_l1(core, address, words.data(), bytes);
  return true;
}

}  // namespace detail

}  // namespace tt::tt_metal
