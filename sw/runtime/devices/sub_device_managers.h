#pragma once

#include <cstdint>
#include <map>

#include "sw/runtime/buffers/bank_manager.h"
#include "sw/runtime/devices/sub_device_manager.h"

namespace tvp::runtime {

/// The splits into sub-devices that a mesh knows, and which of them is in use. Manager 0 is the
/// mesh's own: one sub-device, which is everything.
class SubDeviceManagers {
 public:
  /// L1 that all cores share; what a loaded manager's sub-devices have of their own is cut off it.
  explicit SubDeviceManagers(BankManager& shared_l1) : shared_l1_(shared_l1) {}

  SubDeviceManagerId add(SubDeviceManager manager);
  // These throw Fault(kDescription) for an unknown manager, for the mesh's own manager, for the
  // removal of a loaded manager, and if sub-devices still have buffers.
  void load(SubDeviceManagerId id);
  void clear_loaded();
  void remove(SubDeviceManagerId id);

  SubDeviceManagerId loaded_id() const { return loaded_; }
  static constexpr SubDeviceManagerId default_id() { return SubDeviceManagerId{0}; }
  /// Null: the mesh's own.
  SubDeviceManager* loaded();
  const SubDeviceManager* loaded() const {
    return const_cast<SubDeviceManagers*>(this)->loaded();  // NOLINT: the same search
  }

 private:
  SubDeviceManager& find(SubDeviceManagerId id);

  BankManager& shared_l1_;
  std::map<SubDeviceManagerId, SubDeviceManager> managers_;
  SubDeviceManagerId loaded_ = default_id();
  SubDeviceManagerId last_ = default_id();
};

}  // namespace tvp::runtime
