#include "sw/runtime/sharding/sharded_buffer_config.h"

#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

std::string text_of(const Extent2D& extent) {
  return "(x = " + std::to_string(extent.first) + ", y = " + std::to_string(extent.second) + ")";
}

/// Counts shards along x and y.
Extent2D shards_of(const ShardedBufferConfig& config) {
  const Extent2D shard = config.physical_shard_shape();
  return {config.global_buffer_shape.first / shard.first,
          config.global_buffer_shape.second / shard.second};
}

bool replicates(const ShardedBufferConfig& config) {
  return config.shard_shape.first == 0 || config.shard_shape.second == 0;
}

void check_shards_fit(const ShardedBufferConfig& config) {
  const MeshShape mesh = config.mesh_device->shape();
  const bool row_major = config.mesh_shard_orientation == ShardOrientation::ROW_MAJOR;
  const Extent2D shards = shards_of(config);
  const std::size_t places =
      !replicates(config) ? mesh.mesh_size() : (row_major ? mesh.columns : mesh.rows);
  if (shards.first * shards.second <= places) return;
  refuse(Refusal::kTooManyShards,
         std::to_string(shards.first * shards.second) + " shards of " +
             text_of(config.shard_shape) + " of a tensor of " +
             text_of(config.global_buffer_shape) + " on a mesh of " + std::to_string(mesh.rows) +
             " rows and " + std::to_string(mesh.columns) + " columns",
         "at most " + std::to_string(places) +
             (replicates(config) ? (row_major ? ", the columns, as they are repeated in each row"
                                              : ", the rows, as they are repeated in each column")
                                 : ", the devices"));
}

}  // namespace

void ShardedBufferConfig::check() const {
  if (mesh_device == nullptr)
    refuse(Refusal::kNoMesh, "a ShardedBufferConfig without mesh_device", "a mesh");
  const TensorShape shape{global_buffer_shape.second, global_buffer_shape.first};
  check_tensor(shape, 1);
  if (global_buffer_size == 0 || global_buffer_size % volume(shape) != 0)
    refuse(Refusal::kGlobalSize,
           "global_buffer_size " + std::to_string(global_buffer_size) + " of " +
               std::to_string(volume(shape)) + " datums in global_buffer_shape " +
               text_of(global_buffer_shape),
           "a multiple, bytes of a datum times their number");
  check_tensor(shape, global_buffer_size / volume(shape));
  const Extent2D shard = physical_shard_shape();
  if (global_buffer_shape.first % shard.first != 0 ||
      global_buffer_shape.second % shard.second != 0)
    refuse(Refusal::kShardShape,
           "shard_shape " + text_of(shard_shape) + " of global_buffer_shape " +
               text_of(global_buffer_shape),
           "one that divides it, with 0 for what is not cut");
  check_shards_fit(*this);
}

std::uint64_t ShardedBufferConfig::datum_size() const {
  return global_buffer_size / (global_buffer_shape.first * global_buffer_shape.second);
}

Extent2D ShardedBufferConfig::physical_shard_shape() const {
  return {shard_shape.first == 0 ? global_buffer_shape.first : shard_shape.first,
          shard_shape.second == 0 ? global_buffer_shape.second : shard_shape.second};
}

DeviceAddr ShardedBufferConfig::device_local_size() const {
  const Extent2D shard = physical_shard_shape();
  return shard.first * shard.second * datum_size();
}

MeshPartition ShardedBufferConfig::partition() const {
  check();
  const MeshShape mesh = mesh_device->shape();
  const bool row_major = mesh_shard_orientation == ShardOrientation::ROW_MAJOR;
  const Extent2D shard = physical_shard_shape();
  const Extent2D shards = shards_of(*this);
  std::vector<std::optional<TensorBox>> boxes(mesh.mesh_size());
  for (std::uint32_t row = 0; row < mesh.rows; ++row) {
    for (std::uint32_t column = 0; column < mesh.columns; ++column) {
      std::size_t number = row_major ? row * mesh.columns + column : column * mesh.rows + row;
      if (replicates(*this)) number = row_major ? column : row;
      if (shard_shape.first == 0 && shard_shape.second == 0) number = 0;
      if (number >= shards.first * shards.second) continue;
      boxes[row * mesh.columns + column] =
          TensorBox{{number / shards.first * shard.second, number % shards.first * shard.first},
                    {shard.second, shard.first}};
    }
  }
  return {{global_buffer_shape.second, global_buffer_shape.first},
          {shard.second, shard.first},
          std::move(boxes)};
}

}  // namespace tvp::runtime::sharding
