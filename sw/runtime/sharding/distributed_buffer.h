#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sw/runtime/buffers/mesh_buffer.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/sharding/mesh_mapper.h"
#include "sw/runtime/sharding/shard_content.h"
#include "sw/runtime/sharding/sharded_buffer_config.h"

namespace tvp::runtime::sharding {

/// A tensor over the devices of a mesh: a buffer with one address on all devices. Each device has
/// its shard, padded with zeros if it is smaller than others. Contents are bytes, row by row for
/// any order on the devices. Accesses take no simulated time unless host.timed is set.
class DistributedBuffer {
 public:
  /// Throws ShardingError for an invalid config or a layout that does not fit.
  static std::unique_ptr<DistributedBuffer> create(const ShardedBufferConfig& config);
  /// Creates a buffer for any tensor that the mapper can cut, along any dimensions, evenly or not.
  static std::unique_ptr<DistributedBuffer> create(MeshDevice& mesh, const MeshMapper& mapper,
                                                   const TensorShape& shape,
                                                   std::uint64_t datum_size,
                                                   const DeviceLocalLayoutConfig& layout = {});

  MeshDevice& mesh() const { return mesh_; }
  /// Parts of the tensor on the devices. For a config the tensor has two dimensions, [y, x].
  const MeshPartition& partition() const { return partition_; }
  std::uint64_t datum_size() const { return datum_size_; }
  std::uint64_t global_size() const { return volume(partition_.global_shape()) * datum_size_; }
  std::uint64_t local_size() const { return volume(partition_.local_shape()) * datum_size_; }
  /// The buffer for programs on the devices.
  const std::shared_ptr<MeshBuffer>& buffer() const { return buffer_; }

  /// Writes the tensor to all devices that hold a part of it.
  void write(std::span<const std::uint8_t> tensor);
  /// Composes the tensor from the shards. A part that several devices hold is read from the first.
  std::vector<std::uint8_t> read() const;
  /// Content of one device, padding included. Throws ShardingError (kNoShard) if it has none.
  void write_shard(MeshCoordinate device, std::span<const std::uint8_t> shard);
  std::vector<std::uint8_t> read_shard(MeshCoordinate device) const;

  /// Content of device number `device` in the order of its memory, for callers that write it
  /// themselves.
  std::vector<std::uint8_t> local_content(unsigned device,
                                          std::span<const std::uint8_t> tensor) const;
  /// Reads a device's content without padding into `part` of a tensor of shape `whole`. `local` is
  /// its shard's shape.
  void read_part(unsigned device, const TensorShape& whole, const TensorShape& local,
                 const TensorBox& part, std::span<std::uint8_t> tensor) const;

 private:
  DistributedBuffer(MeshDevice& mesh, MeshPartition partition, std::uint64_t datum_size,
                    const DeviceLocalLayoutConfig& layout);
  void check_tensor_size(std::size_t bytes) const;
  /// Content of a shard of shape `local` that is `part` of a tensor of shape `whole`.
  ShardContent content(const TensorShape& whole, const TensorShape& local,
                       const TensorBox& part) const;
  ShardContent content_of(unsigned device) const;

  MeshDevice& mesh_;
  MeshPartition partition_;
  std::uint64_t datum_size_;
  ShardOrder order_;
  std::shared_ptr<MeshBuffer> buffer_;
};

}  // namespace tvp::runtime::sharding
