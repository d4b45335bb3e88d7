#pragma once
// Devices under tt-metal's names (tt-metalium/device.hpp, mesh_device.hpp): one by its number, or a
// mesh of them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sw/metalium/constants.h"
#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"

namespace tt {
using chip_id_t = int;
using ChipId = int;
using tvp::runtime::CoreType;

/// Name of a generation, in capitals and in small letters, and the generation of such a name.
std::string get_string(ARCH arch);
std::string get_string_lowercase(ARCH arch);
/// Throws Fault(kDescription) for an unknown name.
ARCH get_arch_from_string(const std::string& name);
}  // namespace tt
using tt::chip_id_t;
using CoreCoord = tvp::runtime::CoreCoord;
using CoreRange = tvp::runtime::CoreRange;
using CoreRangeSet = tvp::runtime::CoreRangeSet;
using tt_xy_pair = tvp::runtime::CoreCoord;
using tvp::runtime::CoreType;

namespace tt::tt_metal {

using tvp::runtime::CoreRange;
using tvp::runtime::CoreType;
using tvp::runtime::DispatchCoreAxis;
using tvp::runtime::DispatchCoreType;
using tvp::runtime::HalMemType;
using tvp::runtime::named;
using tvp::runtime::Statistics;

constexpr std::size_t DEFAULT_L1_SMALL_SIZE = 0;
constexpr std::size_t DEFAULT_TRACE_REGION_SIZE = 0;
constexpr std::size_t DEFAULT_WORKER_L1_SIZE = 0;

using Device = IDevice;

namespace distributed {
using tvp::runtime::MeshCoordinate;
using tvp::runtime::MeshCoordinateRange;
using tvp::runtime::MeshDeviceConfig;
using tvp::runtime::MeshShape;
using tvp::runtime::MeshTraceId;

/// The devices of the system, in rows and columns.
class SystemMesh {
 public:
  static SystemMesh& instance();
  const MeshShape& shape() const { return shape_; }
  const MeshShape& local_shape() const { return shape_; }

 private:
  MeshShape shape_;
};
}  // namespace distributed

std::size_t GetNumAvailableDevices();
inline std::size_t GetNumPCIeDevices() { return GetNumAvailableDevices(); }
/// The device exists until it is closed or the program ends.
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

// Accesses L1 of a worker in no simulated time.
bool WriteToDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                     const std::vector<std::uint32_t>& words, CoreType type = CoreType::WORKER);
bool ReadFromDeviceL1(IDevice* device, const CoreCoord& core, std::uint32_t address,
                      std::uint32_t bytes, std::vector<std::uint32_t>& words,
                      CoreType type = CoreType::WORKER);
// Accesses a channel of DRAM, which is a bank, in no simulated time.
bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              std::span<const std::uint8_t> bytes);
bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                               std::span<std::uint8_t> bytes);
bool WriteToDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                              const std::vector<std::uint32_t>& words);
bool ReadFromDeviceDRAMChannel(IDevice* device, int channel, std::uint32_t address,
                               std::uint32_t bytes, std::vector<std::uint32_t>& words);
}  // namespace detail

namespace hal {
inline std::uint32_t get_l1_alignment() { return 16; }
/// Alignment of reads from DRAM and from the host's memory, which the chips of the system need.
std::uint32_t get_dram_alignment();
inline std::uint32_t get_pcie_alignment() { return get_dram_alignment(); }
}  // namespace hal

}  // namespace tt::tt_metal
