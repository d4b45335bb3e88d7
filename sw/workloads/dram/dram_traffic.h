#pragma once

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// Streams, patterns and traces of requests to a memory (systems of kind dram).
class DramTraffic : public Workload {
 public:
  DramTraffic()
      : Workload(
            {.name = "dram",
             .summary = "a stream, pattern or trace of requests against DRAM alone (keys dram.*, "
                        "dram_traffic.*)",
             .system = "ddr4_2400",
             .max_time_ns = 1e9},
            config_) {}
  Result run(Context& context) override;

 private:
  /// The keys belong to the models.
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram", SetBy::kRun) {}
  };
  Config config_;
};

}  // namespace tvp::workloads
