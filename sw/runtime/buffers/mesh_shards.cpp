#include "sw/runtime/buffers/mesh_shards.h"

#include <algorithm>
#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime::distributed {
namespace {

std::string text_of(const Shape2D& shape) {
  return std::to_string(shape.height()) + " x " + std::to_string(shape.width());
}

}  // namespace

std::uint32_t ShardedBufferConfig::compute_datum_size_bytes() const {
  const std::size_t data = global_buffer_shape.height() * global_buffer_shape.width();
  if (data == 0 || global_size == 0 || global_size % data != 0)
    bad_use("sharded mesh buffer", std::to_string(global_size) +
                                       " bytes; expected a multiple of the " +
                                       text_of(global_buffer_shape) + " data");
  return static_cast<std::uint32_t>(global_size / data);
}

Shape2D ShardedBufferConfig::physical_shard_shape() const {
  const auto [all_rows, all_columns] = replicated_dims();
  return {all_rows ? global_buffer_shape.height() : shard_shape.height(),
          all_columns ? global_buffer_shape.width() : shard_shape.width()};
}

MeshShards::MeshShards(const ShardedBufferConfig& config, const MeshShape& mesh) : config_(config) {
  const Shape2D& whole = config.global_buffer_shape;
  const Shape2D shard = config.physical_shard_shape();
  const std::uint64_t datum = config.compute_datum_size_bytes();
  if (whole.height() % shard.height() != 0 || whole.width() % shard.width() != 0)
    bad_use("sharded mesh buffer",
            "shards of " + text_of(shard) + " do not divide the whole of " + text_of(whole));
  rows_ = shard.height();
  row_bytes_ = shard.width() * datum;
  stride_ = whole.width() * datum;
  const std::size_t across = whole.width() / shard.width();
  for (std::size_t i = 0; i < across * (whole.height() / shard.height()); ++i)
    parts_.push_back({i / across * rows_ * stride_ + i % across * row_bytes_, devices_of(i, mesh)});
}

std::vector<MeshCoordinate> MeshShards::devices_of(std::size_t shard, const MeshShape& mesh) const {
  const auto [all_rows, all_columns] = config_.replicated_dims();
  const bool row_major = config_.shard_orientation == ShardOrientation::ROW_MAJOR;
  std::vector<MeshCoordinate> all = MeshCoordinateRange(mesh).coords();
  if (all_rows && all_columns) return all;
  const std::size_t places = all_rows || all_columns ? (row_major ? mesh.columns : mesh.rows)
                                                     : std::size_t{mesh.mesh_size()};
  if (shard >= places)
    bad_use("sharded mesh buffer", "has more shards than the mesh of " + std::to_string(mesh.rows) +
                                       " x " + std::to_string(mesh.columns) +
                                       " devices has places for, which are " +
                                       std::to_string(places));
  const auto index = static_cast<std::uint32_t>(shard);
  if (!all_rows && !all_columns) {
    if (row_major) return {{index / mesh.columns, index % mesh.columns}};
    return {{index % mesh.rows, index / mesh.rows}};
  }
  std::vector<MeshCoordinate> line;
  for (const MeshCoordinate device : all)
    if ((row_major ? device.column : device.row) == index) line.push_back(device);
  return line;
}

std::vector<std::uint8_t> MeshShards::gather(const Part& part, const std::uint8_t* whole) const {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(part_bytes());
  for (std::uint64_t row = 0; row < rows_; ++row) {
    const std::uint8_t* const first = whole + part.first_byte + row * stride_;
    bytes.insert(bytes.end(), first, first + row_bytes_);
  }
  return bytes;
}

void MeshShards::scatter(const Part& part, const std::vector<std::uint8_t>& bytes,
                         std::uint8_t* whole) const {
  for (std::uint64_t row = 0; row < rows_; ++row)
    std::copy_n(bytes.data() + row * row_bytes_, row_bytes_,
                whole + part.first_byte + row * stride_);
}

}  // namespace tvp::runtime::distributed
