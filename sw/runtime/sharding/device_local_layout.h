#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/metal_classes.h"
#include "sw/runtime/tilize_utils.h"

namespace tvp::runtime::sharding {

/// Layout of a device's shard in its banks.
struct DeviceLocalLayoutConfig {
  /// Page size in bytes. 0: a row of the bank's or, if interleaved, of the device's data; or a tile
  /// if there are tiles.
  std::uint64_t page_size = 0;
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
  /// Cores or banks and the shape of shards, for layouts other than INTERLEAVED.
  std::optional<ShardSpec> shard_spec{};
  /// Row by row, or tile by tile. For tiles the last two dimensions of a shard are padded to whole
  /// tiles.
  TensorLayoutType order = TensorLayoutType::LIN_ROW_MAJOR;

  bool tiled() const { return order != TensorLayoutType::LIN_ROW_MAJOR; }
};

/// Creates the buffer for `shard`, the rows and columns of each device, on all devices. Throws
/// ShardingError (kPageSize, kLocalLayout), and the exceptions of MeshBuffer::create.
std::shared_ptr<MeshBuffer> create_local(MeshDevice& mesh, const DeviceLocalLayoutConfig& layout,
                                         const Extent& shard, std::uint64_t datum_size);

}  // namespace tvp::runtime::sharding
