#pragma once

#include "sw/workloads/workload.h"

namespace tvp::workloads::matmul {

/// What multiplying one more pair of tiles costs when everything else is under way: a block of
/// tiles in Dst, operands in L1, the difference of two lengths of the inner dimension.
class MatmulTile : public Workload {
 public:
  std::string name() const override { return "matmul_tile"; }
  std::string summary() const override {
    return "cycles of a tile in the middle of a matrix multiplication, at each fidelity";
  }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("matmul_tile") {}
    foundation::Choice format{*this,
                              {"format", "", "of all matrices", "workload"},
                              {.value = "bfp8_b", .choices = {"bfloat16", "bfp8_b"}}};
    foundation::Setting<std::uint32_t> rows{*this,
                                            {"rows", "tiles", "of the block in Dst", "workload"},
                                            {.value = 4, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> columns{
        *this,
        {"columns", "tiles", "of the block in Dst", "workload"},
        {.value = 2, .min = 1, .max = 8}};
  };
  Config config_;
};

}  // namespace tvp::workloads::matmul
