#pragma once

#include <cstdint>
#include <vector>

#include "sw/runtime/buffers/buffer_config.h"

namespace tvp::runtime {

/// A two-dimensional tensor cut into equal shards, one for each core, and the places of its pages.
class ShardLayout {
 public:
  struct Place {
    std::uint32_t shard = 0;
    std::uint32_t page = 0;  ///< within the shard
  };

  /// One shard of one page on each core.
  explicit ShardLayout(std::vector<CoreCoord> cores);
  /// Throws Fault(kDescription) if pages do not divide a shard or shards the tensor, and if the
  /// shards do not fit the cores or the kind of layout.
  ShardLayout(TensorMemoryLayout layout, const ShardSpecBuffer& spec);

  /// Cores with a shard, in the order of the shards.
  const std::vector<CoreCoord>& cores() const { return cores_; }
  const Extent& tensor_in_pages() const { return tensor_; }
  const Extent& shard_in_pages() const { return shard_; }
  std::uint32_t pages_per_shard() const { return shard_[0] * shard_[1]; }
  std::uint64_t pages() const { return std::uint64_t{tensor_[0]} * tensor_[1]; }
  /// Place of a page by its number in the tensor, row by row.
  Place place_of(std::uint64_t page) const;

 private:
  Extent shards() const { return {tensor_[0] / shard_[0], tensor_[1] / shard_[1]}; }

  std::vector<CoreCoord> cores_;
  Extent tensor_;
  Extent shard_;
};

}  // namespace tvp::runtime
