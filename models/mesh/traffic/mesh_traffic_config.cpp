#include "models/mesh/traffic/mesh_traffic_config.h"

#include "models/mesh/traffic/traffic_pattern.h"

namespace tvp::mesh {

using foundation::kOwnChoice;

MeshTrafficConfig::MeshTrafficConfig()
    : SettingGroup("traffic", SetBy::kRun),
      pattern(*this, {"pattern", "", "destination of each source", kOwnChoice},
              {.value = "uniform", .choices = pattern_names()}),
      load(*this,
           {"load", "flits/node/cycle", "flits that every node offers; the first of a sweep",
            kOwnChoice},
           {.value = 0.1, .min = 0.0001, .max = 1}),
      load_to(
          *this,
          {"load_to", "flits/node/cycle", "the last load of a sweep; 0 for one load", kOwnChoice},
          {.value = 0, .min = 0, .max = 1}),
      points(*this, {"points", "", "loads of a sweep (only with load_to!=0)", kOwnChoice},
             {.value = 10, .min = 2, .max = 1000}),
      packet_flits(*this, {"packet_flits", "flits", "length of a packet", kOwnChoice},
                   {.value = 1, .min = 1, .max = 1024}),
      warmup_cycles(
          *this, {"warmup_cycles", "cycles", "that pass before packets are measured", kOwnChoice},
          {.value = 2000, .min = 0, .max = 10'000'000}),
      measure_cycles(*this,
                     {"measure_cycles", "cycles", "in which measured packets are made", kOwnChoice},
                     {.value = 5000, .min = 1, .max = 100'000'000}),
      drain_cycles(*this,
                   {"drain_cycles", "cycles",
                    "most that the measured packets may take after that; the rest of the traffic "
                    "goes on",
                    kOwnChoice},
                   {.value = 20'000, .min = 1, .max = 100'000'000}),
      hotspot_share(*this,
                    {"hotspot_share", "",
                     "share of packets to the hot spot (only with pattern=hotspot)", kOwnChoice},
                    {.value = 0.1, .min = 0, .max = 1}),
      hotspot(
          *this,
          {"hotspot", "", "endpoint that is the hot spot (only with pattern=hotspot)", kOwnChoice},
          {.value = 0, .min = 0, .max = 4095}),
      urgent_share(
          *this,
          {"urgent_share", "", "share of packets of traffic class 1 instead of 0", kOwnChoice},
          {.value = 0, .min = 0, .max = 1}),
      seed(*this, {"seed", "", "seed of the random numbers", kOwnChoice},
           {.value = 1, .min = 0, .max = ~std::uint64_t{0}}) {}

}  // namespace tvp::mesh
