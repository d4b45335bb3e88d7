#pragma once

#include "sw/runtime/sharding/mesh_mapper.h"
#include "sw/runtime/sharding/sharded_buffer_config.h"

namespace tvp::runtime::sharding {

/// Returns the config that puts the same bytes on the same devices as the mapper. A tensor is
/// flattened along y: [b, z, y, x] becomes x columns and b * z * y rows. A config can cut columns.
/// It can cut rows if a device's rows are consecutive: along the outermost dimension, or along one
/// outside of which a device has at most one entry of each.
///
/// Throws ShardingError for mappings without a config (kUnevenShards, kStridedRows, kShardOrder)
/// and for invalid tensors. DistributedBuffer supports such mappings with the mapper itself.
ShardedBufferConfig lower(MeshDevice& mesh, const MeshMapper& mapper, const TensorShape& shape,
                          std::uint64_t datum_size, const DeviceLocalLayoutConfig& layout = {});

}  // namespace tvp::runtime::sharding
