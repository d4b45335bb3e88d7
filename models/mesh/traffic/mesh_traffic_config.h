#pragma once

#include "foundation/settings.h"

namespace tvp::mesh {

struct MeshTrafficConfig : foundation::SettingGroup {
  MeshTrafficConfig();

  foundation::Choice pattern;
  foundation::Setting<double> load;
  foundation::Setting<double> load_to;
  foundation::Setting<unsigned> points;
  foundation::Setting<unsigned> packet_flits;
  foundation::Setting<unsigned> warmup_cycles;
  foundation::Setting<unsigned> measure_cycles;
  foundation::Setting<unsigned> drain_cycles;
  foundation::Setting<double> hotspot_share;
  foundation::Setting<unsigned> hotspot;
  foundation::Setting<double> urgent_share;
  foundation::Setting<std::uint64_t> seed;
};

}  // namespace tvp::mesh
