#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

/// A core of each chip of a mesh sends to all neighbors of its chip in turn.
class FabricNeighbors : public DeviceWorkload {
 public:
  FabricNeighbors()
      : DeviceWorkload({.name = "fabric_neighbors",
                        .summary = "every chip of a mesh sends to all of its neighbors",
                        .system = "t3000",
                        .max_time_ns = 10e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("fabric_neighbors") {}
    Number rows = number("rows", "", "rows of the mesh of chips", {.value = 2, .min = 1, .max = 8});
    FabricSendersKey senders{*this};
    Number packets =
        number("packets", "", "to each neighbor, timed", {.value = 64, .min = 8, .max = 1024});
    Flag fused =
        flag("fused", "packets that also increment a counter when they have landed", false);
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
