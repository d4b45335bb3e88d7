#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads {

/// Two Tensix tiles exchange a block round by round, through NoC writes and semaphores.
class NocExchange : public DeviceWorkload {
 public:
  NocExchange()
      : DeviceWorkload({.name = "noc_exchange",
                        .summary = "two tiles exchange blocks over the NoC",
                        .system = "single_chip",
                        .max_time_ns = 10e6},
                       config_) {}
  double default_max_time_ns() const override {
    return DeviceWorkload::default_max_time_ns() + 1.0 * config_.rounds * (5000 + config_.bytes);
  }

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("noc_exchange", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> rounds{
        *this,
        {"rounds", "", "times that the tiles exchange", "workload"},
        {.value = 8, .min = 1, .max = 1000000}};
    foundation::Setting<std::uint32_t> bytes{*this,
                                             {"bytes", "bytes", "size of a block", "workload"},
                                             {.value = 256, .min = 16, .max = 16384}};
    foundation::Setting<std::uint32_t> distance_x{
        *this,
        {"distance_x", "", "columns between the tiles", "workload"},
        {.value = 3, .min = 0, .max = 7}};
    foundation::Setting<std::uint32_t> distance_y{
        *this,
        {"distance_y", "", "rows between the tiles", "workload"},
        {.value = 2, .min = 0, .max = 9}};
    foundation::Setting<std::uint32_t> noc{
        *this, {"noc", "", "NoC of both tiles", "workload"}, {.value = 0, .min = 0, .max = 1}};
  };
  Config config_;
};

}  // namespace tvp::workloads
