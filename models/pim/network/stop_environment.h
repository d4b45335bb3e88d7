#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"
#include "models/pim/network/message_pool.h"
#include "models/pim/network/network.h"
#include "models/pim/pim_config.h"
#include "models/pim/unit/wram.h"
#include "models/support/calendar.h"
#include "models/support/watch.h"

namespace tvp::pim {

/// The objects to which a stop is connected.
struct StopEnvironment {
  std::string where;  ///< name of the unit
  unsigned unit = 0;
  unsigned units = 1;
  const PimConfig& config;
  Wram& wram;
  MessagePool& messages;
  Network& network;
  support::Calendar& calendar;
  unsigned calendar_index = 0;
  support::WatchHub& watch_hub;
  foundation::FaultPolicy& faults;
};

}  // namespace tvp::pim
