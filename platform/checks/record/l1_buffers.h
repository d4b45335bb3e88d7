#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include "models/noc/endpoint_type.h"

namespace tvp::checks {

/// The buffers that a host has in the L1 of a chip's Tensix tiles, each at one address of several
/// tiles, and the circular buffers of their programs. Hardware does not know about either.
class L1Buffers {
 public:
  /// Tiles are in coordinates of NoC 0.
  using Tile = noc::Node;
  struct Buffer {
    std::uint32_t begin = 0, end = 0;
    std::bitset<noc::kNodes> tiles{};

    bool is_on(Tile tile) const { return tiles[tile.index()]; }
  };

  /// Sets the buffer at this address of these tiles. A buffer without bytes removes it.
  void set(std::uint32_t address, std::uint32_t bytes, std::span<const Tile> tiles);
  /// Number of calls of set().
  std::uint64_t changes() const { return changes_; }
  bool is_empty() const { return buffers_.empty(); }
  /// The tile's program is over, and with it its circular buffers.
  void program_ends(Tile tile);
  void add_circular(Tile tile, std::uint32_t address, std::uint64_t bytes);

  // The results of these are null if there is none; they are valid until the next set().
  /// The buffer of the tile that contains the address.
  const Buffer* around(Tile tile, std::uint64_t address) const;
  /// The first buffer of the tile.
  const Buffer* first(Tile tile) const;
  /// The buffer of the tile that ends last before this one begins, and the one that begins next
  /// behind it.
  const Buffer* before(Tile tile, const Buffer& buffer) const;
  const Buffer* behind(Tile tile, const Buffer& buffer) const;
  /// True if a circular buffer of the tile's program has one of these bytes.
  bool has_circular(Tile tile, std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };

  std::vector<Buffer> buffers_;  ///< by begin
  std::vector<std::vector<Range>> circulars_ = std::vector<std::vector<Range>>(noc::kNodes);
  std::uint64_t changes_ = 0;
};

}  // namespace tvp::checks
