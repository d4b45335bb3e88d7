#pragma once

#include <cstdint>

#include "platform/machine/device_access.h"

namespace tvp::platform {

/// PCI bus 0. Device i has its BARs at fixed physical addresses.
class PciBus {
 public:
  /// A null `devices` makes an empty bus.
  explicit PciBus(DeviceAccess* devices) : devices_(devices) {}

  /// Physical address at which BAR 0, 2 or 4 of a device begins.
  static std::uint64_t bar_base(unsigned device, unsigned bar);

  std::uint32_t config_read(std::uint32_t bus_device_function, std::uint32_t offset) const;
  /// Throws Fault(kDescription) for an address outside all devices, and passes on faults of the
  /// device.
  void access(std::uint64_t physical, std::uint8_t* data, std::uint32_t bytes, bool write) const;
  /// Throws Fault(kDescription) unless the range lies in a BAR.
  void check(std::uint64_t physical, std::uint32_t bytes) const { place_of(physical, bytes); }

 private:
  /// A range of a BAR of a device.
  struct Place {
    unsigned device;
    unsigned bar;  ///< 0 or 2; BAR 4 is a part of BAR 0
    std::uint64_t offset;
  };
  bool has_device(unsigned device) const;

  Place place_of(std::uint64_t physical, std::uint32_t bytes) const;

  DeviceAccess* devices_;
};

}  // namespace tvp::platform
