#pragma once

#include "models/support/settings.h"

namespace tvp::mesh {

/// Settings of synthetic traffic on a mesh.
struct TrafficConfig : support::SettingGroup {
  TrafficConfig();

  support::Choice pattern;
  support::Setting<double> load;
  support::Setting<double> load_to;
  support::Setting<unsigned> points;
  support::Setting<unsigned> packet_flits;
  support::Setting<unsigned> warmup_cycles;
  support::Setting<unsigned> measure_cycles;
  support::Setting<unsigned> drain_cycles;
  support::Setting<double> hotspot_share;
  support::Setting<unsigned> hotspot;
  support::Setting<double> urgent_share;
  support::Setting<std::uint64_t> seed;
};

}  // namespace tvp::mesh
