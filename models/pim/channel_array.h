#pragma once

#include <memory>
#include <vector>

#include "foundation/fault.h"
#include "models/dram/timing/timing.h"
#include "models/pim/memory_channel.h"
#include "models/pim/pim_config.h"
#include "models/pim/pim_hierarchy.h"

namespace tvp::pim {

/// All channels of a system, and the placement of units in them.
class ChannelArray {
 public:
  /// Throws Fault(kDescription) if the pins cannot be divided among the chips.
  ChannelArray(const PimConfig& config, const PimHierarchy& hierarchy, const dram::Preset& preset,
               foundation::FaultPolicy& faults);

  const dram::Preset& preset() const { return preset_; }
  unsigned count() const { return static_cast<unsigned>(channels_.size()); }
  MemoryChannel& operator[](unsigned channel) { return *channels_[channel]; }
  const MemoryChannel& operator[](unsigned channel) const { return *channels_[channel]; }

  /// Rank `number`, counted over the system.
  MemoryChannel::Rank& rank(unsigned number) const {
    return *channels_[number / ranks_of_channel_]->ranks[number % ranks_of_channel_];
  }

  unsigned banks_of_chip() const { return banks_of_chip_; }
  unsigned chips_of_rank() const { return chips_of_rank_; }
  unsigned ranks_of_channel() const { return ranks_of_channel_; }
  unsigned units_of_rank() const { return banks_of_chip_ * chips_of_rank_; }
  unsigned units_of_channel() const { return units_of_rank() * ranks_of_channel_; }
  /// Number of levels outside the channel that a transfer between two units crosses.
  unsigned levels_between(unsigned unit, unsigned other) const;

 private:
  const dram::Preset& preset_;
  const unsigned banks_of_chip_;
  const unsigned chips_of_rank_;
  const unsigned ranks_of_channel_;
  std::vector<unsigned> outer_units_;  ///< units of a channel, and of each level above
  std::vector<std::unique_ptr<MemoryChannel>> channels_;
};

}  // namespace tvp::pim
