#pragma once

#include <cstdint>

#include "models/noc/grid.h"

namespace tvp::noc {

class Niu;

/// Sets the NIUs of one NoC as a board's ARC firmware leaves them for customer software. Only
/// Tensix rows and columns accept broadcasts, and coordinates are translated
/// (foundation::Coordinates).
class NiuBoot {
 public:
  NiuBoot(const Grid& grid, unsigned noc, bool translate);

  void start(Niu& niu) const;

 private:
  const Grid& grid_;
  unsigned noc_;
  bool translate_;
  std::uint32_t columns_off_;  ///< columns without broadcasts
  std::uint32_t rows_off_;
  foundation::Coordinates::Table columns_;
  foundation::Coordinates::Table rows_;
};

/// Sets one NIU only.
void boot_niu(Niu& niu, bool translate);

}  // namespace tvp::noc
