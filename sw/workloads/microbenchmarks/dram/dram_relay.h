#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/microbenchmarks/profiled_workload.h"
#include "sw/workloads/prefetcher/placement.h"

namespace tvp::workloads::microbenchmarks {

/// A weight tensor that leaves DRAM as for a matrix multiplication. A core beside each bank reads
/// the bank's columns block by block and forwards half of every row to each of the two cores to its
/// right (tt-metal's microbenchmark 9_dram_adjacent_read_remote_l1_write).
class DramRelay : public ProfiledWorkload {
 public:
  DramRelay()
      : ProfiledWorkload({.name = "dram_relay",
                          .summary = "DRAM read by a core a bank, handed on to two neighbours",
                          .system = "single_chip",
                          .max_time_ns = 100e6},
                         config_) {}

 private:
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_relay") {}
    Number rows =
        number("rows", "elements", "rows of the weights", {.value = 2048, .min = 32, .max = 65536});
    Number columns =
        number("columns", "elements", "columns of the weights, divided among all banks",
               {.value = 3840, .min = 64, .max = 65536});
    Number blocks = number("blocks", "", "parts of the rows, one read ahead of the other",
                           {.value = 16, .min = 1, .max = 2048});
    Choice format = choice("format", "format of the weights' tiles",
                           {.value = "bfp4", .choices = {"bfp4", "bfp8", "bf16"}});
  };

  /// The tensor on the banks: all sizes of one bank's part.
  struct Shape {
    std::uint32_t banks = 0;
    std::uint32_t block_rows = 0;  ///< tiles
    std::uint32_t half_row_bytes = 0;
    std::uint32_t page_bytes = 0;  ///< size of one read, and of one write

    std::uint32_t block_bytes() const { return 2 * half_row_bytes * block_rows; }
    std::uint32_t half_block_bytes() const { return half_row_bytes * block_rows; }
    std::uint32_t pages_of_half_row() const { return half_row_bytes / page_bytes; }
    std::uint32_t pages() const { return block_bytes() / page_bytes; }
  };
  Shape shape_on(std::uint32_t banks) const;
  std::uint32_t tile_bytes() const;
  runtime::Program make_program(runtime::MeshDevice& mesh, const Shape& shape,
                                const std::vector<prefetcher::Sender>& senders,
                                std::uint32_t tensor, std::uint32_t target) const;
  void compare(const Shape& shape, const std::vector<prefetcher::Sender>& senders,
               runtime::MeshBuffer& received, const std::vector<std::uint8_t>& content,
               Result& result) const;

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
