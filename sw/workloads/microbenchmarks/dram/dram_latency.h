#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Pages of an interleaved tensor in DRAM, read to L1 and written from there, by page size: one, or
/// a number of them before one barrier.
class DramLatency : public ProfiledWorkload {
 public:
  DramLatency()
      : ProfiledWorkload({.name = "dram_latency",
                          .summary = "cycles of pages of DRAM with their barrier",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_latency") {}
    Number core_x =
        number("core_x", "", "logical column of the core", {.value = 0, .min = 0, .max = 7});
    Number core_y =
        number("core_y", "", "logical row of the core", {.value = 0, .min = 0, .max = 9});
    Number rounds =
        number("rounds", "",
               "times that each size is measured; enough that some meet a refresh at its beginning",
               {.value = 33, .min = 1, .max = 101});
    Number transactions =
        number("transactions", "", "pages before the barrier", {.value = 1, .min = 1, .max = 4096});
    Number banks = number("banks", "", "banks that the pages come from in turn",
                          {.value = 1, .min = 1, .max = 12});
  };
  void measure(runtime::MeshDevice& mesh, std::uint64_t seed, bool write, Result& result) const;
  /// Adds the latencies of all rounds by size.
  void add_metrics(const std::vector<std::vector<double>>& rounds, bool write,
                   Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
