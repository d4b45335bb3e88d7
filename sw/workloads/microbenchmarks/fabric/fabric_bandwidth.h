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

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("fabric_bandwidth") {}
    Number hops = number("hops", "", "packets go to the chips 1 to this many links away, in turn",
                         {.value = 3, .min = 1, .max = 3});
    Number packets =
        number("packets", "", "to each chip, timed", {.value = 32, .min = 8, .max = 64});
    Flag both_ways = flag("both_ways",
                          "a second stream the other way over the same links, from "
                          "the last chip to those before it; "
                          "the result is the slower one",
                          false);
    Flag fused =
        flag("fused", "packets that also increment a counter when they have landed", false);
    Number router_noc = number(
        "router_noc", "",
        "NoC that routers write over: 0 makes one round of the torus of the ways to a router and "
        "from it, wherever they are; tt-metal's routers use 1",
        {.value = 0, .min = 0, .max = 1});
  };
  /// Payload bytes a nanosecond.
  double rate(runtime::MeshDevice& mesh, const runtime::FabricLine& line, std::uint32_t bytes,
              std::uint64_t seed, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
