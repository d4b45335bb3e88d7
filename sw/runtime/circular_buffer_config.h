#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "sw/runtime/kernel_types.h"

namespace tvp::runtime {

class MeshBuffer;

/// Geometry of a circular buffer; several indices may share the same memory.
class CircularBufferConfig {
 public:
  struct Index {
    DataFormat format = DataFormat::Float16_b;
    std::uint32_t page_bytes = 0;  ///< 0: one tile
    Tile tile;
  };

  CircularBufferConfig(std::uint32_t total_bytes,
                       const std::map<std::uint8_t, DataFormat>& formats);

  CircularBufferConfig& set_page_size(std::uint8_t index, std::uint32_t bytes);
  CircularBufferConfig& set_tile_dims(std::uint8_t index, const Tile& tile);
  /// The memory is `offset` bytes into a core's shard of `buffer`, not allocated by the program.
  CircularBufferConfig& set_globally_allocated_address(const MeshBuffer& buffer,
                                                       std::uint32_t offset = 0);
  /// The memory is at this address of L1, which the caller owns.
  CircularBufferConfig& set_address(std::uint32_t address);

  std::uint32_t total_bytes() const { return total_bytes_; }
  const std::map<std::uint8_t, Index>& indices() const { return indices_; }
  std::optional<std::uint32_t> address() const { return address_; }
  std::uint32_t page_bytes(std::uint8_t index) const;

 private:
  Index& index(std::uint8_t i);

  std::uint32_t total_bytes_;
  std::map<std::uint8_t, Index> indices_;
  std::optional<std::uint32_t> address_;
};

}  // namespace tvp::runtime
