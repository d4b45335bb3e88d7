#pragma once

#include <set>
#include <utility>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/tile_access.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// The vendor's firmware of ethernet tiles in a library that has only the public ABI. It calls the
/// host's firmware when a flag is set. A release from reset does not start the host's firmware.
class BaseFirmware {
 public:
  explicit BaseFirmware(DeviceLibrary& library) : library_(library) {}

  bool is_there() const { return !library_.has_status(); }

  // Replaces the reset of the core of an ethernet tile of a device.
  /// Afterwards the core no longer runs the host's firmware.
  void hold(unsigned device, TileAccess& tiles, CoreCoord noc0);
  void let_go(unsigned device, TileAccess& tiles, CoreCoord noc0);

 private:
  DeviceLibrary& library_;
  std::set<std::pair<unsigned, CoreCoord>> let_go_;
};

}  // namespace tvp::runtime
