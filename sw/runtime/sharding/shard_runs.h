#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sw/runtime/sharding/tensor_shape.h"

namespace tvp::runtime::sharding {

/// Where the bytes of a shard, row by row, are in the tensor that it is a part of: runs that lie
/// together in both. Each shard is cut out, and composed back, by these.
class ShardRuns {
 public:
  /// The offset of padding, which is not in the tensor.
  static constexpr std::uint64_t kPadding = ~0ULL;

  /// `box` of a tensor of shape `global` in a shard of shape `local`, at its beginning; bytes of
  /// a datum.
  ShardRuns(const TensorShape& global, const TensorShape& local, const TensorBox& box,
            std::uint64_t datum_size);

  /// Bytes of the shard, padding included.
  std::uint64_t bytes() const { return bytes_; }

  /// Calls visit(offset in the shard, offset in the tensor or kPadding, bytes) for the runs that
  /// make up [begin, end) of the shard, in their order.
  template <typename Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const;

 private:
  struct Level {
    std::uint64_t local = 1;   ///< entries in the shard
    std::uint64_t extent = 1;  ///< of them in the tensor
    std::uint64_t stride = 0;  ///< bytes in the tensor
  };

  /// Which row [innermost run] of the shard, and where that is in the tensor.
  class Row;

  std::array<Level, kMaxRank> outer_{};  ///< outermost first
  std::size_t depth_ = 0;
  std::uint64_t row_bytes_ = 0;   ///< of a run, padding included
  std::uint64_t row_extent_ = 0;  ///< of them in the tensor
  std::uint64_t first_ = 0;       ///< offset of the box in the tensor
  std::uint64_t bytes_ = 0;
};

class ShardRuns::Row {
 public:
  Row(const ShardRuns& runs, std::uint64_t number) : runs_(runs), offset_(runs.first_) {
    for (std::size_t d = runs.depth_; d-- > 0;) {
      const Level& level = runs.outer_[d];
      index_[d] = number % level.local;
      number /= level.local;
      offset_ += index_[d] * level.stride;
      outside_ += index_[d] >= level.extent ? 1 : 0;
    }
  }
  void next() {
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
  bool padding() const { return outside_ != 0; }
  std::uint64_t offset() const { return offset_; }

 private:
  const ShardRuns& runs_;
  std::array<std::uint64_t, kMaxRank> index_{};
  std::uint64_t offset_;
  unsigned outside_ = 0;  ///< dimensions in which it is padding
};

template <typename Visit>
void ShardRuns::for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
  std::uint64_t within = begin % row_bytes_;
  for (Row row(*this, begin / row_bytes_); begin < end; row.next()) {
    const std::uint64_t stop = begin - within + std::min(row_bytes_, within + (end - begin));
    if (within < row_extent_ && !row.padding()) {
      const std::uint64_t part = std::min(row_extent_ - within, stop - begin);
      visit(begin, row.offset() + within, part);
      begin += part;
    }
    if (begin < stop) visit(begin, kPadding, stop - begin);
    begin = stop;
    within = 0;
  }
}

}  // namespace tvp::runtime::sharding
