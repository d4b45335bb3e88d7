#include "sw/runtime/sharding/lowering.h"

#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

void refuse_uneven(const TensorShape& shape, const std::vector<std::uint32_t>& cuts) {
  for (std::size_t d = 0; d < shape.size(); ++d)
    if (shape[d] % cuts[d] != 0)
      refuse(Refusal::kUnevenShards,
             "dimension " + std::to_string(d) + " of a tensor of shape " + text_of(shape) +
                 " is cut among " + std::to_string(cuts[d]) + " devices",
             "a multiple of " + std::to_string(cuts[d]) + " in a ShardedBufferConfig");
}

/// A device's rows of [b, z, y] are consecutive if it has at most one entry of each dimension
/// outside of the last cut dimension.
void refuse_strided_rows(const MeshPartition& partition) {
  const TensorShape& local = partition.local_shape();
  std::size_t cut = local.size() - 1;
  while (cut > 0 && local[cut - 1] == partition.global_shape()[cut - 1]) --cut;
  for (std::size_t outside = 0; outside + 1 < cut; ++outside)
    if (local[outside] != 1)
      refuse(Refusal::kStridedRows,
             "dimension " + std::to_string(cut - 1) + " of a tensor of shape " +
                 text_of(partition.global_shape()) + " is cut, and a device has " +
                 std::to_string(local[outside]) + " entries of dimension " +
                 std::to_string(outside) + " outside of it",
             "1, so that its rows follow each other in the flattened tensor of a "
             "ShardedBufferConfig");
}

/// Rows of a box in a tensor that is flattened along y.
TensorBox flattened(const TensorShape& shape, const TensorBox& box) {
  TensorBox flat{{0, box.begin.back()}, {1, box.extent.back()}};
  for (std::size_t d = 0; d + 1 < shape.size(); ++d) {
    flat.begin[0] = flat.begin[0] * shape[d] + box.begin[d];
    flat.extent[0] *= box.extent[d];
  }
  return flat;
}

bool says_the_same(const ShardedBufferConfig& config, const MeshPartition& wanted) {
  const MeshPartition partition = config.partition();
  for (std::size_t device = 0; device < partition.boxes().size(); ++device) {
    const auto& box = wanted.boxes()[device];
    const auto flat = box ? std::optional(flattened(wanted.global_shape(), *box)) : std::nullopt;
    if (partition.boxes()[device] != flat) return false;
  }
  return true;
}

/// Returns a config whose devices have the wanted shards, or nothing.
std::optional<ShardedBufferConfig> placed(ShardedBufferConfig config, const MeshPartition& wanted) {
  const Extent2D shard = config.shard_shape;
  const bool whole_x = shard.first == config.global_buffer_shape.first;
  const bool whole_y = shard.second == config.global_buffer_shape.second;
  // Repeated first: with one row of devices both are equal, and this one is shorter.
  for (const bool repeated : {true, false}) {
    for (const auto orientation : {ShardOrientation::ROW_MAJOR, ShardOrientation::COL_MAJOR}) {
      if (repeated && !whole_x && !whole_y) continue;
      config.shard_shape = {repeated && whole_x ? 0 : shard.first,
                            repeated && whole_y ? 0 : shard.second};
      config.mesh_shard_orientation = orientation;
      try {
        if (says_the_same(config, wanted)) return config;
      } catch (const ShardingError& error) {
        if (error.refusal() != Refusal::kTooManyShards) throw;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

ShardedBufferConfig lower(MeshDevice& mesh, const MeshMapper& mapper, const TensorShape& shape,
                          std::uint64_t datum_size, const DeviceLocalLayoutConfig& layout) {
  check_tensor(shape, datum_size);
  const MeshPartition wanted = mapper.partition(shape);
  if (mapper.axes().mesh() != mesh.shape())
    refuse(Refusal::kMeshShape, "a mapper for another mesh", "one for the mesh of the buffer");
  refuse_uneven(shape, mapper.cuts(shape));
  refuse_strided_rows(wanted);

  const std::uint64_t columns = shape.back();
  const std::uint64_t local_columns = wanted.local_shape().back();
  ShardedBufferConfig config{
      .mesh_device = &mesh,
      .global_buffer_size = volume(shape) * datum_size,
      .shard_shape = {local_columns, volume(wanted.local_shape()) / local_columns},
      .global_buffer_shape = {columns, volume(shape) / columns},
      .device_shard_layout = layout};
  if (const auto found = placed(config, wanted)) return *found;
  refuse(Refusal::kShardOrder,
         "a tensor of shape " + text_of(shape) + " on axes of " + mapper.axes().str() +
             " devices, which take its shards neither row by row nor column by column of the mesh",
         "one of the two in a ShardedBufferConfig");
}

}  // namespace tvp::runtime::sharding
