#include "models/mesh/traffic_config.h"

#include "models/mesh/traffic_pattern.h"

namespace tvp::mesh {

namespace {
constexpr const char* kOurs = "choice of the platform";
}

TrafficConfig::TrafficConfig()
    : SettingGroup("traffic"),
      pattern(*this, {"pattern", "", "who sends to whom", kOurs}, "uniform", pattern_names()),
      load(
          *this,
          {"load", "flits/node/cycle", "flits that every node offers; the first of a sweep", kOurs},
          0.1, 0.0001, 1),
      load_to(*this,
              {"load_to", "flits/node/cycle", "the last load of a sweep; 0 for one load", kOurs}, 0,
              0, 1),
      points(*this, {"points", "", "loads of a sweep", kOurs}, 10, 2, 1000),
      packet_flits(*this, {"packet_flits", "flits", "length of a packet", kOurs}, 1, 1, 1024),
      warmup_cycles(*this,
                    {"warmup_cycles", "cycles", "that pass before packets are measured", kOurs},
                    2000, 0, 10'000'000),
      measure_cycles(*this,
                     {"measure_cycles", "cycles", "in which measured packets are made", kOurs},
                     5000, 1, 100'000'000),
      drain_cycles(*this,
                   {"drain_cycles", "cycles",
                    "most that the measured packets may take after that; the rest of the traffic "
                    "goes on",
                    kOurs},
                   20'000, 1, 100'000'000),
      hotspot_share(*this,
                    {"hotspot_share", "", "share of packets to the hot spot (hotspot)", kOurs}, 0.1,
                    0, 1),
      hotspot(*this, {"hotspot", "", "endpoint that is the hot spot (hotspot)", kOurs}, 0, 0, 4095),
      urgent_share(*this,
                   {"urgent_share", "", "share of packets of traffic class 1 instead of 0", kOurs},
                   0, 0, 1),
      seed(*this, {"seed", "", "of the random numbers", kOurs}, 1, 0, ~std::uint64_t{0}) {}

}  // namespace tvp::mesh
