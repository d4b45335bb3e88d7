#pragma once

#include <cstdint>

#include "sw/runtime/fabric/fabric_line.h"
#include "sw/workloads/device_workload.h"

namespace tvp::workloads::microbenchmarks {

/// A stream of packets over one link of the fabric, from a Tensix core to the chips of a line.
class FabricBandwidth : public DeviceWorkload {
 public:
  FabricBandwidth()
      : DeviceWorkload({.name = "fabric_bandwidth",
                        .summary = "packets back to back over a link of the fabric",
                        .system = "quad_ring",
                        .max_time_ns = 10e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("fabric_bandwidth", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> hops{
        *this,
        {"hops", "", "packets go to the chips 1 to this many links away, in turn", "workload"},
        {.value = 3, .min = 1, .max = 3}};
    foundation::Setting<std::uint32_t> packets{*this,
                                               {"packets", "", "to each chip, timed", "workload"},
                                               {.value = 32, .min = 8, .max = 64}};
    foundation::Setting<bool> both_ways{*this,
                                        {"both_ways", "",
                                         "a second stream the other way over the same links, from "
                                         "the last chip to those before it; "
                                         "the result is the slower one",
                                         "workload"},
                                        false};
    foundation::Setting<bool> fused{
        *this,
        {"fused", "", "packets that also increment a counter when they have landed", "workload"},
        false};
    foundation::Setting<std::uint32_t> router_noc{
        *this,
        {"router_noc", "",
         "NoC that routers write over: 0 makes one round of the torus of the ways to a router and "
         "from it, wherever they are; tt-metal's routers use 1",
         "workload"},
        {.value = 0, .min = 0, .max = 1}};
  };
  /// Payload bytes a nanosecond.
  double rate(runtime::MeshDevice& mesh, const runtime::FabricLine& line, std::uint32_t bytes,
              std::uint64_t seed, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
