#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Packets of several clients through a mux of the fabric, into a core in place of a router.
class MuxBandwidth : public DeviceWorkload {
 public:
  MuxBandwidth()
      : DeviceWorkload({.name = "mux_bandwidth",
                        .summary = "packets of several clients through a mux of the fabric",
                        .system = "n150",
                        .max_time_ns = 10e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("mux_bandwidth") {}
    Number clients = number("clients", "", "cores that send, each by a channel of its own",
                            {.value = 8, .min = 1, .max = 8});
    Number slots = number("slots", "", "of a channel", {.value = 8, .min = 1, .max = 16},
                          "tt-metal test_fabric_mux_bandwidth.py");
    Number packets = number("packets", "", "packets of each client, timed",
                            {.value = 128, .min = 8, .max = 1024});
  };
  /// Bytes a cycle, with headers.
  double rate(runtime::MeshDevice& mesh, std::uint32_t bytes, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
