#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/go_signal.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"
#include "sw/workloads/microbenchmarks/tile/tile_pair.h"

namespace tvp::workloads::microbenchmarks {

/// One transfer and its barrier: a write to another tile, a read from it, and a write to the core's
/// own tile, by size.
class NocLatency : public ProfiledWorkload {
 public:
  NocLatency()
      : ProfiledWorkload({.name = "noc_latency",
                          .summary = "cycles of one NoC transfer with its barrier",
                          .system = "single_chip",
                          .max_time_ns = 10e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : TilePair {
    Config() : TilePair("noc_latency") {}
    FastDispatch fast_dispatch{*this};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
