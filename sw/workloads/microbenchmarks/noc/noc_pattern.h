#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/host_api.h"
#include "sw/workloads/microbenchmarks/go_signal.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Transfers between one core, or all, of a rectangle and all of its cores in turn, by size.
class NocPattern : public ProfiledWorkload {
 public:
  NocPattern()
      : ProfiledWorkload(
            {.name = "noc_pattern",
             .summary = "NoC transfers of one or all cores of a rectangle with all of its cores",
             .system = "n300_chip",
             .max_time_ns = 100e6},
            config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("noc_pattern") {}
    Choice pattern =
        choice("pattern", "to: writes, from: reads",
               {.value = "one_to_all",
                .choices = {"one_to_all", "one_from_all", "all_to_all", "all_from_all"}});
    Number columns = number("columns", "", "of the rectangle", {.value = 8, .min = 1, .max = 8});
    Number rows = number("rows", "", "of the rectangle", {.value = 8, .min = 1, .max = 10});
    Number transactions =
        number("transactions", "", "transfers with each core", {.value = 1, .min = 1, .max = 4096});
    Flag outside =
        flag("outside", "the one core is right of the first row, not in the corner", false);
    Flag stateful =
        flag("stateful", "registers that all transfers with a core share are written once", false);
    Number bytes =
        number("bytes", "bytes", "size of a transfer, a power of two; 0: each from 64 to 8192",
               {.value = 0, .min = 0, .max = 8192});
    FastDispatch fast_dispatch{*this};
  };

  bool writes() const;
  bool all() const;
  /// The issuing cores, and the cores that each of them accesses, column by column as in the public
  /// benchmark.
  std::vector<runtime::CoreCoord> initiators() const;
  std::vector<runtime::CoreCoord> peers() const;
  /// Cycles of each initiator for one size.
  std::vector<double> measure(runtime::MeshDevice& mesh, std::uint32_t shift, std::uint64_t seed,
                              Result& result) const;
  struct Buffers;
  Buffers make_buffers(runtime::MeshDevice& mesh, std::uint32_t bytes, std::uint64_t seed) const;
  runtime::Program make_program(runtime::MeshDevice& mesh, const Buffers& buffers,
                                std::uint32_t shift, std::uint64_t seed, GoSignal& go) const;
  void compare(const Buffers& buffers, std::uint64_t seed, Result& result) const;

  Config config_;
  std::uint32_t columns_ = 0;  ///< columns of the rectangle on this chip
  std::uint32_t rows_ = 0;
};

}  // namespace tvp::workloads::microbenchmarks
