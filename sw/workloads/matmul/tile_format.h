#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sw/runtime/programs/kernel_types.h"

namespace tvp::workloads::matmul {

/// A matrix of doubles, row by row; both sizes are multiples of 32.
struct Matrix {
  Matrix(unsigned height, unsigned width)
      : rows(height), columns(width), values(std::size_t{height} * width) {}
  double& at(unsigned row, unsigned column) { return values[std::size_t{row} * columns + column]; }
  double at(unsigned row, unsigned column) const {
    return values[std::size_t{row} * columns + column];
  }
  double* row(unsigned r) { return &values[std::size_t{r} * columns]; }
  const double* row(unsigned r) const { return &values[std::size_t{r} * columns]; }

  unsigned rows, columns;
  std::vector<double> values;
};

inline constexpr unsigned kTileSide = 32;
inline constexpr unsigned kGroup = 16;  ///< datums that share an exponent in block formats

/// Bytes of a 32x32 tile.
std::uint32_t tile_bytes(runtime::DataFormat format);
/// Converts a matrix to tiles row by row, each 32x32 as four faces. BF16 and FP32 are rounded to
/// nearest, ties to even. So are the magnitudes of BFP8 and BFP4, which are clamped to the largest.
std::vector<std::uint8_t> to_tiles(const Matrix& matrix, runtime::DataFormat format);
Matrix from_tiles(std::span<const std::uint8_t> tiles, unsigned rows, unsigned columns,
                  runtime::DataFormat format);

}  // namespace tvp::workloads::matmul
