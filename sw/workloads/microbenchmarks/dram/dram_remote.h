#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/buffers/global_circular_buffer.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/device_workload.h"
#include "sw/workloads/microbenchmarks/measurement.h"
#include "sw/workloads/prefetcher/placement.h"

namespace tvp::workloads::microbenchmarks {

/// Layers of weights that a core beside one bank of DRAM reads and forwards through a global
/// circular buffer. The receivers free each block immediately. The workload measures the throughput
/// from DRAM through such a buffer (tt-metal's microbenchmark 10_dram_read_remote_cb_sync).
class DramRemote : public DeviceWorkload {
 public:
  DramRemote()
      : DeviceWorkload({.name = "dram_remote",
                        .summary = "one bank of DRAM through a global circular buffer",
                        .system = "single_chip",
                        .max_time_ns = 100e6},
                       config_) {}

 private:
  void check() const override;
  void run_on(runtime::MeshDevice& mesh, std::uint64_t seed, Result& result) override;

  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("dram_remote") {}
    Number rows = number("rows", "elements", "rows of a layer's weights",
                         {.value = 32768, .min = 32, .max = 65536});
    Number columns = number("columns", "elements", "columns of a layer's weights",
                            {.value = 128, .min = 32, .max = 4096});
    Number blocks = number("blocks", "",
                           "parts of the rows of the first layer and of every second one behind "
                           "it; the others have twice as many",
                           {.value = 64, .min = 1, .max = 1024});
    Number depth = number("depth", "", "blocks that the global circular buffer holds",
                          {.value = 5, .min = 1, .max = 64});
    Number padding =
        number("padding", "bytes", "unused bytes of the global circular buffer behind these blocks",
               {.value = 256, .min = 0, .max = 65536});
    Choice format = choice("format",
                           "format of the first layer and of every second one after it; the others "
                           "have the other format",
                           {.value = "bf16", .choices = {"bfp8", "bf16"}});
    Number receivers = number("receivers", "", "cores to the right of the sender",
                              {.value = 1, .min = 1, .max = 6});
    Number layers = number("layers", "", "one behind the other", {.value = 1, .min = 1, .max = 16});
    Choice kernels =
        choice("kernels", "own, or published: tt-metal's, compiled from $TT_METAL_HOME",
               {.value = "own", .choices = {"own", "published"}});
  };

  /// A layer's blocks.
  struct Layer {
    runtime::DataFormat format{};
    std::uint32_t tile_bytes = 0, blocks = 0, block_rows = 0, block_tiles = 0;
    std::uint32_t page_bytes = 0, pages = 0;      ///< reads of a block
    std::uint32_t packet_bytes = 0, packets = 0;  ///< writes of a row to one receiver
    std::uint32_t block_bytes() const { return block_tiles * tile_bytes; }
    std::uint64_t bytes() const { return std::uint64_t{block_bytes()} * blocks; }
  };
  Layer layer(std::uint32_t index) const;
  runtime::Program make_program(runtime::MeshDevice& mesh, const prefetcher::Sender& sender,
                                const runtime::GlobalCircularBuffer& buffer,
                                std::uint32_t tensor) const;
  /// Compares the blocks of the last layer that are still in the receivers.
  void compare(runtime::MeshDevice& mesh, const prefetcher::Sender& sender,
               const runtime::GlobalCircularBuffer& buffer, const Bytes& content,
               Result& result) const;
  std::vector<Layer> layers() const;
  std::uint32_t capacity() const;  ///< bytes of the global circular buffer

  Config config_;
};

}  // namespace tvp::workloads::microbenchmarks
