#pragma once

#include <optional>
#include <vector>

#include "sw/runtime/sharding/tensor_shape.h"

namespace tvp::runtime::sharding {

/// Which part of a tensor each device of a mesh holds. All devices that hold any have a shard of
/// one shape, so that one address serves them all; where a part is smaller the rest is padding.
class MeshPartition {
 public:
  /// `boxes`: by number of the device, none for a device that holds nothing.
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
  /// One device for each part of the tensor, the first of those that hold it.
  std::vector<unsigned> first_holders() const;

 private:
  TensorShape global_;
  TensorShape local_;
  std::vector<std::optional<TensorBox>> boxes_;
};

}  // namespace tvp::runtime::sharding
