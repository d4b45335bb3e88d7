#pragma once

#include "models/noc/grid.h"
#include "tests/support/described_chips.h"

namespace tvp::noc {

inline const Grid& wormhole_grid() {
  static const Grid grid(tests::wormhole());
  return grid;
}

}  // namespace tvp::noc
