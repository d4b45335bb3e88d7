#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/go_signal.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"
#include "sw/workloads/microbenchmarks/tile/tile_pair.h"

namespace tvp::workloads::microbenchmarks {

/// Back-to-back transfers of one core with one barrier: writes to another tile, reads from it, and
/// writes to its own tile, by size.
class NocBandwidth : public ProfiledWorkload {
 public:
  NocBandwidth()
      : ProfiledWorkload({.name = "noc_bandwidth",
                          .summary = "NoC transfers of one core back to back",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : TilePair {
    Config() : TilePair("noc_bandwidth") {}
    foundation::Setting<std::uint32_t> transactions{
        *this,
        {"transactions", "", "transfers of each size", "workload"},
        {.value = 256, .min = 1, .max = 65536}};
    foundation::Setting<bool> stateful{
        *this,
        {"stateful", "", "registers that all transfers of a size share are written once",
         "workload"},
        false};
    foundation::Setting<bool> functions{*this,
                                        {"functions", "",
                                         "transfers are issued by functions that take an address, "
                                         "made once, as in tt-metal's older "
                                         "kernels; else by a Noc object that makes each address",
                                         "workload"},
                                        false};
    FastDispatch fast_dispatch{*this};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
