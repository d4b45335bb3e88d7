#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/calendar.h"

namespace tvp::platform {

/// A core with what identifies it to people, symbols and debuggers.
struct CoreSite {
  riscv::Core* core = nullptr;
  std::string name;  ///< "D0 (1,1) BRISC"
  support::Calendar* calendar = nullptr;
  unsigned tile = 0;  ///< in that calendar
  /// Those of the tile, in tie order; what is not among them is a core.
  std::span<const char* const> agents;
  // As the host names it.
  unsigned chip = 0;
  unsigned x = 0;
  unsigned y = 0;
  unsigned kind = 0;  ///< tensix_vp_core; number of the unit in PIM systems
};

}  // namespace tvp::platform
