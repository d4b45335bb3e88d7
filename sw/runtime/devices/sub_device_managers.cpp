#include "sw/runtime/devices/sub_device_managers.h"

#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {

SubDeviceManager& SubDeviceManagers::find(SubDeviceManagerId id) {
  const auto found = managers_.find(id);
  if (found == managers_.end())
    bad_use("sub-device manager " + std::to_string(*id),
            id == default_id() ? "is the mesh's own" : "is not one of this mesh");
  return found->second;
}

SubDeviceManagerId SubDeviceManagers::add(SubDeviceManager manager) {
  last_ = SubDeviceManagerId{*last_ + 1};
  managers_.emplace(last_, std::move(manager));
  return last_;
}

void SubDeviceManagers::load(SubDeviceManagerId id) {
  SubDeviceManager& manager = find(id);
  if (id == loaded_) return;
  clear_loaded();
  shared_l1_.set_base(manager.shared_l1_base());
  manager.reset_stall_group();
  loaded_ = id;
}

void SubDeviceManagers::clear_loaded() {
  SubDeviceManager* const manager = loaded();
  if (manager == nullptr) return;
  if (manager->has_allocations())
    bad_use("sub-device manager " + std::to_string(*loaded_),
            "its sub-devices still have buffers of their own");
  shared_l1_.set_base(manager->l1_base());
  loaded_ = default_id();
}

void SubDeviceManagers::remove(SubDeviceManagerId id) {
  find(id);
  if (id == loaded_)
    bad_use("sub-device manager " + std::to_string(*id), "is loaded; clear or load another before");
  managers_.erase(id);
}

SubDeviceManager* SubDeviceManagers::loaded() {
  return loaded_ == default_id() ? nullptr : &managers_.at(loaded_);
}

}  // namespace tvp::runtime
