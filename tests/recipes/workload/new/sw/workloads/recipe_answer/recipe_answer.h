#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads {

/// Bytes to DRAM of one chip and back.
class RecipeAnswer : public DeviceWorkload {
 public:
  RecipeAnswer()
      : DeviceWorkload({.name = "recipe_answer",
                        .summary = "bytes to DRAM of one chip and back",
                        .system = "single_chip",
                        .max_time_ns = 1e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("recipe_answer") {}
    Number bytes = number("bytes", "bytes", "how many", {.value = 2048, .min = 32, .max = 65536});
  };
  Config config_;
};

}  // namespace tvp::workloads
