#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Messages from one ethernet core to the other over the first link of a system, by size; each is
/// acknowledged by its sync words, and a ring of slots holds those that are not yet. One way, or
/// both at once.
class EthernetBandwidth : public Workload {
 public:
  std::string name() const override { return "ethernet_bandwidth"; }
  std::string summary() const override { return "messages one behind the other over a link"; }
  std::string default_system() const override { return "pair"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("ethernet_bandwidth") {}
    foundation::Setting<std::uint32_t> messages{
        *this,
        {"messages", "", "messages of each size", "workload"},
        {.value = 1024, .min = 16, .max = 65536}};
    foundation::Setting<std::uint32_t> slots{
        *this,
        {"slots", "", "of the ring, one more than messages under way", "workload"},
        {.value = 16, .min = 2, .max = 16}};
    foundation::Setting<bool> both_ways{
        *this,
        {"both_ways", "", "both cores send and acknowledge, up to 4096 bytes", "workload"},
        false};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
