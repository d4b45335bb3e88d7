#pragma once

#include <set>
#include <utility>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/devices/tile_access.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

/// The vendor's firmware, with which ethernet tiles of a library that is only the public ABI come
/// up. It calls the next one when a flag says so; out of reset that does not start.
class BaseFirmware {
 public:
  explicit BaseFirmware(DeviceLibrary& library) : library_(library) {}

  bool is_there() const { return !library_.has_status(); }

  // Replaces the reset of the core of an ethernet tile of a device.
  /// It is not the host's firmware any more that runs there.
  void hold(unsigned device, TileAccess& tiles, CoreCoord noc0);
  void let_go(unsigned device, TileAccess& tiles, CoreCoord noc0);

 private:
  DeviceLibrary& library_;
  std::set<std::pair<unsigned, CoreCoord>> let_go_;
};

}  // namespace tvp::runtime
