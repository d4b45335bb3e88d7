#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// Synthetic traffic on a mesh network. The machine generates it and checks every packet.
class MeshTraffic : public Workload {
 public:
  MeshTraffic()
      : Workload({.name = "mesh",
                  .summary = "latency and throughput of a mesh network under synthetic traffic",
                  .system = "mesh_8x8",
                  .max_time_ns = 1e9},
                 config_) {}
  Result run(Context& context) override;

 private:
  /// All settings belong to the machine.
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("mesh_workload", SetBy::kRun) {}
  };
  Config config_;
};

}  // namespace tvp::workloads
