#pragma once

#include <string>
#include <vector>

#include "foundation/fault.h"
#include "foundation/warning_sink.h"
#include "models/support/bus_access.h"
#include "platform/checks/code_names.h"

namespace tvp::checks {

/// The tile whose events a check sees: names for its texts, and where findings go.
struct TileContext {
  struct Core {
    support::BusMaster master;
    unsigned number;    ///< tensix_vp_core
    std::string where;  ///< "chip0.tensix(1,2).BRISC"
  };

  unsigned chip = 0, x = 0, y = 0;  ///< in coordinates of NoC 0
  std::string where{};              ///< "chip0.tensix(1,2)"
  std::vector<Core> cores{};
  /// Its cores wait for what they have started (`coprocessor.missing_waits` is not off).
  bool checks_waits = true;
  const CodeNames& names;
  foundation::FaultPolicy& faults;    ///< findings that stop the run, unless `faults=warn`
  foundation::WarningSink& warnings;  ///< findings that do not

  const Core* core(support::BusMaster master) const {
    for (const Core& known : cores)
      if (known.master == master) return &known;
    return nullptr;
  }
  CodeOwner owner(const Core& core) const { return {chip, x, y, core.number}; }
};

}  // namespace tvp::checks
