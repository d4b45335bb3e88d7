#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// Synthetic traffic on a mesh network; the machine makes it and checks every packet.
class MeshTraffic : public Workload {
 public:
  std::string name() const override { return "mesh"; }
  std::string summary() const override {
    return "latency and throughput of a mesh network under synthetic traffic";
  }
  std::string default_system() const override { return "mesh_8x8"; }
  double default_max_time_ns() const override { return 1e9; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  /// All knobs belong to the machine.
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("mesh_workload") {}
  };
  Config config_;
};

}  // namespace tvp::workloads
