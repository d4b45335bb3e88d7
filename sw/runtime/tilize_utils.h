#pragma once
// Conversions of matrices to the memory order of compute kernels and back (tt-metal's
// tt-metalium/tilize_utils.hpp).

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tvp::runtime {

enum class TensorLayoutType : std::uint8_t {
  LIN_ROW_MAJOR = 0,   ///< row by row
  TILED_SWIZZLED = 1,  ///< tile by tile, each row by row
  TILED_NFACES = 2,    ///< tile by tile, each face by face, each of these row by row
};

using PhysicalSize = std::array<std::uint32_t, 2>;  ///< rows and columns

/// A matrix with the shapes of its tiles and faces.
struct TiledShape {
  PhysicalSize shape;
  PhysicalSize tile = {32, 32};
  PhysicalSize face = {16, 16};

  /// Throws Fault(kDescription) unless faces divide the tile, tiles the matrix, and matrices the
  /// `numbers`.
  void check(std::size_t numbers) const;
  std::size_t size() const { return std::size_t{shape[0]} * shape[1]; }
  std::size_t position(TensorLayoutType layout, std::uint32_t row, std::uint32_t column) const;
};

/// Converts consecutive matrices to another order. Throws Fault(kDescription) like
/// TiledShape::check.
template <typename T>
std::vector<T> convert_layout(std::span<const T> numbers, const TiledShape& shape,
                              TensorLayoutType from, TensorLayoutType to) {
  shape.check(numbers.size());
  std::vector<T> result(numbers.size());
  for (std::size_t first = 0; first < numbers.size(); first += shape.size())
    for (std::uint32_t row = 0; row < shape.shape[0]; ++row)
      for (std::uint32_t column = 0; column < shape.shape[1]; ++column)
        result[first + shape.position(to, row, column)] =
            numbers[first + shape.position(from, row, column)];
  return result;
}

/// Converts matrices of `rows` x `columns`, row by row, to 32 x 32 tiles of four faces.
template <typename T>
std::vector<T> tilize_nfaces(const std::vector<T>& numbers, std::uint32_t rows,
                             std::uint32_t columns) {
  return convert_layout(std::span<const T>(numbers), {{rows, columns}},
                        TensorLayoutType::LIN_ROW_MAJOR, TensorLayoutType::TILED_NFACES);
}
template <typename T>
std::vector<T> untilize_nfaces(const std::vector<T>& numbers, std::uint32_t rows,
                               std::uint32_t columns) {
  return convert_layout(std::span<const T>(numbers), {{rows, columns}},
                        TensorLayoutType::TILED_NFACES, TensorLayoutType::LIN_ROW_MAJOR);
}
/// Converts to and from tiles that are row by row inside.
template <typename T>
std::vector<T> tilize_swizzled(const std::vector<T>& numbers, std::uint32_t rows,
                               std::uint32_t columns) {
  return convert_layout(std::span<const T>(numbers), {{rows, columns}},
                        TensorLayoutType::LIN_ROW_MAJOR, TensorLayoutType::TILED_SWIZZLED);
}
template <typename T>
std::vector<T> untilize_swizzled(const std::vector<T>& numbers, std::uint32_t rows,
                                 std::uint32_t columns) {
  return convert_layout(std::span<const T>(numbers), {{rows, columns}},
                        TensorLayoutType::TILED_SWIZZLED, TensorLayoutType::LIN_ROW_MAJOR);
}

}  // namespace tvp::runtime
