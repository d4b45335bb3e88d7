#include "sw/runtime/sharding/distributed_buffer.h"

#include <cstring>
#include <limits>
#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

/// Rows and columns of a shard. Rows are all dimensions but the innermost.
Extent rows_and_columns(const TensorShape& local) {
  const std::uint64_t columns = local.back();
  const std::uint64_t rows = volume(local) / columns;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (rows > kMost || columns > kMost)
    refuse(Refusal::kTooLarge, "a shard of shape " + text_of(local),
           "fewer than 2^32 rows and columns");
  return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
}

/// Rounds the last two dimensions of a shard up to whole tiles.
MeshPartition fitted(MeshPartition partition, const DeviceLocalLayoutConfig& layout) {
  if (!layout.tiled()) return partition;
  TensorShape local = partition.local_shape();
  if (local.size() < 2)
    refuse(Refusal::kLocalLayout, "tiles of a tensor of shape " + text_of(partition.global_shape()),
           "two dimensions or more");
  for (std::size_t d = local.size() - 2; d < local.size(); ++d)
    local[d] = (local[d] + ShardOrder::kTile - 1) / ShardOrder::kTile * ShardOrder::kTile;
  return {partition.global_shape(), std::move(local), partition.boxes()};
}

/// Pieces of a device's content, cut out of a tensor on demand.
class CutOut {
 public:
  CutOut(const ShardContent& content, const std::uint8_t* tensor)
      : content_(content), tensor_(tensor) {}

  const std::uint8_t* operator()(std::uint64_t offset, std::uint64_t bytes) {
    // Nearly all pieces are pages of one size, and the call is not inlined.
    if (piece_.size() != bytes) piece_.resize(bytes);
    const std::uint8_t* whole = nullptr;
    content_.for_each(offset, offset + bytes,
                      [&](std::uint64_t at, std::uint64_t in_tensor, std::uint64_t part) {
                        if (in_tensor == ShardRuns::kPadding) {
                          std::memset(&piece_[at - offset], 0, part);
                        } else if (part == bytes) {
                          whole = tensor_ + in_tensor;  // contiguous in the tensor, too
                        } else {
                          std::memcpy(&piece_[at - offset], tensor_ + in_tensor, part);
                        }
                      });
    return whole != nullptr ? whole : piece_.data();
  }

 private:
  ShardContent content_;
  const std::uint8_t* tensor_;
  std::vector<std::uint8_t> piece_;
};

/// The whole shard.
TensorBox whole_of(const TensorShape& local) { return {TensorShape(local.size(), 0), local}; }

}  // namespace

std::unique_ptr<DistributedBuffer> DistributedBuffer::create(const ShardedBufferConfig& config) {
  MeshPartition partition = config.partition();
  return std::unique_ptr<DistributedBuffer>(new DistributedBuffer(
      *config.mesh_device, std::move(partition), config.datum_size(), config.device_shard_layout));
}

std::unique_ptr<DistributedBuffer> DistributedBuffer::create(
    MeshDevice& mesh, const MeshMapper& mapper, const TensorShape& shape, std::uint64_t datum_size,
    const DeviceLocalLayoutConfig& layout) {
  check_tensor(shape, datum_size);
  if (mapper.axes().mesh() != mesh.shape())
    refuse(Refusal::kMeshShape, "a mapper for another mesh", "one for the mesh of the buffer");
  return std::unique_ptr<DistributedBuffer>(
      new DistributedBuffer(mesh, mapper.partition(shape), datum_size, layout));
}

DistributedBuffer::DistributedBuffer(MeshDevice& mesh, MeshPartition partition,
                                     std::uint64_t datum_size,
                                     const DeviceLocalLayoutConfig& layout)
    : mesh_(mesh),
      partition_(fitted(std::move(partition), layout)),
      datum_size_(datum_size),
      order_(layout.order, partition_.local_shape().back(), datum_size),
      buffer_(create_local(mesh, layout, rows_and_columns(partition_.local_shape()), datum_size)) {}

void DistributedBuffer::check_tensor_size(std::size_t bytes) const {
  if (bytes != global_size())
    refuse(Refusal::kContentSize,
           std::to_string(bytes) + " bytes for a tensor of shape " +
               text_of(partition_.global_shape()) + " with " + std::to_string(datum_size_) +
               " bytes a datum",
           std::to_string(global_size()));
}

ShardContent DistributedBuffer::content(const TensorShape& whole, const TensorShape& local,
                                        const TensorBox& part) const {
  return {order_, ShardRuns(whole, local, part, datum_size_)};
}

ShardContent DistributedBuffer::content_of(unsigned device) const {
  return content(partition_.global_shape(), partition_.local_shape(), partition_.box(device));
}

void DistributedBuffer::write(std::span<const std::uint8_t> tensor) {
  check_tensor_size(tensor.size());
  for (unsigned device = 0; device < partition_.boxes().size(); ++device)
    if (partition_.boxes()[device])
      buffer_->write_pieces(device, CutOut(content_of(device), tensor.data()));
}

std::vector<std::uint8_t> DistributedBuffer::read() const {
  std::vector<std::uint8_t> tensor(global_size());
  for (const unsigned device : partition_.first_holders())
    read_part(device, partition_.global_shape(), partition_.local_shape(), partition_.box(device),
              tensor);
  return tensor;
}

void DistributedBuffer::write_shard(MeshCoordinate device, std::span<const std::uint8_t> shard) {
  const unsigned index = mesh_.device_index(device);
  partition_.box(index);  // throws if there is none
  if (shard.size() != local_size())
    refuse(Refusal::kContentSize,
           std::to_string(shard.size()) + " bytes for a shard of shape " +
               text_of(partition_.local_shape()) + " with " + std::to_string(datum_size_) +
               " bytes a datum",
           std::to_string(local_size()));
  const TensorShape& local = partition_.local_shape();
  buffer_->write_pieces(index, CutOut(content(local, local, whole_of(local)), shard.data()));
}

std::vector<std::uint8_t> DistributedBuffer::read_shard(MeshCoordinate device) const {
  const unsigned index = mesh_.device_index(device);
  partition_.box(index);  // throws if there is none
  const TensorShape& local = partition_.local_shape();
  std::vector<std::uint8_t> shard(local_size());
  read_part(index, local, local, whole_of(local), shard);
  return shard;
}

std::vector<std::uint8_t> DistributedBuffer::local_content(
    unsigned device, std::span<const std::uint8_t> tensor) const {
  check_tensor_size(tensor.size());
  CutOut cut_out(content_of(device), tensor.data());
  const std::uint8_t* bytes = cut_out(0, local_size());
  return {bytes, bytes + local_size()};
}

void DistributedBuffer::read_part(unsigned device, const TensorShape& whole,
                                  const TensorShape& local, const TensorBox& part,
                                  std::span<std::uint8_t> tensor) const {
  const ShardContent shard = content(whole, local, part);
  buffer_->read_pieces(device, [&](std::uint64_t offset, std::span<const std::uint8_t> piece) {
    shard.for_each(offset, offset + piece.size(),
                   [&](std::uint64_t at, std::uint64_t in_tensor, std::uint64_t bytes) {
                     if (in_tensor != ShardRuns::kPadding)
                       std::memcpy(&tensor[in_tensor], &piece[at - offset], bytes);
                   });
  });
}

}  // namespace tvp::runtime::sharding
