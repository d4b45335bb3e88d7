#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/riscv/core.h"
#include "models/support/calendar.h"

namespace tvp::pim {
class TaskletCore;
}

namespace tvp::platform {

/// A core and its names for users, symbols and debuggers.
struct CoreSite {
  riscv::Core* core = nullptr;
  std::string name;  ///< "D0 (1,1) BRISC"
  support::Calendar* calendar = nullptr;
  unsigned tile = 0;  ///< index in that calendar
  /// Names of the tile's agents in tie order; an order beyond them is a core.
  std::span<const char* const> agents;
  // The host's name of the core.
  unsigned chip = 0;
  unsigned x = 0;
  unsigned y = 0;
  unsigned kind = 0;  ///< tensix_vp_core; number of the unit in PIM systems
  bool is_pim = false;
  pim::TaskletCore* tasklets = nullptr;  ///< runs the programs instead of `core`; null: none
};

}  // namespace tvp::platform
