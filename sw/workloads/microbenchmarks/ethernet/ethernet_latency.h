#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Round trips between two ethernet cores over the first link of a system, by size. The answer to a
/// message has the same size. Pings, whose answers have 16 bytes, follow.
class EthernetLatency : public ProfiledWorkload {
 public:
  EthernetLatency()
      : ProfiledWorkload({.name = "ethernet_latency",
                          .summary = "round trips over an ethernet link",
                          .system = "pair",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("ethernet_latency") {}
    Number rounds =
        number("rounds", "", "round trips of each size", {.value = 4, .min = 1, .max = 10});
    Number ping_bytes = number("ping_bytes", "bytes", "payload of a ping, a power of two",
                               {.value = 16, .min = 16, .max = 8192});
    Flag worker = flag(
        "worker",
        "a core that receives writes each message to a Tensix core before it acknowledges", false);
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
