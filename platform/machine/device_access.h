#pragma once

#include <cstdint>

#include "foundation/chip/chip_spec.h"

namespace tvp::host {
class AccessListener;
class HostMemory;
}  // namespace tvp::host

namespace tvp::platform {

/// Chips as a host sees them: PCI devices with BARs. All accesses throw foundation::Fault.
class DeviceAccess {
 public:
  virtual ~DeviceAccess() = default;
  virtual bool has_device(unsigned device) const = 0;
  virtual const foundation::ChipSpec::Pcie& bars_of(unsigned device) const = 0;
  /// Sets the host memory that chips with a PCI device can access.
  virtual void set_host_memory(host::HostMemory& memory) = 0;
  /// Reports the host's accesses of a device to `listener`.
  virtual void set_listener(unsigned device, host::AccessListener& listener) = 0;
  /// Lets the time of an access of a host program pass, which then has its effect (`host.timed`).
  virtual void pass_host_time(unsigned device, std::uint32_t bytes, bool write) = 0;
  /// TLB windows and the registers of the chip.
  virtual void access_bar0(unsigned device, std::uint64_t offset, std::uint8_t* data,
                           std::uint32_t bytes, bool write) = 0;
  virtual void access_bar2(unsigned device, std::uint64_t offset, std::uint8_t* data,
                           std::uint32_t bytes, bool write) = 0;
  /// Accesses an address of the tile at NoC 0 (x, y) directly, without the NoC.
  virtual void access_tile(unsigned device, unsigned x, unsigned y, std::uint64_t address,
                           std::uint8_t* data, std::uint32_t bytes, bool write) = 0;
};

}  // namespace tvp::platform
