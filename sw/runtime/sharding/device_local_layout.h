#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "sw/runtime/buffer_config.h"

namespace tvp::runtime {
class MeshBuffer;
class MeshDevice;
}  // namespace tvp::runtime

namespace tvp::runtime::sharding {

/// How a device's shard lies in its banks.
struct DeviceLocalLayoutConfig {
  std::uint64_t page_size = 0;  ///< bytes; 0: a row of what a bank or, interleaved, the device has
  BufferType buffer_type = BufferType::DRAM;
  TensorMemoryLayout buffer_layout = TensorMemoryLayout::INTERLEAVED;
  /// For layouts other than INTERLEAVED: onto which cores or banks, and shards of which shape.
  std::optional<ShardSpec> shard_spec{};
};

/// The buffer for `shard`, rows and columns of what each device has, on all devices. Throws
/// ShardingError (kPageSize, kLocalLayout), and what MeshBuffer::create throws.
std::shared_ptr<MeshBuffer> create_local(MeshDevice& mesh, const DeviceLocalLayoutConfig& layout,
                                         const Extent& shard, std::uint64_t datum_size);

}  // namespace tvp::runtime::sharding
