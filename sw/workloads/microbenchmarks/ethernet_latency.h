#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Round trips between two ethernet cores over the first link of a system, by size; each message is
/// answered by one of the same size; then pings, answered by 16 bytes.
class EthernetLatency : public Workload {
 public:
  std::string name() const override { return "ethernet_latency"; }
  std::string summary() const override { return "round trips over an ethernet link"; }
  std::string default_system() const override { return "pair"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("ethernet_latency") {}
    foundation::Setting<std::uint32_t> rounds{
        *this,
        {"rounds", "", "round trips of each size", "workload"},
        {.value = 4, .min = 1, .max = 10}};
    foundation::Setting<std::uint32_t> ping_bytes{
        *this,
        {"ping_bytes", "bytes", "payload of a ping, a power of two", "workload"},
        {.value = 16, .min = 16, .max = 8192}};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
