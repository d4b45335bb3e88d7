#pragma once

#include <cstdint>

#include "sw/runtime/devices/device_library.h"

namespace tvp::runtime {

/// While it lives, the host's reads contain times that firmware has measured: of every `period`
/// bytes of an access, `bytes` from `first` on. A recording marks them, so a replay does not
/// compare them with another machine.
class ReadsTimes {
 public:
  /// All bytes are times.
  explicit ReadsTimes(const DeviceLibrary& library) : ReadsTimes(library, 1, 0, 1) {}
  ReadsTimes(const DeviceLibrary& library, std::uint32_t period, std::uint32_t first,
             std::uint32_t bytes)
      : library_(library) {
    library_.times(period, first, bytes);
  }
  ~ReadsTimes() { library_.times(1, 0, 0); }
  ReadsTimes(const ReadsTimes&) = delete;
  ReadsTimes& operator=(const ReadsTimes&) = delete;

 private:
  const DeviceLibrary& library_;
};

}  // namespace tvp::runtime
