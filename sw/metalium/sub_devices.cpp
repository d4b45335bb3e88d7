// The part of IDevice that splits it into sub-devices.

#include <string>

#include "sw/metalium/device.h"
#include "sw/runtime/errors.h"

namespace tt::tt_metal {

tvp::runtime::MeshDevice& IDevice::whole() const {
  auto& mesh = machine()->mesh();
  if (num_devices() != mesh.num_devices())
    tvp::runtime::bad_use("sub-devices", "are of all " + std::to_string(mesh.num_devices()) +
                                             " devices of the system at once; this is a part of " +
                                             std::to_string(num_devices()));
  return mesh;
}

const std::unique_ptr<Allocator>& IDevice::allocator(SubDeviceId id) const {
  whole().allocator(id);  // is there
  auto& one = of_sub_devices_[id];
  if (one == nullptr) one = std::make_unique<Allocator>(*this, id);
  return one;
}

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address() const {
  return allocator_->lowest_l1();
}

std::optional<DeviceAddr> IDevice::lowest_occupied_compute_l1_address(
    std::span<const SubDeviceId> ids) const {
  std::optional<DeviceAddr> lowest = lowest_occupied_compute_l1_address();
  for (const SubDeviceId id : ids)
    if (const auto own = allocator(id)->lowest_l1(); own && (!lowest || *own < *lowest))
      lowest = own;
  return lowest;
}

SubDeviceManagerId IDevice::create_sub_device_manager(std::span<const SubDevice> sub_devices,
                                                      DeviceAddr local_l1_size) {
  return whole().create_sub_device_manager(sub_devices, local_l1_size);
}
SubDeviceManagerId IDevice::create_sub_device_manager(std::initializer_list<SubDevice> sub_devices,
                                                      DeviceAddr local_l1_size) {
  return whole().create_sub_device_manager(sub_devices, local_l1_size);
}
void IDevice::load_sub_device_manager(SubDeviceManagerId id) {
  whole().load_sub_device_manager(id);
}
void IDevice::clear_loaded_sub_device_manager() { whole().clear_loaded_sub_device_manager(); }
void IDevice::remove_sub_device_manager(SubDeviceManagerId id) {
  whole().remove_sub_device_manager(id);
}
SubDeviceManagerId IDevice::get_active_sub_device_manager_id() const {
  return whole().get_active_sub_device_manager_id();
}
SubDeviceManagerId IDevice::get_default_sub_device_manager_id() const {
  return whole().get_default_sub_device_manager_id();
}
std::vector<SubDeviceId> IDevice::get_sub_device_ids() const {
  return machine()->mesh().get_sub_device_ids();
}
std::vector<SubDeviceId> IDevice::get_sub_device_stall_group() const {
  return whole().get_sub_device_stall_group();
}
void IDevice::set_sub_device_stall_group(std::span<const SubDeviceId> ids) {
  whole().set_sub_device_stall_group(ids);
}
void IDevice::reset_sub_device_stall_group() { whole().reset_sub_device_stall_group(); }
CoreRangeSet IDevice::worker_cores(HalProgrammableCoreType type, SubDeviceId id) const {
  return machine()->mesh().worker_cores(type, id);
}

}  // namespace tt::tt_metal
