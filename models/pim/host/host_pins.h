#pragma once

#include "models/dram/timing/shared_pins.h"
#include "models/pim/memory_channel.h"

namespace tvp::pim {

/// The pins of a memory channel as the host's controller uses them for normal commands. A command
/// takes a slot of the command/address bus. A column command also takes the data bus and the data
/// pins of all chips of the rank, with a gap when direction or rank change. Ranks beyond those of
/// the channel have no processors and share no pins.
class HostPins : public dram::SharedPins {
 public:
  explicit HostPins(MemoryChannel& channel) : channel_(channel) {}
  dram::MemCycle take(dram::DramCommand command, unsigned rank, dram::MemCycle earliest) override;

 private:
  dram::MemCycle data_ready(ddr::Direction direction, unsigned rank, dram::MemCycle earliest) const;

  MemoryChannel& channel_;
};

}  // namespace tvp::pim
