#include "sw/runtime/sharding/distributed_buffer.h"

#include <cstring>
#include <limits>
#include <string>

#include "sw/runtime/mesh_device.h"
#include "sw/runtime/sharding/shard_runs.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

/// Rows and columns of a shard, of which the rows are all but the innermost dimension.
Extent rows_and_columns(const TensorShape& local) {
  const std::uint64_t columns = local.back();
  const std::uint64_t rows = volume(local) / columns;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (rows > kMost || columns > kMost)
    refuse(Refusal::kTooLarge, "a shard of shape " + text_of(local),
           "fewer than 2^32 rows and columns");
  return {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns)};
}

/// Pieces of a shard for a device, cut out of a tensor when they are asked for.
class CutOut {
 public:
  CutOut(const ShardRuns& runs, const std::uint8_t* tensor) : runs_(runs), tensor_(tensor) {}

  const std::uint8_t* operator()(std::uint64_t offset, std::uint64_t bytes) {
    const std::uint8_t* whole = nullptr;
    piece_.resize(bytes);
    runs_.for_each(offset, offset + bytes,
                   [&](std::uint64_t at, std::uint64_t in_tensor, std::uint64_t part) {
                     if (in_tensor == ShardRuns::kPadding) {
                       std::memset(&piece_[at - offset], 0, part);
                     } else if (part == bytes) {
                       whole = tensor_ + in_tensor;  // lies together there, too
                     } else {
                       std::memcpy(&piece_[at - offset], tensor_ + in_tensor, part);
                     }
                   });
    return whole != nullptr ? whole : piece_.data();
  }

 private:
  const ShardRuns& runs_;
  const std::uint8_t* tensor_;
  std::vector<std::uint8_t> piece_;
};

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
      partition_(std::move(partition)),
      datum_size_(datum_size),
      buffer_(create_local(mesh, layout, rows_and_columns(partition_.local_shape()), datum_size)) {}

void DistributedBuffer::write(std::span<const std::uint8_t> tensor) {
  if (tensor.size() != global_size())
    refuse(Refusal::kContentSize,
           std::to_string(tensor.size()) + " bytes for a tensor of shape " +
               text_of(partition_.global_shape()) + " with " + std::to_string(datum_size_) +
               " bytes a datum",
           std::to_string(global_size()));
  for (unsigned device = 0; device < partition_.boxes().size(); ++device) {
    const auto& box = partition_.boxes()[device];
    if (!box) continue;
    const ShardRuns runs(partition_.global_shape(), partition_.local_shape(), *box, datum_size_);
    buffer_->write_pieces(device, CutOut(runs, tensor.data()));
  }
}

std::vector<std::uint8_t> DistributedBuffer::read() const {
  std::vector<std::uint8_t> tensor(global_size());
  for (const unsigned device : partition_.first_holders()) {
    const ShardRuns runs(partition_.global_shape(), partition_.local_shape(),
                         partition_.box(device), datum_size_);
    buffer_->read_pieces(device, [&](std::uint64_t offset, std::span<const std::uint8_t> piece) {
      runs.for_each(offset, offset + piece.size(),
                    [&](std::uint64_t at, std::uint64_t in_tensor, std::uint64_t part) {
                      if (in_tensor != ShardRuns::kPadding)
                        std::memcpy(&tensor[in_tensor], &piece[at - offset], part);
                    });
    });
  }
  return tensor;
}

void DistributedBuffer::write_shard(MeshCoordinate device, std::span<const std::uint8_t> shard) {
  const unsigned index = mesh_.device_index(device);
  partition_.box(index);  // has one
  if (shard.size() != local_size())
    refuse(Refusal::kContentSize,
           std::to_string(shard.size()) + " bytes for a shard of shape " +
               text_of(partition_.local_shape()) + " with " + std::to_string(datum_size_) +
               " bytes a datum",
           std::to_string(local_size()));
  buffer_->write(index, shard);
}

std::vector<std::uint8_t> DistributedBuffer::read_shard(MeshCoordinate device) const {
  const unsigned index = mesh_.device_index(device);
  partition_.box(index);  // has one
  return buffer_->read(index);
}

}  // namespace tvp::runtime::sharding
