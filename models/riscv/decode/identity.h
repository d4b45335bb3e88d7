#pragma once

#include <cstdint>
#include <string>

#include "foundation/regs/generation.h"
#include "models/support/bus_access.h"

namespace tvp::riscv {

/// Name and memories of a core.
struct Identity {
  support::BusMaster master = support::BusMaster::kB;
  std::string where;                 ///< "chip0.tensix(1,2).BRISC"
  std::uint32_t local_bytes = 4096;  ///< data RAM at LoadStoreUnit::kLocalBase
  std::uint32_t iram_bytes = 0;      ///< instruction RAM at PredecodedCode::kIramBase
  /// Accesses of L1 take what the bus says, not what L1 takes. They are not direct.
  bool bus_timed = false;
  Generation generation = Generation::kWormhole;
};

}  // namespace tvp::riscv
