#pragma once

#include <cstdint>

namespace tvp::host {

/// Observes the host's accesses to a chip: writes before they are done, reads after. Addresses are
/// those behind the TLB windows.
class AccessListener {
 public:
  struct Access {
    std::uint64_t address;  ///< in the tile, or an offset in the BAR
    const std::uint8_t* data;
    std::uint32_t bytes;
    bool write;
  };
  virtual ~AccessListener() = default;
  virtual void tile_accessed(unsigned x, unsigned y, const Access& access) = 0;
  /// An access to no tile: to the ARC behind BAR 0 or the iATU behind BAR 2.
  virtual void bar_accessed(unsigned bar, const Access& access) = 0;
};

}  // namespace tvp::host
