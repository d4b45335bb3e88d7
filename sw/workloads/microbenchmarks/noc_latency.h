#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// One transfer and the barrier that closes it: a write to another tile, a read from it, and a
/// write to the own tile, by size.
class NocLatency : public Workload {
 public:
  std::string name() const override { return "noc_latency"; }
  std::string summary() const override { return "cycles of one NoC transfer with its barrier"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("noc_latency") {}
    foundation::Setting<std::uint32_t> distance_x{
        *this,
        {"distance_x", "", "columns between the tiles", "workload"},
        {.value = 1, .min = 0, .max = 7}};
    foundation::Setting<std::uint32_t> distance_y{
        *this,
        {"distance_y", "", "rows between the tiles", "workload"},
        {.value = 1, .min = 0, .max = 9}};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
