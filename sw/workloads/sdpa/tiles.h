#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/workloads/sdpa/problem.h"

namespace tvp::workloads::sdpa {

/// Tiny tiles: 8 rows of 32 columns in two faces of 16 columns, BF16.
inline constexpr std::size_t kTileColumns = 32;
inline constexpr std::size_t kTileBytes = kRows * kTileColumns * 2;

inline std::size_t numerator_tiles(const Shape& shape) { return shape.head_dim / kTileColumns; }
/// A partial result in L1 and on the wire: numerator tiles, a tile of sums, a tile of maxima, both
/// with their values in column 0.
inline std::size_t partial_bytes(const Shape& shape) {
  return (numerator_tiles(shape) + 2) * kTileBytes;
}

/// Byte offset of a datum in a run of tiles that lie side by side.
std::size_t offset_of(std::size_t row, std::size_t column);

std::vector<std::uint8_t> partial_tiles(const Partials& partials, std::size_t device,
                                        std::size_t worker);
/// Copies the tiles of one worker's result to its rows of `output` [worker][row][head_dim].
void read_output_tiles(const Shape& shape, const std::vector<std::uint8_t>& tiles,
                       std::size_t worker, std::vector<float>& output);

}  // namespace tvp::workloads::sdpa
