#pragma once

#include "sw/runtime/sharding/mesh_mapper.h"
#include "sw/runtime/sharding/sharded_buffer_config.h"

namespace tvp::runtime::sharding {

/// The config that puts the same bytes on the same devices as the mapper does. Of a tensor that is
/// flattened along y, [b, z, y, x] to x columns and b * z * y rows, it can cut columns, and rows
/// where a device's rows follow each other: the outermost dimension, or one outside of which a
/// device has no more than one entry of each.
///
/// Throws ShardingError for what it cannot say (kUnevenShards, kStridedRows, kShardOrder), which
/// DistributedBuffer takes from the mapper itself, and for what is no tensor.
ShardedBufferConfig lower(MeshDevice& mesh, const MeshMapper& mapper, const TensorShape& shape,
                          std::uint64_t datum_size, const DeviceLocalLayoutConfig& layout = {});

}  // namespace tvp::runtime::sharding
