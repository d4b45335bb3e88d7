#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/sharding/device_local_layout.h"
#include "sw/runtime/sharding/mesh_partition.h"

namespace tvp::runtime::sharding {

using DeviceAddr = std::uint64_t;

/// Columns x, then rows y.
using Extent2D = std::pair<std::size_t, std::size_t>;

/// Distribution of a two-dimensional tensor over a mesh: equal shards, which are read row by row. A
/// tensor of more dimensions is flattened along y: [b, z, y, x] becomes x columns and b * z * y
/// rows.
///
/// ROW_MAJOR places successive shards along a row of the mesh and continues in the next row.
/// COL_MAJOR places them down a column. A dimension of the shard that is 0 is not cut. The shards
/// are then those of one row or column of the mesh and are repeated along the other direction. If
/// both are 0, all devices have the whole tensor.
struct ShardedBufferConfig {
  MeshDevice* mesh_device = nullptr;
  DeviceAddr global_buffer_size = 0;  ///< bytes of the tensor, counted once
  Extent2D shard_shape{};             ///< in datums
  Extent2D global_buffer_shape{};     ///< in datums
  ShardOrientation mesh_shard_orientation = ShardOrientation::ROW_MAJOR;
  DeviceLocalLayoutConfig device_shard_layout{};

  /// Throws ShardingError for an invalid config.
  void check() const;
  // These require a config that check() accepts.
  std::uint64_t datum_size() const;
  /// The shard's shape with the whole dimension in place of 0.
  Extent2D physical_shard_shape() const;
  DeviceAddr device_local_size() const;
  /// The partition of the tensor [y, x]. Checks the config.
  MeshPartition partition() const;
};

}  // namespace tvp::runtime::sharding
