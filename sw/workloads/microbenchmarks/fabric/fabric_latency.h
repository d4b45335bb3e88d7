#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads::microbenchmarks {

/// One packet at a time over the fabric and back, between Tensix cores of two chips of a line, ring
/// or row of a mesh. Distances are one hop and several.
class FabricLatency : public DeviceWorkload {
 public:
  FabricLatency()
      : DeviceWorkload({.name = "fabric_latency",
                        .summary = "a packet over the fabric, by hops and size",
                        .system = "quad_ring",
                        .max_time_ns = 10e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("fabric_latency") {}
    Number samples = number("samples", "", "exchanges of each size and distance",
                            {.value = 16, .min = 1, .max = 256});
    Number hops = number("hops", "", "links of the line, to the farther one of the chips",
                         {.value = 2, .min = 2, .max = 31});
    Choice topology = choice("topology",
                             "line of as many links as hops; ring of all devices of the system; "
                             "mesh: all of them in rows, the first of which has the packets",
                             {.value = "line", .choices = {"line", "ring", "mesh"}});
    Number rows = number("rows", "", "rows of a mesh of chips", {.value = 2, .min = 1, .max = 8});
    Flag fused = flag("fused", "packets that also increment a counter, which is waited for", false);
    Number router_noc =
        number("router_noc", "",
               "NoC that routers write over: 0 makes one round of the torus of the ways to a "
               "router and from it, wherever they are; tt-metal's routers use 1",
               {.value = 1, .min = 0, .max = 1});
  };
  /// Running routers, and the connections of a device's core to them in both directions.
  struct Fabric {
    std::uint32_t router_status;
    std::map<std::string, std::string> defines;
    std::function<std::vector<std::uint32_t>(unsigned device, bool on, std::uint32_t semaphores)>
        connection;
  };
  void run_over(runtime::MeshDevice& mesh, const Fabric& fabric, std::uint64_t seed,
                Result& result) const;
  /// Mean time in ns to a device `hops` links away: half of the round trip.
  double one_way(runtime::MeshDevice& mesh, const Fabric& fabric, unsigned hops,
                 std::uint32_t bytes, std::uint64_t seed, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
