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

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("noc_exchange") {}
    Number rounds = number("rounds", "", "times that the tiles exchange",
                           {.value = 8, .min = 1, .max = 1000000});
    Number bytes =
        number("bytes", "bytes", "size of a block", {.value = 256, .min = 16, .max = 16384});
    Number distance_x =
        number("distance_x", "", "columns between the tiles", {.value = 3, .min = 0, .max = 7});
    Number distance_y =
        number("distance_y", "", "rows between the tiles", {.value = 2, .min = 0, .max = 9});
    Number noc = number("noc", "", "NoC of both tiles", {.value = 0, .min = 0, .max = 1});
  };
  Config config_;
};

}  // namespace tvp::workloads
