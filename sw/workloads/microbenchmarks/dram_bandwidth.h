#pragma once

#include <cstdint>

#include "sw/runtime/mesh_device.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::microbenchmarks {

/// DRAM read as fast as it goes: one channel by one core, then all channels, each by a core of its
/// own that is placed beside it.
class DramBandwidth : public Workload {
 public:
  std::string name() const override { return "dram_bandwidth"; }
  std::string summary() const override { return "DRAM read by one core a channel"; }
  std::string default_system() const override { return "single_chip"; }
  double default_max_time_ns() const override { return 100e6; }
  foundation::SettingGroup& settings() override { return config_; }
  Result run(Context& context) override;

 private:
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram_bandwidth") {}
    foundation::Setting<std::uint32_t> blocks{
        *this,
        {"blocks", "", "blocks that each core reads", "workload"},
        {.value = 32, .min = 1, .max = 1024}};
    foundation::Setting<std::uint32_t> pages_per_block{
        *this,
        {"pages_per_block", "", "reads with one transaction id", "workload"},
        {.value = 4, .min = 1, .max = 16}};
    foundation::Setting<std::uint32_t> page_bytes{
        *this,
        {"page_bytes", "bytes", "size of a read", "workload"},
        {.value = 8192, .min = 32, .max = 8192}};
  };

  std::uint32_t pages_per_bank() const { return config_.blocks * config_.pages_per_block; }
  /// The first `banks` banks; returns bytes a cycle and checks what arrived.
  double read_banks(runtime::MeshDevice& mesh, const runtime::MeshBuffer& tensor,
                    const std::vector<std::uint8_t>& content, std::uint32_t banks,
                    Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
