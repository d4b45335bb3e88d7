#pragma once

#include <cstdint>

#include "sw/runtime/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Pages of an interleaved tensor in DRAM, read to L1 and written from there, by page size: one, or
/// a number of them before one barrier.
class DramLatency : public Workload {
 public:
  std::string name() const override { return "dram_latency"; }
  std::string summary() const override { return "cycles of pages of DRAM with their barrier"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 10e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram_latency") {}
    foundation::Setting<std::uint32_t> core_x{
        *this,
        {"core_x", "", "logical column of the core", "workload"},
        {.value = 0, .min = 0, .max = 7}};
    foundation::Setting<std::uint32_t> core_y{*this,
                                              {"core_y", "", "logical row of the core", "workload"},
                                              {.value = 0, .min = 0, .max = 9}};
    foundation::Setting<std::uint32_t> rounds{
        *this,
        {"rounds", "",
         "times that each size is measured; enough that some meet a refresh at its beginning",
         "workload"},
        {.value = 33, .min = 1, .max = 101}};
    foundation::Setting<std::uint32_t> transactions{
        *this,
        {"transactions", "", "pages before the barrier", "workload"},
        {.value = 1, .min = 1, .max = 4096}};
    foundation::Setting<std::uint32_t> banks{
        *this,
        {"banks", "", "banks that the pages come from in turn", "workload"},
        {.value = 1, .min = 1, .max = 12}};
  };
  void measure(Context& context, runtime::MeshDevice& mesh, bool write, Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
