#include "sw/metalium/device_api.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/shared_cluster.h"

namespace tt {
namespace {

constexpr std::array kGenerations = {
    std::pair(ARCH::Invalid, "INVALID"), std::pair(ARCH::GRAYSKULL, "GRAYSKULL"),
    std::pair(ARCH::WORMHOLE_B0, "WORMHOLE_B0"), std::pair(ARCH::BLACKHOLE, "BLACKHOLE")};

std::string with(int (*change)(int), std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [change](unsigned char letter) { return static_cast<char>(change(letter)); });
  return text;
}

}  // namespace

std::string get_string(ARCH arch) {
  for (const auto& [known, name] : kGenerations)
    if (known == arch) return name;
  return kGenerations.front().second;
}

std::string get_string_lowercase(ARCH arch) { return with(std::tolower, get_string(arch)); }

ARCH get_arch_from_string(const std::string& name) {
  for (const auto& [known, of] : kGenerations)
    if (with(std::toupper, name) == of && known != ARCH::Invalid) return known;
  tvp::runtime::bad_use("get_arch_from_string", "'" + name +
                                                    "'; expected grayskull, wormhole_b0 or "
                                                    "blackhole");
}

}  // namespace tt

namespace tt::tt_metal {
namespace {

using tvp::runtime::bad_use;
using tvp::runtime::refuse_other_than_worker;

/// Devices created by number.
std::map<int, std::shared_ptr<distributed::MeshDevice>>& created() {
  static std::map<int, std::shared_ptr<distributed::MeshDevice>> devices;
  return devices;
}

}  // namespace

distributed::SystemMesh& distributed::SystemMesh::instance() {
  static SystemMesh mesh;
  mesh.shape_ = tvp::runtime::shared_cluster()->shape();
  return mesh;
}

std::uint32_t hal::get_dram_alignment() {
  const auto cluster = tvp::runtime::shared_cluster();
  return static_cast<std::uint32_t>(
      cluster->bank_manager(tvp::runtime::BufferType::DRAM).alignment());
}

std::size_t GetNumAvailableDevices() { return tvp::runtime::shared_cluster()->num_devices(); }

IDevice* CreateDevice(int device_id, std::uint8_t, std::size_t, std::size_t,
                      const DispatchCoreConfig& dispatch) {
  auto mesh = distributed::MeshDevice::create_unit_mesh(device_id, 0, 0, 1, dispatch);
  auto& device = created()[device_id];
  if (device != nullptr)
    bad_use("device " + std::to_string(device_id), "is created a second time before it is closed");
  device = std::move(mesh);
  return device.get();
}

bool CloseDevice(IDevice* device) {
  // Closed devices are kept, so that using a pointer to one is an error instead of undefined
  // behavior.
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
      .device(0)
      .write_l1(core, address, words.data(), words.size() * 4);
  return true;
}

bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                      std::uint32_t bytes, std::vector<std::uint32_t>& words, CoreType type) {
  refuse_other_than_worker(type);
  auto& from = named(device, "ReadFromDeviceL1", "a device").device(0);
  from.check_l1(address, bytes);
  words.assign((bytes + 3) / 4, 0);
  from.read_l1(core, address, words.data(), bytes);
  return true;
}

bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              std::span<const std::uint8_t> bytes) {
  named(device, "WriteToDeviceDRAMChannel", "a device")
      .device(0)
      .write_dram(static_cast<std::uint32_t>(channel), address, bytes.data(), bytes.size());
  return true;
}

bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                               std::span<std::uint8_t> bytes) {
  named(device, "ReadFromDeviceDRAMChannel", "a device")
      .device(0)
      .read_dram(static_cast<std::uint32_t>(channel), address, bytes.data(), bytes.size());
  return true;
}

bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              const std::vector<std::uint32_t>& words) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(words.data());
  return WriteToDeviceDRAMChannel(device, channel, address, std::span(first, words.size() * 4));
}

bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                               std::uint32_t bytes, std::vector<std::uint32_t>& words) {
  named(device, "ReadFromDeviceDRAMChannel", "a device")
      .device(0)
      .check_dram(static_cast<std::uint32_t>(channel), address, bytes);
  words.assign((bytes + 3) / 4, 0);
  auto* first = reinterpret_cast<std::uint8_t*>(words.data());
  return ReadFromDeviceDRAMChannel(device, channel, address, std::span(first, bytes));
}

}  // namespace detail

}  // namespace tt::tt_metal
