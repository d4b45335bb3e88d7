#pragma once

#include <optional>
#include <string>

#include "foundation/settings.h"
#include "models/dram/dram_channel.h"
#include "models/dram/timing/timing.h"

namespace tvp::dram {

/// Settings of DRAM channels and their controllers.
struct DramConfig : foundation::SettingGroup {
  DramConfig();

  foundation::Choice controller;
  foundation::Setting<double> bytes_per_cycle;
  foundation::Setting<double> read_efficiency;
  foundation::Setting<double> write_efficiency;
  foundation::Setting<unsigned> refresh_interval_cycles;
  foundation::Setting<unsigned> refresh_cycles;
  foundation::Setting<unsigned> burst_bytes;
  foundation::Setting<unsigned> read_latency_cycles;
  foundation::Setting<unsigned> write_latency_cycles;
  foundation::Setting<unsigned> queue_bytes;

  // Keys for channels with banks.
  foundation::Choice preset;
  foundation::Setting<unsigned> ranks;
  foundation::Text mapping;
  foundation::Setting<bool> hash_banks;
  foundation::Choice page;
  foundation::Setting<unsigned> page_timeout_cycles;
  foundation::Choice scheduler;
  foundation::Setting<unsigned> starvation_cap;
  foundation::Choice refresh;
  foundation::Setting<unsigned> refresh_postpone;
  foundation::Setting<unsigned> read_queue;
  foundation::Setting<unsigned> write_queue;
  foundation::Setting<unsigned> bank_queue;
  foundation::Setting<unsigned> write_high;
  foundation::Setting<unsigned> write_low;
  foundation::Setting<bool> finish_rows;
  foundation::Setting<unsigned> response_cycles;
  foundation::Setting<unsigned> banked_read_cycles;
  foundation::Setting<unsigned> banked_write_cycles;
  foundation::Setting<unsigned> merge_bytes;
  foundation::Setting<unsigned> merge_cycles;

  /// Replaces the preset by the part of a timing file, see read_preset(). A system description
  /// cannot do so: descriptions name no files.
  void read_part(const std::string& file);
  /// The preset with the number of ranks from the settings.
  Preset banked_preset() const;
  /// Throws Fault(kDescription) if the values contradict each other.
  ChannelOptions channel_options() const;

 private:
  std::optional<Preset> part_;
};

}  // namespace tvp::dram
