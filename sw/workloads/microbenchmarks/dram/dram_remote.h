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

  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("dram_remote", SetBy::kRun) {}
    foundation::Setting<std::uint32_t> rows{
        *this,
        {"rows", "elements", "rows of a layer's weights", "workload"},
        {.value = 32768, .min = 32, .max = 65536}};
    foundation::Setting<std::uint32_t> columns{
        *this,
        {"columns", "elements", "columns of a layer's weights", "workload"},
        {.value = 128, .min = 32, .max = 4096}};
    foundation::Setting<std::uint32_t> blocks{
        *this,
        {"blocks", "",
         "parts of the rows of the first layer and of every second one behind it; the others have "
         "twice as many",
         "workload"},
        {.value = 64, .min = 1, .max = 1024}};
    foundation::Setting<std::uint32_t> depth{
        *this,
        {"depth", "", "blocks that the global circular buffer holds", "workload"},
        {.value = 5, .min = 1, .max = 64}};
    foundation::Setting<std::uint32_t> padding{
        *this,
        {"padding", "bytes", "unused bytes of the global circular buffer behind these blocks",
         "workload"},
        {.value = 256, .min = 0, .max = 65536}};
    foundation::Choice format{
        *this,
        {"format", "",
         "format of the first layer and of every second one after it; the others "
         "have the other format",
         "workload"},
        {.value = "bf16", .choices = {"bfp8", "bf16"}}};
    foundation::Setting<std::uint32_t> receivers{
        *this,
        {"receivers", "", "cores to the right of the sender", "workload"},
        {.value = 1, .min = 1, .max = 6}};
    foundation::Setting<std::uint32_t> layers{*this,
                                              {"layers", "", "one behind the other", "workload"},
                                              {.value = 1, .min = 1, .max = 16}};
    foundation::Choice kernels{
        *this,
        {"kernels", "", "own, or published: tt-metal's, compiled from $TT_METAL_HOME", "workload"},
        {.value = "own", .choices = {"own", "published"}}};
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
