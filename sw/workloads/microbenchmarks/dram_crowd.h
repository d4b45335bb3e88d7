#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// Randomly chosen cores that all move a stretch of L1 to one DRAM channel, or from it, at once; or
/// each to one of all twelve channels (ISA DRAMTile/README.md, Performance).
class DramCrowd : public Workload {
 public:
  std::string name() const override { return "dram_crowd"; }
  std::string summary() const override { return "DRAM channels written or read by many cores"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram_crowd") {}
    foundation::Setting<std::uint32_t> cores{*this,
                                             {"cores", "", "cores, placed at random", "workload"},
                                             {.value = 48, .min = 1, .max = 80}};
    foundation::Setting<std::uint32_t> channels{
        *this,
        {"channels", "", "DRAM channels, which the cores take in turn", "workload"},
        {.value = 1, .min = 1, .max = 12}};
    foundation::Setting<std::uint32_t> noc{
        *this,
        {"noc", "", "the NoC that requests travel on", "workload"},
        {.value = 0, .min = 0, .max = 1}};
    foundation::Choice direction{
        *this,
        {"direction", "", "write: from L1 to DRAM, read: from DRAM to L1", "workload"},
        {.value = "write", .choices = {"write", "read"}}};
    foundation::Choice channel_choice{*this,
                                      {"vc", "", "virtual channels of the requests", "workload"},
                                      {.value = "dynamic", .choices = {"dynamic", "static"}}};
    foundation::Setting<std::uint32_t> bytes{
        *this,
        {"bytes", "bytes", "that each core moves, whole packets of 8 KiB", "workload"},
        {.value = 131072, .min = 8192, .max = 1048576}};
  };

  bool writes() const { return config_.direction.value() == "write"; }
  std::vector<runtime::CoreCoord> choose_cores(runtime::MeshDevice& mesh, std::uint64_t seed) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
