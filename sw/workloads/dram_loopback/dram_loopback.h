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
  void adjust(const runtime::DeviceLibrary&, runtime::MeshDevice::Options& options) const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_loopback") {}
    Number pages = number("pages", "", "pages to copy", {.value = 64, .min = 1, .max = 65536});
    Number page_bytes =
        number("page_bytes", "bytes", "size of a page", {.value = 2048, .min = 32, .max = 65536});
    Number buffered_pages = number("buffered_pages", "", "pages of the circular buffer",
                                   {.value = 4, .min = 1, .max = 64});
    Number core_x =
        number("core_x", "", "logical column of the core", {.value = 0, .min = 0, .max = 7});
    Number core_y =
        number("core_y", "", "logical row of the core", {.value = 0, .min = 0, .max = 9});
    Flag dprint = flag("dprint", "let the kernels print", false);
  };
  Config config_;
};

}  // namespace tvp::workloads
