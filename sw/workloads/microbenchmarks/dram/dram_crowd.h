#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"

namespace tvp::workloads::microbenchmarks {

/// Cores that all move a stretch of L1 to or from one DRAM channel at the same time, or each to or
/// from one of all channels. They are selected at random or row by row (ISA DRAMTile/README.md,
/// Performance).
class DramCrowd : public ProfiledWorkload {
 public:
  DramCrowd()
      : ProfiledWorkload({.name = "dram_crowd",
                          .summary = "DRAM channels written or read by many cores",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_crowd") {}
    Number cores = number("cores", "", "cores that move data", {.value = 48, .min = 1, .max = 80});
    Choice placement = choice("placement", "random: by the seed; rows: the first cores, row by row",
                              {.value = "random", .choices = {"random", "rows"}});
    Number channels = number("channels", "", "DRAM channels, which the cores take in turn",
                             {.value = 1, .min = 1, .max = 12});
    Number noc =
        number("noc", "", "the NoC that requests travel on", {.value = 0, .min = 0, .max = 1});
    Choice direction = choice("direction", "write: from L1 to DRAM, read: from DRAM to L1",
                              {.value = "write", .choices = {"write", "read"}});
    foundation::Choice channel_choice{*this,
                                      {"vc", "", "virtual channels of the requests", "workload"},
                                      {.value = "dynamic", .choices = {"dynamic", "static"}}};
    Number bytes = number("bytes", "bytes", "that each core moves, whole packets",
                          {.value = 131072, .min = 8192, .max = 1048576});
    Number packet =
        number("packet", "bytes", "size of a packet", {.value = 8192, .min = 64, .max = 8192});
    Number in_flight = number("in_flight", "packets", "packets of a core in flight; 0: no limit",
                              {.value = 0, .min = 0, .max = 128});
  };

  /// Position of page `row` of a bank in a buffer that is interleaved over `banks`.
  std::size_t page_at(std::uint32_t banks, std::uint32_t bank, std::uint32_t row) const {
    return (std::size_t{row} * banks + bank) * config_.packet;
  }
  bool writes() const { return config_.direction.value() == "write"; }
  std::vector<runtime::CoreCoord> choose_cores(runtime::MeshDevice& mesh, std::uint64_t seed) const;
  std::uint32_t bank_of(std::size_t i) const;
  std::uint32_t row_of(std::size_t i) const;
  /// The data of all cores in the order of DRAM.
  std::vector<std::uint8_t> content_of_dram(std::uint32_t dram_banks, std::size_t cores,
                                            std::uint64_t seed, std::size_t bytes) const;
  runtime::Program make_program(const std::vector<runtime::CoreCoord>& cores,
                                const runtime::MeshBuffer& local,
                                const runtime::MeshBuffer& tensor) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
