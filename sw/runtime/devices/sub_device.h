#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sw/runtime/programs/core_coord.h"
#include "sw/runtime/strong_type.h"

namespace tvp::runtime {

/// Kinds of cores that programs run on; a set of cores of each makes up a sub-device.
enum class HalProgrammableCoreType : std::uint8_t { TENSIX = 0, ACTIVE_ETH = 1 };
constexpr std::size_t kCoreTypes = 2;

using SubDeviceId = StrongType<std::uint8_t, struct SubDeviceIdTag>;
using SubDeviceManagerId = StrongType<std::uint64_t, struct SubDeviceManagerIdTag>;

/// Cores of a chip that programs run on beside other sub-devices' (tt-metal's
/// tt-metalium/sub_device.hpp).
class SubDevice {
 public:
  /// Takes core sets in the order of HalProgrammableCoreType: logical workers, then ethernet cores
  /// as (0, channel). Throws Fault(kDescription) if there is no core, or if there are more sets
  /// than kinds of cores.
  explicit SubDevice(std::span<const CoreRangeSet> cores);
  SubDevice(std::initializer_list<CoreRangeSet> cores)
      : SubDevice(std::span<const CoreRangeSet>(cores.begin(), cores.size())) {}

  /// Throws Fault(kDescription) for a kind that is none.
  const CoreRangeSet& cores(HalProgrammableCoreType type) const;
  std::uint32_t num_cores(HalProgrammableCoreType type) const;
  /// Origin of get_relative_logical_x() and _y() in its kernels: the corner of the smallest
  /// rectangle around its workers.
  CoreCoord origin() const;

 private:
  std::array<CoreRangeSet, kCoreTypes> cores_;
};

}  // namespace tvp::runtime
