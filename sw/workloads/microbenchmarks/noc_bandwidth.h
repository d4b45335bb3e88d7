#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Transfers of one core back to back, closed by one barrier: writes to another tile and reads
/// from it, by size.
class NocBandwidth : public Workload {
 public:
  std::string name() const override { return "noc_bandwidth"; }
  std::string summary() const override { return "NoC transfers of one core back to back"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("noc_bandwidth") {}
    foundation::Setting<std::uint32_t> transactions{
        *this,
        {"transactions", "", "transfers of each size", "workload"},
        {.value = 256, .min = 1, .max = 65536}};
    foundation::Setting<std::uint32_t> distance_x{
        *this,
        {"distance_x", "", "columns between the tiles", "workload"},
        {.value = 1, .min = 0, .max = 7}};
    foundation::Setting<std::uint32_t> distance_y{
        *this,
        {"distance_y", "", "rows between the tiles", "workload"},
        {.value = 1, .min = 0, .max = 9}};
    foundation::Setting<bool> stateful{
        *this,
        {"stateful", "", "registers that all transfers of a size share are written once",
         "workload"},
        false};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
