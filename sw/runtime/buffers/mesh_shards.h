#pragma once
// The distribution of a buffer over the devices of a mesh, under tt-metal's names
// (tt-metalium/shape2d.hpp, mesh_buffer.hpp).

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sw/runtime/buffers/buffer_config.h"
#include "sw/runtime/mesh/mesh_coord.h"

namespace tvp::runtime {

/// Rows and columns of data.
class Shape2D {
 public:
  constexpr Shape2D(std::size_t height, std::size_t width) : height_(height), width_(width) {}
  constexpr std::size_t height() const { return height_; }
  constexpr std::size_t width() const { return width_; }
  bool operator==(const Shape2D&) const = default;

 private:
  std::size_t height_;
  std::size_t width_;
};

namespace distributed {

/// Each device has a part. If a shard has 0 rows (or columns), all devices have all rows (or
/// columns).
struct ShardedBufferConfig {
  std::uint64_t global_size = 0;
  Shape2D global_buffer_shape = {0, 0};
  Shape2D shard_shape = {0, 0};
  ShardOrientation shard_orientation = ShardOrientation::ROW_MAJOR;

  std::uint32_t compute_datum_size_bytes() const;
  /// True if all devices of a column have the same rows; true if all of a row have the same
  /// columns.
  std::pair<bool, bool> replicated_dims() const {
    return {shard_shape.height() == 0, shard_shape.width() == 0};
  }
  Shape2D physical_shard_shape() const;
};

/// Moves data between the whole and its parts.
class MeshShards {
 public:
  struct Part {
    std::uint64_t first_byte;             ///< in the whole
    std::vector<MeshCoordinate> devices;  ///< devices with this part
  };

  /// Throws Fault(kDescription) for shards that do not divide the whole, and for too few devices.
  MeshShards(const ShardedBufferConfig& config, const MeshShape& mesh);

  const ShardedBufferConfig& config() const { return config_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::uint64_t part_bytes() const { return rows_ * row_bytes_; }
  std::vector<std::uint8_t> gather(const Part& part, const std::uint8_t* whole) const;
  void scatter(const Part& part, const std::vector<std::uint8_t>& bytes, std::uint8_t* whole) const;

 private:
  std::vector<MeshCoordinate> devices_of(std::size_t shard, const MeshShape& mesh) const;

  ShardedBufferConfig config_;
  std::uint64_t rows_ = 0;       ///< rows of a part
  std::uint64_t row_bytes_ = 0;  ///< bytes of a row of a part
  std::uint64_t stride_ = 0;     ///< bytes of a row of the whole
  std::vector<Part> parts_;
};

}  // namespace distributed
}  // namespace tvp::runtime
