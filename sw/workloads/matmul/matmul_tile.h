#pragma once

#include "sw/workloads/device_workload.h"
#include "sw/workloads/matmul/multiplication.h"

namespace tvp::workloads::matmul {

/// Measures the cost of one more pair of tiles in a running product. A block of tiles is in Dst and
/// the operands are in L1. The result is the difference of two lengths of the inner dimension.
class MatmulTile : public DeviceWorkload {
 public:
  MatmulTile()
      : DeviceWorkload(
            {.name = "matmul_tile",
             .summary =
                 "cycles of a tile in the middle of a matrix multiplication, at each fidelity",
             .system = "single_chip",
             .max_time_ns = 10e6},
            config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("matmul_tile") {}
    Choice format = choice("format", "format of all matrices",
                           {.value = "bfp8_b", .choices = {"bfloat16", "bfp8_b"}});
    Number rows =
        number("rows", "tiles", "rows of the block in Dst", {.value = 4, .min = 1, .max = 8});
    Number columns =
        number("columns", "tiles", "columns of the block in Dst", {.value = 2, .min = 1, .max = 8});
  };
  Problem problem(unsigned phases, std::uint32_t k) const;
  /// Returns the cycles of one multiplication, and checks its results.
  double cycles_of(runtime::MeshDevice& mesh, const Problem& problem, std::uint64_t seed,
                   Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::matmul
