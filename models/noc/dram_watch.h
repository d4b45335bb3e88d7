#pragma once

#include <cstdint>

#include "models/noc/endpoint_type.h"
#include "models/support/bus_access.h"
#include "models/support/last_writers.h"
#include "models/support/time.h"

namespace tvp::noc {

/// Who is told where in DRAM the commands of a tile's cores go, as each starts.
class DramWatch {
 public:
  struct Access {
    Node noc0;  ///< the tile, in coordinates of NoC 0
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool is_read = false;
    support::Cycle now = 0;
    std::uint32_t from = 0;                             ///< of a write: where in L1 its data is
    bool of_nothing = false;                            ///< which nobody has ever written
    const support::LastWriters::Write* made = nullptr;  ///< who wrote its first bytes there; none
  };
  virtual ~DramWatch() = default;
  virtual void started(support::BusMaster core, const Access& access) = 0;
};

}  // namespace tvp::noc
