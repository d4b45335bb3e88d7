#pragma once

#include <cstdint>

namespace tvp::host {

/// The host's zero-time way into the address spaces of a chip's tiles: what a NoC request from the
/// PCIe tile would read or write, without the NoC.
class ChipAccess {
 public:
  virtual ~ChipAccess() = default;

  /// One tile by NoC coordinates as software writes them (translated ones included), of NoC
  /// `noc`. Throws foundation::Fault when there is no such tile or nothing is mapped at `address`.
  virtual void access(unsigned noc, unsigned x, unsigned y, std::uint64_t address,
                      std::uint8_t* data, std::uint32_t bytes, bool write) = 0;

  /// Write to all Tensix tiles of the rectangle from (x_start, y_start) to (x_end, y_end), in the
  /// direction of the NoC, wrapping where start lies behind end.
  virtual void multicast(unsigned noc, unsigned x_start, unsigned y_start, unsigned x_end,
                         unsigned y_end, std::uint64_t address, const std::uint8_t* data,
                         std::uint32_t bytes) = 0;
};

}  // namespace tvp::host
