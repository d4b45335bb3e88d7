#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "firmware/kernels/sdpa/decode.h"
#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/programs/program.h"
#include "sw/workloads/sdpa/problem.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::sdpa {

/// The step before the reduction: each device attends to its part of the keys and values in DRAM.
/// The partial results lie where the reduction has its input.
class FlashDecode {
 public:
  using Buffer = std::shared_ptr<runtime::MeshBuffer>;

  /// `partials`: the input of the reduction, which also names the shard cores by worker.
  FlashDecode(runtime::MeshDevice& mesh, Shape shape, std::size_t sequence, Buffer partials,
              std::vector<runtime::CoreCoord> cores);

  /// Takes the queries, keys and values of a worker (attention_problem()).
  void take(std::size_t worker, const AttentionInputs& inputs);
  /// Writes everything to DRAM, runs the programs of all devices and waits for their end.
  void run();
  void report(Result& result);

 private:
  static constexpr std::uint32_t kTileBytes = 2048;  ///< 32 x 32 in BF16
  using Bytes = std::vector<std::uint8_t>;

  std::size_t key_tiles() const { return sequence_ / shape_.devices / 32; }
  Buffer tensor(std::size_t rows_of_tiles);
  void add_buffer(runtime::Program& program, unsigned id, runtime::DataFormat format,
                  std::size_t tiles) const;
  void add_ones(runtime::Program& program);
  runtime::Program program();

  runtime::MeshDevice& mesh_;
  Shape shape_;
  std::size_t sequence_;
  Buffer partials_;
  std::vector<runtime::CoreCoord> cores_;  ///< by worker
  Buffer queries_, keys_, values_, ones_, stamps_;
  Bytes query_bytes_;
  std::vector<Bytes> key_bytes_, value_bytes_;  ///< by device
};

}  // namespace tvp::workloads::sdpa
