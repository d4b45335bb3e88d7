#pragma once

#include <optional>
#include <vector>

#include "sw/runtime/sharding/tensor_shape.h"

namespace tvp::runtime::sharding {

/// The part of a tensor that each device of a mesh holds. All devices with a part have a shard of
/// one shape, so that one address serves all. The rest of a smaller part is padding.
class MeshPartition {
 public:
  /// `boxes` has an entry for each device, empty for a device that holds no part.
  MeshPartition(TensorShape global, TensorShape local, std::vector<std::optional<TensorBox>> boxes)
      : global_(std::move(global)), local_(std::move(local)), boxes_(std::move(boxes)) {}

  const TensorShape& global_shape() const { return global_; }
  /// Shape of a shard, padding included.
  const TensorShape& local_shape() const { return local_; }
  const std::vector<std::optional<TensorBox>>& boxes() const { return boxes_; }
  /// Throws ShardingError (kNoShard).
  const TensorBox& box(unsigned device) const;
  /// True if some device has less than a whole shard.
  bool padded() const;
  /// The first device of those that hold each part of the tensor.
  std::vector<unsigned> first_holders() const;

 private:
  TensorShape global_;
  TensorShape local_;
  std::vector<std::optional<TensorBox>> boxes_;
};

}  // namespace tvp::runtime::sharding
