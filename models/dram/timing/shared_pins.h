#pragma once

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// The pins of a channel when others than its controller's reads and writes use them too. Who asks
/// first gets first.
class SharedPins {
 public:
  virtual ~SharedPins() = default;
  /// Takes slots of the command bus and, for a column command, the data pins that go with it.
  /// Returns the cycle from `earliest` on at which the command is issued.
  virtual MemCycle take(DramCommand command, unsigned rank, MemCycle earliest) = 0;
};

}  // namespace tvp::dram
