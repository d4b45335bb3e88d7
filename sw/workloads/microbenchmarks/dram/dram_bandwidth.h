#pragma once

#include <cstdint>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// DRAM reads at full speed: one channel by one core, then all channels, each by a core beside it.
class DramBandwidth : public ProfiledWorkload {
 public:
  DramBandwidth()
      : ProfiledWorkload({.name = "dram_bandwidth",
                          .summary = "DRAM read by one core a channel",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_bandwidth") {}
    Number blocks =
        number("blocks", "", "blocks that each core reads", {.value = 32, .min = 1, .max = 1024});
    Number pages_per_block = number("pages_per_block", "", "reads with one transaction id",
                                    {.value = 4, .min = 1, .max = 16});
    Number page_bytes =
        number("page_bytes", "bytes", "size of a read", {.value = 8192, .min = 32, .max = 8192});
  };

  std::uint32_t pages_per_bank() const { return config_.blocks * config_.pages_per_block; }
  /// Reads the first `banks` banks. Returns bytes a cycle and checks the arrived data.
  double read_banks(runtime::MeshDevice& mesh, const runtime::MeshBuffer& tensor,
                    const std::vector<std::uint8_t>& content, std::uint32_t banks,
                    Result& result) const;
  void compare(std::uint32_t dram_banks, runtime::MeshBuffer& ring,
               const std::vector<runtime::CoreCoord>& cores,
               const std::vector<std::uint8_t>& content, Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
