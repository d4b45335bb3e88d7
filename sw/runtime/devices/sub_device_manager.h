#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sw/runtime/buffers/bank_manager.h"
#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/programs/program.h"

namespace tvp::runtime {

/// A split of every chip of a mesh into sub-devices: their cores, a bank manager of L1 for each,
/// and the sub-devices for which the host waits by default.
class SubDeviceManager {
 public:
  /// As many as the dispatcher has completion counters for (tt-metal's dispatch messages).
  static constexpr std::size_t kMostSubDevices = 8;

  /// `l1_base` up to `local_l1_bytes` more is what each sub-device's bank manager hands out. Throws
  /// Fault(kDescription) when there are none or too many, or two have a core in common.
  SubDeviceManager(std::vector<SubDevice> sub_devices, std::uint64_t l1_base,
                   std::uint64_t local_l1_bytes, std::uint64_t alignment);

  const std::vector<SubDeviceId>& ids() const { return ids_; }
  const SubDevice& sub_device(SubDeviceId id) const { return sub_devices_[index(id)]; }
  BankManager& bank_manager(SubDeviceId id) { return bank_managers_[index(id)]; }
  /// Where L1 of the sub-devices begins, and where L1 that they share does.
  std::uint64_t l1_base() const { return l1_base_; }
  std::uint64_t shared_l1_base() const { return shared_l1_base_; }
  bool has_allocations() const;

  const std::vector<SubDeviceId>& stall_group() const { return stall_group_; }
  void set_stall_group(std::vector<SubDeviceId> group);
  void reset_stall_group() { stall_group_ = ids_; }

  std::optional<SubDeviceId> owner(HalProgrammableCoreType type, CoreCoord core) const;
  /// The sub-device that all cores of the program belong to; none for a program of ethernet cores
  /// that no sub-device has, as routers of the fabric are. Throws Fault(kDescription) for a core
  /// outside, or cores of two.
  std::optional<SubDeviceId> owner(const Program& program) const;

 private:
  std::size_t index(SubDeviceId id) const;
  void check_disjoint() const;

  std::vector<SubDevice> sub_devices_;
  std::vector<SubDeviceId> ids_;
  std::vector<BankManager> bank_managers_;
  std::uint64_t l1_base_;
  std::uint64_t shared_l1_base_;
  std::vector<SubDeviceId> stall_group_;
};

}  // namespace tvp::runtime
