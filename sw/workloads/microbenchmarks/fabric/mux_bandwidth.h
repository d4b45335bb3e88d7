#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Packets of several clients through a mux of the fabric, into a core in place of a router.
class MuxBandwidth : public DeviceWorkload {
 public:
  MuxBandwidth()
      : DeviceWorkload({.name = "mux_bandwidth",
                        .summary = "packets of several clients through a mux of the fabric",
                        .system = "n150",
                        .max_time_ns = 10e6},
                       config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("mux_bandwidth", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> clients{
        *this,
        {"clients", "", "cores that send, each by a channel of its own", "workload"},
        {.value = 8, .min = 1, .max = 8}};
    foundation::Setting<std::uint32_t> slots{
        *this,
        {"slots", "", "of a channel", "tt-metal test_fabric_mux_bandwidth.py"},
        {.value = 8, .min = 1, .max = 16}};
    foundation::Setting<std::uint32_t> packets{
        *this,
        {"packets", "", "packets of each client, timed", "workload"},
        {.value = 128, .min = 8, .max = 1024}};
  };
  /// Bytes a cycle, with headers.
  double rate(runtime::MeshDevice& mesh, std::uint32_t bytes, Result& result) const;
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
