// The part of Cluster that splits its chips into sub-devices.

#include <algorithm>

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/cluster.h"

namespace tvp::runtime {
namespace {

void require_whole(SubDeviceId id) {
  if (id != SubDeviceId{0})
    bad_use("sub-device " + std::to_string(*id),
            "no manager is loaded: all cores are sub-device 0");
}

}  // namespace

SubDeviceManagerId Cluster::create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                                      std::uint64_t local_l1_size) {
  for (const SubDevice& sub_device : sub_devices) {
    for (const auto& d : devices_) {  // such cores exist
      for (const CoreCoord core : sub_device.cores(HalProgrammableCoreType::TENSIX).cores())
        d->layout().worker_noc0(core);
      for (const CoreCoord core : sub_device.cores(HalProgrammableCoreType::ACTIVE_ETH).cores())
        d->layout().ethernet_noc0(core.y);
    }
  }
  const SubDeviceManager* const split = sub_devices_.loaded();
  const std::uint64_t base = split != nullptr ? split->l1_base() : l1_.base();
  if (local_l1_size > l1_.end() - base)
    bad_use("sub-device manager", "local L1 of " + std::to_string(local_l1_size) +
                                      " bytes; a core has " + std::to_string(l1_.end() - base));
  return sub_devices_.add(SubDeviceManager({sub_devices.begin(), sub_devices.end()}, base,
                                           local_l1_size, l1_.alignment()));
}

void Cluster::refuse_while_running(const char* what) const {
  for (const Running& running : running_)
    if (!running.core.ethernet)
      bad_use(what, "core " + running.core.logical.str() + " of device " +
                        std::to_string(running.device) + " has not finished its program");
}

void Cluster::load_sub_device_manager(SubDeviceManagerId id) {
  refuse_while_running("load_sub_device_manager");
  sub_devices_.load(id);
}

void Cluster::clear_loaded_sub_device_manager() {
  refuse_while_running("clear_loaded_sub_device_manager");
  sub_devices_.clear_loaded();
}

std::vector<SubDeviceId> Cluster::sub_device_ids() const {
  const SubDeviceManager* const split = sub_devices_.loaded();
  return split != nullptr ? split->ids() : std::vector{SubDeviceId{0}};
}

std::vector<SubDeviceId> Cluster::sub_device_stall_group() const {
  const SubDeviceManager* const split = sub_devices_.loaded();
  return split != nullptr ? split->stall_group() : std::vector{SubDeviceId{0}};
}

void Cluster::set_sub_device_stall_group(std::span<const SubDeviceId> ids) {
  SubDeviceManager* const split = sub_devices_.loaded();
  if (split != nullptr) return split->set_stall_group({ids.begin(), ids.end()});
  if (ids.empty()) bad_use("stall group", "has no sub-devices");
  for (const SubDeviceId id : ids) require_whole(id);
}

void Cluster::reset_sub_device_stall_group() {
  if (SubDeviceManager* const split = sub_devices_.loaded(); split != nullptr)
    split->reset_stall_group();
}

CoreRangeSet Cluster::worker_cores(HalProgrammableCoreType type, SubDeviceId id) const {
  if (const SubDeviceManager* const split = sub_devices_.loaded(); split != nullptr)
    return split->sub_device(id).cores(type);
  require_whole(id);
  CoreCoord end{~0U, ~0U};  // corner that all devices have
  for (const auto& d : devices_) {
    const CoreCoord size = type == HalProgrammableCoreType::TENSIX
                               ? d->layout().grid_size()
                               : CoreCoord{1, d->layout().ethernet_channels()};
    end = {std::min(end.x, size.x), std::min(end.y, size.y)};
  }
  if (end.x == 0 || end.y == 0) return {};
  return CoreRange({0, 0}, {end.x - 1, end.y - 1});
}

BankManager& Cluster::bank_manager(SubDeviceId id) {
  if (SubDeviceManager* const split = sub_devices_.loaded(); split != nullptr)
    return split->bank_manager(id);
  require_whole(id);
  return l1_;
}

std::optional<SubDeviceId> Cluster::owner(const Running& running) const {
  const auto type =
      running.core.ethernet ? HalProgrammableCoreType::ACTIVE_ETH : HalProgrammableCoreType::TENSIX;
  const SubDeviceManager* const split = sub_devices_.loaded();
  return split != nullptr ? split->owner(type, running.core.logical) : SubDeviceId{0};
}

}  // namespace tvp::runtime
