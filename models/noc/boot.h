#pragma once

#include <array>
#include <cstdint>

#include "models/noc/grid.h"

namespace tvp::noc {

class Niu;

/// Sets the NIUs of one NoC as a board's ARC firmware leaves them for customer software. Only
/// Tensix rows and columns accept broadcasts, and coordinates from first_translated on are
/// translated (ISA NoC/Coordinates.md). Raw coordinates work with and without translation.
class NiuBoot {
 public:
  static constexpr unsigned kEntries = 32;
  using Table = std::array<std::uint8_t, kEntries>;

  /// `harvested_rows` has bit y set for each fused-off row, in NoC 0 coordinates.
  NiuBoot(const Grid& grid, unsigned noc, std::uint32_t harvested_rows, bool translate);

  void start(Niu& niu) const;

 private:
  std::uint32_t columns_off_ = 0;  ///< columns without broadcasts
  std::uint32_t rows_off_ = 0;
  bool translate_;
  unsigned first_translated_;
  Table x_;
  Table y_;
};

/// Sets one NIU only.
void boot_niu(Niu& niu, std::uint32_t harvested_rows, bool translate);

}  // namespace tvp::noc
