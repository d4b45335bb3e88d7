#pragma once

#include <cstdint>

#include "sw/runtime/sharding/shard_order.h"
#include "sw/runtime/sharding/shard_runs.h"

namespace tvp::runtime::sharding {

/// Runs of a tensor in a device's memory, in the device's order.
class ShardContent {
 public:
  ShardContent(const ShardOrder& order, const ShardRuns& runs) : order_(order), runs_(runs) {}

  /// Calls visit(offset on the device, offset in the tensor or ShardRuns::kPadding, bytes) for the
  /// parts of [begin, end) on the device, in its order.
  template <typename Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    order_.for_each(
        begin, end,
        [&](std::uint64_t at, std::uint64_t row_by_row, std::uint64_t bytes, std::uint64_t rows) {
          ShardRuns::Cursor cursor(runs_, row_by_row);
          for (std::uint64_t row = 0; row < rows; ++row, at += bytes) {
            if (row != 0) cursor.skip(order_.stride() - bytes);
            cursor.take(bytes, [&](std::uint64_t taken, std::uint64_t in_tensor,
                                   std::uint64_t part) { visit(at + taken, in_tensor, part); });
          }
        });
  }

 private:
  ShardOrder order_;
  ShardRuns runs_;
};

}  // namespace tvp::runtime::sharding
