#pragma once

#include <array>
#include <cstdint>

#include "models/noc/grid.h"

namespace tvp::noc {

class Niu;

/// Leaves NIUs of one NoC as the ARC firmware of a board does before customer software runs: only
/// Tensix rows and columns take broadcasts, and coordinates from first_translated on are translated
/// (ISA NoC/Coordinates.md). Raw coordinates work with and without translation.
class NiuBoot {
 public:
  static constexpr unsigned kEntries = 32;
  using Table = std::array<std::uint8_t, kEntries>;

  /// `harvested_rows` has bit y set for each fused-off row, in NoC 0 coordinates.
  NiuBoot(const Grid& grid, unsigned noc, std::uint32_t harvested_rows, bool translate);

  void start(Niu& niu) const;

 private:
  std::uint32_t columns_off_ = 0;  ///< of broadcasts
  std::uint32_t rows_off_ = 0;
  bool translate_;
  unsigned first_translated_;
  Table x_;
  Table y_;
};

/// One NIU alone.
void boot_niu(Niu& niu, std::uint32_t harvested_rows, bool translate);

}  // namespace tvp::noc
