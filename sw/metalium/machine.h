#pragma once

#include <memory>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/mesh/mesh_device.h"

namespace tvp::metalium {

/// The library and its chips, which all devices, buffers and queues of a program share: opened with
/// the first of them, closed with the last.
class Machine {
 public:
  /// The one that is open, or a new one: of an n150, unless the environment names another system
  /// (vp exec --system).
  static std::shared_ptr<Machine> get();

  Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  runtime::MeshDevice& mesh() { return *mesh_; }
  /// A number that programs give. Throws Fault(kDescription) for one that the system has not.
  unsigned device_number(int id) const;
  /// Of a device by its number in the system.
  runtime::MeshCoordinate coordinate(unsigned device) const;

 private:
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

}  // namespace tvp::metalium
