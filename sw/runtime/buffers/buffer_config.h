#pragma once
// Configurations of buffers (tt-metal's tt-metalium/buffer_types.hpp and buffer.hpp).

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "sw/runtime/devices/sub_device.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/programs/core_coord.h"

namespace tvp::runtime {

enum class BufferType : std::uint8_t { DRAM, L1 };

enum class TensorMemoryLayout : std::uint8_t {
  INTERLEAVED = 0,
  HEIGHT_SHARDED = 2,  ///< shards are whole rows
  WIDTH_SHARDED = 3,   ///< shards are whole columns
  BLOCK_SHARDED = 4,   ///< a rectangle of shards on a rectangle of cores
};

/// Direction in which shards follow each other on the cores: along the rows or down the columns.
enum class ShardOrientation : std::uint8_t { ROW_MAJOR, COL_MAJOR };

/// Pages spread round robin over the banks of a memory.
struct InterleavedBufferConfig {
  IDevice* device = nullptr;  ///< for CreateBuffer without a mesh
  std::uint64_t size = 0;     ///< on each device
  std::uint64_t page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
};

/// Rows and columns, as all pairs here.
using Extent = std::array<std::uint32_t, 2>;

/// Cores and shape of shards. The cores of a buffer in DRAM are (bank, 0).
struct ShardSpec {
  CoreRangeSet grid;
  Extent shape{};  ///< shape of a shard, in datums
  ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

  ShardSpec() = default;
  ShardSpec(CoreRangeSet cores, const Extent& of_shard,
            ShardOrientation along = ShardOrientation::ROW_MAJOR)
      : grid(std::move(cores)), shape(of_shard), orientation(along) {}

  std::uint32_t num_cores() const { return static_cast<std::uint32_t>(grid.cores().size()); }
  std::uint32_t numel() const { return shape[0] * shape[1]; }
};

/// A ShardSpec with the shape of a page and the number of pages of the whole tensor.
struct ShardSpecBuffer {
  ShardSpec tensor_shard_spec;
  Extent page_shape{};  ///< in datums
  Extent tensor2d_shape_in_pages{};

  ShardSpecBuffer(CoreRangeSet grid, Extent shard_shape, ShardOrientation orientation, Extent page,
                  Extent tensor_in_pages)
      : ShardSpecBuffer({std::move(grid), shard_shape, orientation}, page, tensor_in_pages) {}
  ShardSpecBuffer(ShardSpec spec, Extent page, Extent tensor_in_pages)
      : tensor_shard_spec(std::move(spec)),
        page_shape(page),
        tensor2d_shape_in_pages(tensor_in_pages) {}
};

/// A tensor of `size` bytes that is cut into shards by `buffer_layout` and `shard_parameters`.
/// Alternatively, which tt-metal lacks, one shard of `shard_bytes` in the L1 of each of `cores`.
/// All shards have the same address.
struct ShardedBufferConfig {
  IDevice* device = nullptr;  ///< for CreateBuffer without a mesh
  std::uint64_t size = 0;     ///< on each device
  std::uint64_t page_size = 0;
  BufferType buffer_type = BufferType::L1;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED;
  std::optional<ShardSpecBuffer> shard_parameters{};

  CoreRangeSet cores{};
  std::uint32_t shard_bytes = 0;
};

/// Shards of a buffer of one device; by default none.
struct BufferShardingArgs {
  BufferShardingArgs() = default;
  BufferShardingArgs(std::optional<ShardSpecBuffer> shards, TensorMemoryLayout of)  // NOLINT
      : spec(std::move(shards)), layout(of) {}
  std::optional<ShardSpecBuffer> spec;
  TensorMemoryLayout layout = TensorMemoryLayout::INTERLEAVED;
};

/// Layout of a mesh buffer on each device.
struct DeviceLocalBufferConfig {
  std::uint64_t page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  BufferShardingArgs sharding_args{};
  std::optional<bool> bottom_up{};
  std::optional<SubDeviceId> sub_device_id{};  ///< for shards in L1
};

}  // namespace tvp::runtime
