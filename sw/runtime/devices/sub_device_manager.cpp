#include "sw/runtime/devices/sub_device_manager.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

std::string name_of(SubDeviceId id) { return "sub-device " + std::to_string(*id); }

constexpr HalProgrammableCoreType kTypes[kCoreTypes] = {HalProgrammableCoreType::TENSIX,
                                                        HalProgrammableCoreType::ACTIVE_ETH};

const char* core_name(HalProgrammableCoreType type) {
  return type == HalProgrammableCoreType::TENSIX ? "core " : "ethernet core ";
}

}  // namespace

SubDeviceManager::SubDeviceManager(std::vector<SubDevice> sub_devices, std::uint64_t l1_base,
                                   std::uint64_t local_l1_bytes, std::uint64_t alignment)
    : sub_devices_(std::move(sub_devices)),
      l1_base_(l1_base),
      shared_l1_base_(l1_base + local_l1_bytes) {
  if (sub_devices_.empty() || sub_devices_.size() > kMostSubDevices)
    bad_use("sub-device manager", std::to_string(sub_devices_.size()) +
                                      " sub-devices; expected 1 to " +
                                      std::to_string(kMostSubDevices));
  if (local_l1_bytes % alignment != 0)
    bad_use("sub-device manager", "local L1 of " + std::to_string(local_l1_bytes) +
                                      " bytes is not a multiple of " + std::to_string(alignment));
  for (std::size_t i = 0; i < sub_devices_.size(); ++i) {
    ids_.emplace_back(static_cast<std::uint8_t>(i));
    bank_managers_.emplace_back("L1 of " + name_of(ids_.back()), l1_base, shared_l1_base_,
                                alignment, true);
  }
  check_disjoint();
  reset_stall_group();
}

void SubDeviceManager::check_disjoint() const {
  for (const HalProgrammableCoreType type : kTypes)
    for (std::size_t a = 0; a < sub_devices_.size(); ++a)
      for (const CoreCoord core : sub_devices_[a].cores(type).cores())
        for (std::size_t b = a + 1; b < sub_devices_.size(); ++b)
          if (sub_devices_[b].cores(type).contains(core))
            bad_use(name_of(ids_[b]), "has " + (core_name(type) + core.str()) + ", which " +
                                          name_of(ids_[a]) + " has");
}

std::size_t SubDeviceManager::index(SubDeviceId id) const {
  if (*id >= sub_devices_.size())
    bad_use(name_of(id),
            "is not one of the " + std::to_string(sub_devices_.size()) + " that are loaded");
  return *id;
}

bool SubDeviceManager::has_allocations() const {
  return std::any_of(bank_managers_.begin(), bank_managers_.end(),
                     [](const BankManager& bank_manager) { return bank_manager.in_use(); });
}

void SubDeviceManager::set_stall_group(std::vector<SubDeviceId> group) {
  if (group.empty()) bad_use("stall group", "has no sub-devices");
  for (const SubDeviceId id : group) index(id);
  stall_group_ = std::move(group);
}

std::optional<SubDeviceId> SubDeviceManager::owner(HalProgrammableCoreType type,
                                                   CoreCoord core) const {
  for (const SubDeviceId id : ids_)
    if (sub_device(id).cores(type).contains(core)) return id;
  return std::nullopt;
}

std::optional<SubDeviceId> SubDeviceManager::owner(const Program& program) const {
  std::optional<SubDeviceId> owner_of_all;
  bool outside = false;  // an ethernet core of no sub-device
  for (const Kernel& kernel : program.kernels()) {
    const auto type = kernel.on_ethernet() ? HalProgrammableCoreType::ACTIVE_ETH
                                           : HalProgrammableCoreType::TENSIX;
    for (const CoreCoord core : kernel.cores.cores()) {
      const auto id = owner(type, core);
      if (!id && !kernel.on_ethernet())
        bad_use(kernel.source, "runs on core " + core.str() + ", which is in no sub-device");
      if (id && owner_of_all && *id != *owner_of_all)
        bad_use(kernel.source, "runs on " + (core_name(type) + core.str()) + " of " + name_of(*id) +
                                   ", and its program on cores of " + name_of(*owner_of_all));
      if (id) owner_of_all = id;
      outside = outside || !id;
    }
  }
  if (outside && owner_of_all)
    bad_use("program",
            "runs on ethernet cores of no sub-device, and on cores of " + name_of(*owner_of_all));
  return owner_of_all;
}

}  // namespace tvp::runtime
