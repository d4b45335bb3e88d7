#pragma once

#include <cstdint>

namespace tvp::host {

/// Host access to the address spaces of a chip's tiles in no simulated time. It reads or writes
/// what a NoC request from the PCIe tile would.
class ChipAccess {
 public:
  virtual ~ChipAccess() = default;

  /// Accesses one tile. Coordinates are those of NoC `noc`, translated ones included. Throws
  /// foundation::Fault if there is no such tile or nothing is mapped at `address`.
  virtual void access(unsigned noc, unsigned x, unsigned y, std::uint64_t address,
                      std::uint8_t* data, std::uint32_t bytes, bool write) = 0;

  /// Writes to all Tensix tiles of the rectangle from (x_start, y_start) to (x_end, y_end) in the
  /// direction of the NoC. The rectangle wraps around if the start is behind the end.
  virtual void multicast(unsigned noc, unsigned x_start, unsigned y_start, unsigned x_end,
                         unsigned y_end, std::uint64_t address, const std::uint8_t* data,
                         std::uint32_t bytes) = 0;
};

}  // namespace tvp::host
