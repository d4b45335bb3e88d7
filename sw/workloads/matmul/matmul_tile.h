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

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("matmul_tile", SetBy::kRun) {}
    foundation::Choice format{*this,
                              {"format", "", "format of all matrices", "workload"},
                              {.value = "bfp8_b", .choices = {"bfloat16", "bfp8_b"}}};
    foundation::Setting<std::uint32_t> rows{
        *this,
        {"rows", "tiles", "rows of the block in Dst", "workload"},
        {.value = 4, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> columns{
        *this,
        {"columns", "tiles", "columns of the block in Dst", "workload"},
        {.value = 2, .min = 1, .max = 8}};
  };
  Problem problem(unsigned phases, std::uint32_t k) const;
  /// Returns the cycles of one multiplication, and checks its results.
  double cycles_of(runtime::MeshDevice& mesh, const Problem& problem, std::uint64_t seed,
                   Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::matmul
