#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "sw/workloads/sdpa/bf16.h"

namespace tvp::test {

/// A tile of 8x32 or 32x32 datums as a matrix. L1 stores it face by face.
struct Tile {
  unsigned rows;
  std::vector<float> values;

  explicit Tile(unsigned r) : rows(r), values(std::size_t{r} * 32) {}
  float& at(unsigned row, unsigned column) { return values[row * 32 + column]; }
  float at(unsigned row, unsigned column) const { return values[row * 32 + column]; }

  /// Index in L1 of a datum of the tile.
  std::size_t place(unsigned row, unsigned column) const {
    const unsigned face_rows = rows < 16 ? rows : 16;
    const unsigned face = row / face_rows * 2 + column / 16;
    return (std::size_t{face} * face_rows + row % face_rows) * 16 + column % 16;
  }

  void write_bf16(std::uint8_t* to) const {
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < 32; ++c) {
        const std::uint16_t bits = workloads::sdpa::to_bf16(at(r, c));
        std::memcpy(to + 2 * place(r, c), &bits, 2);
      }
  }
  static Tile read_bf16(unsigned rows, const std::uint8_t* from) {
    Tile tile(rows);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < 32; ++c) {
        std::uint16_t bits;
        std::memcpy(&bits, from + 2 * tile.place(r, c), 2);
        tile.at(r, c) = workloads::sdpa::from_bf16(bits);
      }
    return tile;
  }
  static Tile read_fp32(unsigned rows, const std::uint8_t* from) {
    Tile tile(rows);
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < 32; ++c) std::memcpy(&tile.at(r, c), from + 4 * tile.place(r, c), 4);
    return tile;
  }
};

}  // namespace tvp::test
