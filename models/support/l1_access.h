#pragma once

#include <cstdint>

#include "models/support/bus_access.h"
#include "models/support/time.h"

namespace tvp::support {

/// An access to bytes of L1 by an agent at a cycle.
struct L1Access {
  BusMaster agent = BusMaster::kDebug;
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
  Cycle now = 0;   ///< cycle at which the bytes are read or change
  Cycle done = 0;  ///< cycle at which the hardware has moved them
  /// The Tensix instruction that makes the access, and its thread; 0: none.
  std::uint32_t instruction = 0;
  std::uint8_t thread = 0;
  /// 1 + the number of the format that a packer writes; 0 for all others.
  std::uint8_t format = 0;
};

}  // namespace tvp::support
