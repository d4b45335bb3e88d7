#pragma once

#include "models/support/settings.h"

namespace tvp::dram {

/// Settings of the GDDR6 channels and their controllers.
struct DramConfig : support::SettingGroup {
  DramConfig();

  support::Choice controller;
  support::Setting<double> bytes_per_cycle;
  support::Setting<double> read_efficiency;
  support::Setting<double> write_efficiency;
  support::Setting<unsigned> burst_bytes;
  support::Setting<unsigned> read_latency_cycles;
  support::Setting<unsigned> write_latency_cycles;
  support::Setting<unsigned> queue_bytes;
};

}  // namespace tvp::dram
