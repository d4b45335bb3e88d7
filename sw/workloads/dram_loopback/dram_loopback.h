#pragma once

#include <cstdint>

#include "sw/workloads/device_workload.h"

namespace tvp::workloads {

/// Pages from DRAM through the circular buffer of one Tensix core and back to DRAM: the shortest
/// path through host runtime, firmware, NoC and DRAM.
class DramLoopback : public DeviceWorkload {
 public:
  DramLoopback()
      : DeviceWorkload({.name = "dram_loopback",
                        .summary = "copy pages from DRAM to DRAM through the L1 of one core",
                        .system = "single_chip",
                        .max_time_ns = 10e6},
                       config_) {}
  double default_max_time_ns() const override {
    return DeviceWorkload::default_max_time_ns() +
           1.0 * config_.pages * (5000 + config_.page_bytes);
  }

 private:
  void adjust(runtime::MeshDevice::Options& options) const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram_loopback", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> pages{
        *this, {"pages", "", "pages to copy", "workload"}, {.value = 64, .min = 1, .max = 65536}};
    foundation::Setting<std::uint32_t> page_bytes{
        *this,
        {"page_bytes", "bytes", "size of a page", "workload"},
        {.value = 2048, .min = 32, .max = 65536}};
    foundation::Setting<std::uint32_t> buffered_pages{
        *this,
        {"buffered_pages", "", "pages of the circular buffer", "workload"},
        {.value = 4, .min = 1, .max = 64}};
    foundation::Setting<std::uint32_t> core_x{
        *this,
        {"core_x", "", "logical column of the core", "workload"},
        {.value = 0, .min = 0, .max = 7}};
    foundation::Setting<std::uint32_t> core_y{*this,
                                              {"core_y", "", "logical row of the core", "workload"},
                                              {.value = 0, .min = 0, .max = 9}};
    foundation::Setting<bool> dprint{
        *this, {"dprint", "", "let the kernels print", "workload"}, false};
  };
  Config config_;
};

}  // namespace tvp::workloads
