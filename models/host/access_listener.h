#pragma once

#include <cstdint>

namespace tvp::host {

/// Who is told what a host does to a chip: of a write before it is done, of a read after. Windows
/// are no matter of theirs: they hear what an access comes to.
class AccessListener {
 public:
  struct Access {
    std::uint64_t address;  ///< in the tile, or an offset in the BAR
    const std::uint8_t* data;
    std::uint32_t bytes;
    bool write;
  };
  virtual ~AccessListener() = default;
  /// The tile at NoC 0 (x, y).
  virtual void tile_accessed(unsigned x, unsigned y, const Access& access) = 0;
  /// What no tile holds: the ARC behind BAR 0, the iATU behind BAR 2.
  virtual void bar_accessed(unsigned bar, const Access& access) = 0;
};

}  // namespace tvp::host
