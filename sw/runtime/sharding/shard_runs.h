#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sw/runtime/sharding/tensor_shape.h"

namespace tvp::runtime::sharding {

/// Places of the bytes of a shard, row by row, in its tensor: runs that are contiguous in both.
/// Cuts and compositions of shards use them.
class ShardRuns {
 public:
  /// Offset for padding, which the tensor does not contain.
  static constexpr std::uint64_t kPadding = ~0ULL;

  /// `box` of a tensor of shape `global` at the beginning of a shard of shape `local`.
  ShardRuns(const TensorShape& global, const TensorShape& local, const TensorBox& box,
            std::uint64_t datum_size);

  /// Goes through a shard from one run to the next at almost no cost.
  class Cursor;

 private:
  struct Level {
    std::uint64_t local = 1;   ///< entries in the shard
    std::uint64_t extent = 1;  ///< number of them in the tensor
    std::uint64_t stride = 0;  ///< bytes in the tensor
  };

  std::array<Level, kMaxRank> outer_{};  ///< outermost first
  std::size_t depth_ = 0;
  std::uint64_t run_bytes_ = 0;   ///< padding included
  std::uint64_t run_extent_ = 0;  ///< number of them in the tensor
  std::uint64_t first_ = 0;       ///< offset of the box in the tensor
};

class ShardRuns::Cursor {
 public:
  /// Starts at a byte of the shard.
  Cursor(const ShardRuns& runs, std::uint64_t at)
      : runs_(runs), within_(at % runs.run_bytes_), offset_(runs.first_) {
    std::uint64_t number = at / runs.run_bytes_;
    for (std::size_t d = runs.depth_; d-- > 0;) {
      const Level& level = runs.outer_[d];
      index_[d] = number % level.local;
      number /= level.local;
      offset_ += index_[d] * level.stride;
      outside_ += index_[d] >= level.extent ? 1 : 0;
    }
  }

  /// Calls visit(bytes already taken, offset in the tensor or kPadding, bytes) for the parts of the
  /// next `bytes` of the shard.
  template <typename Visit>
  void take(std::uint64_t bytes, Visit visit) {
    for (std::uint64_t taken = 0; taken < bytes;) {
      const bool inside = within_ < runs_.run_extent_ && outside_ == 0;
      const std::uint64_t left = (inside ? runs_.run_extent_ : runs_.run_bytes_) - within_;
      const std::uint64_t part = std::min(left, bytes - taken);
      visit(taken, inside ? offset_ + within_ : kPadding, part);
      taken += part;
      skip(part);
    }
  }

  void skip(std::uint64_t bytes) {
    for (within_ += bytes; within_ >= runs_.run_bytes_; within_ -= runs_.run_bytes_) next_run();
  }

 private:
  void next_run() {
    for (std::size_t d = runs_.depth_; d-- > 0;) {
      const Level& level = runs_.outer_[d];
      offset_ += level.stride;
      if (++index_[d] == level.extent) ++outside_;
      if (index_[d] < level.local) return;
      offset_ -= level.local * level.stride;
      index_[d] = 0;
      if (level.extent != 0) --outside_;
    }
  }

  const ShardRuns& runs_;
  std::array<std::uint64_t, kMaxRank> index_{};
  std::uint64_t within_;  ///< position within the run
  std::uint64_t offset_;  ///< offset of the run in the tensor
  unsigned outside_ = 0;  ///< number of dimensions in which it is padding
};

}  // namespace tvp::runtime::sharding
