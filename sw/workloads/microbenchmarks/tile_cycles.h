#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// What single instructions of a RISC-V core cost, and a tile that the packers take out of Dst.
class TileCycles : public Workload {
 public:
  std::string name() const override { return "tile_cycles"; }
  std::string summary() const override {
    return "cycles of a core's instructions and of packing a tile";
  }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("tile_cycles") {}
    foundation::Setting<std::uint32_t> tiles{
        *this,
        {"tiles", "tiles", "packed from one half of Dst in turn", "workload"},
        {.value = 4, .min = 1, .max = 8}};
    foundation::Choice format{*this,
                              {"format", "", "of packed tiles", "workload"},
                              {.value = "bfloat16", .choices = {"bfloat16", "bfp8_b"}}};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
