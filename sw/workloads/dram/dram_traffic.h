#pragma once

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// Streams, patterns and traces of requests against a memory of its own (systems of kind dram).
class DramTraffic : public Workload {
 public:
  std::string name() const override { return "dram"; }
  std::string summary() const override {
    return "a stream, pattern or trace of requests against DRAM alone (keys dram.*, "
           "dram_traffic.*)";
  }
  std::string default_system() const override { return "ddr4_2400"; }
  double default_max_time_ns() const override { return 1e9; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  /// What there is to set belongs to the models.
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram") {}
  };
  Config config_;
};

}  // namespace tvp::workloads
