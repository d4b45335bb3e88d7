#pragma once

#include "models/dram/dram_channel.h"
#include "models/dram/timing.h"
#include "models/support/settings.h"

namespace tvp::dram {

/// Settings of DRAM channels and their controllers.
struct DramConfig : support::SettingGroup {
  DramConfig();

  support::Choice controller;
  support::Setting<double> bytes_per_cycle;
  support::Setting<double> read_efficiency;
  support::Setting<double> write_efficiency;
  support::Setting<unsigned> refresh_interval_cycles;
  support::Setting<unsigned> refresh_cycles;
  support::Setting<unsigned> burst_bytes;
  support::Setting<unsigned> read_latency_cycles;
  support::Setting<unsigned> write_latency_cycles;
  support::Setting<unsigned> queue_bytes;

  // Of channels with banks.
  support::Choice preset;
  support::Setting<unsigned> ranks;
  support::Text mapping;
  support::Setting<bool> hash_banks;
  support::Choice page;
  support::Setting<unsigned> page_timeout_cycles;
  support::Choice scheduler;
  support::Setting<unsigned> starvation_cap;
  support::Choice refresh;
  support::Setting<unsigned> refresh_postpone;
  support::Setting<unsigned> read_queue;
  support::Setting<unsigned> write_queue;
  support::Setting<unsigned> bank_queue;
  support::Setting<unsigned> write_high;
  support::Setting<unsigned> write_low;
  support::Setting<unsigned> response_cycles;
  support::Setting<unsigned> banked_read_cycles;
  support::Setting<unsigned> banked_write_cycles;

  /// The preset with the ranks that are set.
  Preset banked_preset() const;
  /// Throws Fault(kDescription) when the values do not fit each other.
  ChannelOptions channel_options() const;
};

}  // namespace tvp::dram
