#pragma once

#include <vector>

#include "firmware/kernels/prim/arguments.h"
#include "sw/workloads/pim/prim_problem.h"
#include "sw/workloads/workload.h"

namespace tvp::runtime {
class PimSystem;
}

namespace tvp::workloads::pim {

/// Programs like those of the PrIM benchmarks (arXiv 2105.03814) on units with tasklets: the host
/// fills the banks, the units run, the host reads the results.
class PrimWorkload : public Workload {
 public:
  PrimWorkload()
      : Workload({.name = "pim_prim",
                  .summary = "vector add, reduction, scan, histogram or matrix-vector product on "
                             "PIM units with tasklets, with the host's transfers",
                  .system = "pim_upmem",
                  .max_time_ns = 20e9},
                 config_) {}
  Result run(Context& context) override;

 private:
  using Results = firmware::prim::Results;
  struct Times {
    double to_banks_ns = 0;
    double units_ns = 0;
    double from_banks_ns = 0;
  };
  /// Addresses in a bank.
  struct Areas {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint32_t output = 0;
  };

  PrimProblem::Sizes sizes(const runtime::PimSystem& system, std::uint64_t seed) const;
  Areas areas(const PrimProblem& problem, const runtime::PimSystem& system) const;
  void add_metrics(const PrimProblem::Sizes& sizes, const PrimProblem& problem, const Times& times,
                   const std::vector<Results>& results, double cycle_ns, Result& result) const;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("pim_prim") {}
    Choice program =
        choice("program",
               "vector_add, reduction, scan, histogram and gemv are of the PrIM kind. add: loop of "
               "additions in WRAM. copy: blocks within the bank. dma: single transfers",
               {.value = "vector_add", .choices = PrimProblem::names()});
    Number tasklets = number("tasklets", "", "of each unit", {.value = 16, .min = 1, .max = 24},
                             "UPMEM SDK documentation: 24");
    Number units = number("units", "", "that take part, from unit 0 on; 0: all",
                          {.value = 0, .min = 0, .max = 4096});
    Number elements =
        number("elements", "", "elements of each unit; a product takes a multiple of two rows",
               {.value = 65536, .min = 256, .max = 4194304});
    Number columns =
        number("columns", "", "elements of a row of the matrix, even (only with program=gemv)",
               {.value = 1024, .min = 2, .max = 65536});
    Choice type =
        choice("type", "type of the elements; auto: int64 for reduction and scan, else int32",
               {.value = "auto", .choices = {"auto", "int32", "int64"}});
    Number block_bytes =
        number("block_bytes", "bytes", "that a tasklet moves at a time, a power of two",
               {.value = 1024, .min = 8, .max = 2048}, "PrIM, arXiv 2105.03814");
  };
  Config config_;
};

}  // namespace tvp::workloads::pim
