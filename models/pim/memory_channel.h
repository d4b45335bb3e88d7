#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/ddr/ca_bus.h"
#include "models/ddr/dq_lanes.h"
#include "models/ddr/rank_control.h"
#include "models/dram/timing/timing.h"
#include "models/pim/pim_config.h"
#include "models/pim/pim_hierarchy.h"
#include "models/switch/inter_chip_switch.h"

namespace tvp::pim {

/// The pins of one memory channel, which all traffic between chips shares. These are the
/// command/address bus and the data bus between controller and modules, and in each rank the data
/// pins between the chips and the module's buffer. The first to ask gets the pins first, so callers
/// ask in the order of the calendar.
///
/// Bank and chip are the first two levels of the hierarchy, whatever their names. All levels from
/// there to the channel (`PimHierarchy::levels_of_channel`) are ranks on its bus.
struct MemoryChannel {
  struct Rank {
    Rank(const PimConfig& config, const dram::Preset& preset, unsigned chips,
         const std::string& where, foundation::FaultPolicy& faults);
    ddr::DqLanes lanes;
    switching::InterChipSwitch crossbar;
  };

  /// `first_rank`: number of the channel's first rank in the system, for names.
  MemoryChannel(const PimConfig& config, const dram::Preset& preset, unsigned number,
                unsigned first_rank, unsigned rank_count, unsigned chips_of_rank,
                foundation::FaultPolicy& faults);

  /// Reserves the data bus for a transfer of one rank: to the controller and other ranks, or from
  /// the controller. A change of the rank adds an idle gap.
  ddr::DqLanes::Span take_data(unsigned rank, std::uint64_t bytes, dram::MemCycle earliest,
                               ddr::Direction direction = ddr::Direction::kFromChip);

  const dram::Timing& timing;
  ddr::CaBus commands;
  ddr::RankControl control;
  ddr::DqLanes data;
  unsigned last_rank = 0;
  std::vector<std::unique_ptr<Rank>> ranks;
};

}  // namespace tvp::pim
