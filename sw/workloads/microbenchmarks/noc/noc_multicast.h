#pragma once

#include <cstdint>

#include "sw/workloads/microbenchmarks/go_signal.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Writes from the first core of a rectangle, or one beside it, to all of its cores, by size.
class NocMulticast : public ProfiledWorkload {
 public:
  NocMulticast()
      : ProfiledWorkload({.name = "noc_multicast",
                          .summary = "NoC writes of one core to a rectangle of cores",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("noc_multicast") {}
    Number columns = number("columns", "", "of the rectangle", {.value = 2, .min = 1, .max = 8});
    Number rows = number("rows", "", "of the rectangle", {.value = 2, .min = 1, .max = 10});
    Number transactions =
        number("transactions", "", "writes of each size", {.value = 1, .min = 1, .max = 65536});
    Flag linked =
        flag("linked", "all writes of a size are linked, so that only the first reserves its path",
             false);
    Flag outside =
        flag("outside", "the sender is right of the first row, not in the corner", false);
    FastDispatch fast_dispatch{*this};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
