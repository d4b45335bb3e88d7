#pragma once

#include "models/dram/timing/dram_command.h"
#include "models/dram/timing/dram_time.h"

namespace tvp::dram {

/// The pins of a channel that its controller shares with other users. The first to ask gets the
/// pins first.
class SharedPins {
 public:
  virtual ~SharedPins() = default;
  /// Takes slots of the command bus and, for a column command, the data pins. Returns the cycle
  /// (`earliest` or later) of the command.
  virtual MemCycle take(DramCommand command, unsigned rank, MemCycle earliest) = 0;
};

}  // namespace tvp::dram
