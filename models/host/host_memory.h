#pragma once

#include <cstdint>

namespace tvp::host {

/// Memory of the host that a device accesses over PCI Express, by physical (or IOMMU) address.
class HostMemory {
 public:
  virtual ~HostMemory() = default;
  /// False if the host has not provided memory to devices.
  virtual bool available() const = 0;
  virtual void read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) = 0;
  virtual void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) = 0;
};

}  // namespace tvp::host
