#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/workloads/device_workload.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

/// Packets with 2D routes in a mesh of chips: every chip to all others, or one chip to each.
class FabricMeshes : public DeviceWorkload {
 public:
  FabricMeshes()
      : DeviceWorkload({.name = "fabric_mesh",
                        .summary = "every chip of a mesh sends to all others",
                        .system = "t3000",
                        .max_time_ns = 20e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("fabric_mesh") {}
    Choice pattern = choice(
        "pattern",
        "multicast: each chip sends a packet to its row in the east, one to its row in the west "
        "and one to the other rows. one_to_all: one chip sends a packet to each other chip",
        {.value = "multicast", .choices = {"multicast", "one_to_all"}});
    Number rows = number("rows", "", "rows of the mesh of chips", {.value = 2, .min = 1, .max = 8});
    Choice send = choice("send", "write, one that also increments a counter, or two halves apart",
                         {.value = "write", .choices = {"write", "fused", "scatter"}});
    FabricSendersKey senders{*this};
    Number packets =
        number("packets", "", "packets of each kind, timed", {.value = 128, .min = 8, .max = 4096});
    Number max_payload = number(
        "max_payload", "bytes",
        "that slots are made for, and that packets have; 0: packets of 2 and 4 KiB in usual slots",
        {.value = 0, .min = 0, .max = 8192});
  };
  /// Packets of a chip: their hops in each direction, and if they go to all chips on the way.
  struct Route {
    unsigned from;
    std::array<unsigned, contract::fabric::kDirections> hops;
    bool multicast;
  };
  std::vector<Route> routes(const runtime::FabricMesh& fabric) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
