#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// One page of an interleaved tensor in DRAM, read to L1 and written from there, by page size.
class DramLatency : public Workload {
 public:
  std::string name() const override { return "dram_latency"; }
  std::string summary() const override { return "cycles of one page of DRAM with its barrier"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 10e6; }
  support::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : support::SettingGroup {
    Config() : SettingGroup("dram_latency") {}
    support::Setting<std::uint32_t> core_x{
        *this, {"core_x", "", "logical column of the core", "workload"}, 0, 0, 7};
    support::Setting<std::uint32_t> core_y{
        *this, {"core_y", "", "logical row of the core", "workload"}, 0, 0, 9};
    support::Setting<std::uint32_t> rounds{
        *this,
        {"rounds", "", "times that each size is measured; a few of them meet a refresh",
         "workload"},
        17,
        1,
        101};
  };
  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
