#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/tilize_utils.h"

namespace tvp::runtime {
class MeshBuffer;
class MeshDevice;
}  // namespace tvp::runtime

namespace tvp::runtime::sharding {

/// How a device's shard lies in its banks.
struct DeviceLocalLayoutConfig {
  /// Bytes; 0: a row of what a bank or, interleaved, the device has; a tile where there are tiles.
  std::uint64_t page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
  /// For layouts other than INTERLEAVED: onto which cores or banks, and shards of which shape.
  std::optional<ShardSpec> shard_spec{};
  /// Row by row, or tile by tile: then the last two dimensions of a shard are padded to whole
  /// tiles.
  TensorLayoutType order = TensorLayoutType::LIN_ROW_MAJOR;

  bool tiled() const { return order != TensorLayoutType::LIN_ROW_MAJOR; }
};

/// The buffer for `shard`, rows and columns of what each device has, on all devices. Throws
/// ShardingError (kPageSize, kLocalLayout), and what MeshBuffer::create throws.
std::shared_ptr<MeshBuffer> create_local(MeshDevice& mesh, const DeviceLocalLayoutConfig& layout,
                                         const Extent& shard, std::uint64_t datum_size);

}  // namespace tvp::runtime::sharding
