#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "foundation/content_hash.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/matmul/golden_product.h"
#include "sw/workloads/prefetcher/epilogue.h"
#include "sw/workloads/prefetcher/placement.h"
#include "sw/workloads/prefetcher/prefetch_plan.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::prefetcher {

/// Weights of all layers in DRAM, the activation, and the expected products.
class Tensors {
 public:
  Tensors(runtime::MeshDevice& mesh, const PrefetchPlan& plan, const std::vector<Sender>& senders,
          std::uint32_t layers, std::uint32_t rows, std::uint64_t seed);

  /// Addresses in every bank, layer by layer.
  std::vector<std::uint32_t> addresses() const;
  /// A slice is one receiver's part of the columns, sender by sender.
  std::uint32_t slice_of(const RingCore& core) const {
    return core.sender * plan_.ring().receivers + core.place_in_row;
  }
  /// The shard of the core at a place of the ring, tile after tile, bfloat16.
  std::vector<std::uint8_t> activation_shard(std::uint32_t place) const;
  /// Biases of a slice's columns, layer by layer and part by part: tiles of bfloat16 whose row 0
  /// has them.
  std::vector<std::uint8_t> bias_tiles(std::uint32_t slice) const;
  /// A tensor of the size of a block for an element-wise chain: a column of tiles in the order of a
  /// block's, rounded to bfloat16.
  matmul::Matrix resident(std::uint32_t slice) const;
  std::vector<std::uint8_t> resident_tiles(std::uint32_t slice) const;
  /// The weights of a slice as the device has them.
  matmul::Matrix weights(std::uint32_t layer, std::uint32_t part, std::uint32_t slice) const;
  /// Compares results with expected values and the largest errors of a correct machine, and records
  /// the errors. `who` describes the core in the reason for a failure.
  void judge(std::uint32_t layer, std::uint32_t part, const std::string& who,
             std::span<const std::uint8_t> output, const matmul::Matrix& expected,
             const matmul::Matrix& bound, Result& result);
  /// Compares the results of the core at `place`, which has `slice`, for a part of a layer, and
  /// records the errors.
  void compare(std::uint32_t layer, std::uint32_t part, std::uint32_t place, std::uint32_t slice,
               std::span<const std::uint8_t> output, const matmul::Arithmetic& arithmetic,
               const Epilogue& epilogue, Result& result);
  /// Adds the largest error and the largest result so far, and a hash of all outputs, so that two
  /// configurations can be compared bit for bit.
  void conclude(Result& result) const;

 private:
  /// A core's data: all rows of its columns, tile by tile.
  using Slice = std::vector<std::uint8_t>;
  Slice random_slice(const Part& part, std::uint32_t slice, std::uint64_t seed) const;
  matmul::Matrix bias(std::uint32_t layer, std::uint32_t part, std::uint32_t slice) const;
  void store(const Part& part, const std::vector<Slice>& slices,
             const std::vector<Sender>& senders);

  runtime::MeshDevice& mesh_;
  const PrefetchPlan& plan_;
  std::uint32_t layers_;
  std::uint64_t seed_;
  matmul::Matrix activation_;
  std::vector<std::vector<Slice>> slices_;  ///< index: layer and part, then core
  std::vector<std::shared_ptr<runtime::MeshBuffer>> weights_;
  double largest_error_ = 0, largest_ = 0, largest_bound_ = 0;
  foundation::ContentHash outputs_;
};

}  // namespace tvp::workloads::prefetcher
