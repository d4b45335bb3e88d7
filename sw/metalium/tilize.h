#pragma once
// Orders of matrices in memory under tt-metal's names (tt-metalium/tilize_utils.hpp,
// test_tiles.hpp): several consecutive matrices, tiles and faces of any size, transposed faces.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <vector>

#include "sw/runtime/tilize_utils.h"

using tvp::runtime::PhysicalSize;
using tvp::runtime::TensorLayoutType;
using tvp::runtime::tilize_nfaces;
using tvp::runtime::tilize_swizzled;
using tvp::runtime::untilize_nfaces;
using tvp::runtime::untilize_swizzled;

std::ostream& operator<<(std::ostream& out, TensorLayoutType layout);

namespace tvp::metalium {

/// Tiles of matrices, as the functions below take them.
struct Tiling {
  Tiling(std::span<const std::uint32_t> shape, const std::optional<PhysicalSize>& tile,
         const std::optional<PhysicalSize>& face, bool transpose_within_face,
         bool transpose_of_faces);

  std::size_t position(TensorLayoutType layout, std::size_t matrix, std::uint32_t row,
                       std::uint32_t column) const;

  runtime::TiledShape shape;  ///< shape of one matrix
  bool transpose_within_face;
  bool transpose_of_faces;
};

template <typename T>
std::vector<T> reorder(std::span<const T> numbers, const Tiling& tiling, TensorLayoutType from,
                       TensorLayoutType to) {
  tiling.shape.check(numbers.size());
  std::vector<T> result(numbers.size());
  const auto [rows, columns] = tiling.shape.shape;
  const std::size_t matrices = numbers.size() / tiling.shape.size();
  for (std::size_t matrix = 0; matrix < matrices; ++matrix)
    for (std::uint32_t row = 0; row < rows; ++row)
      for (std::uint32_t column = 0; column < columns; ++column)
        result[tiling.position(to, matrix, row, column)] =
            numbers[tiling.position(from, matrix, row, column)];
  return result;
}

/// Consecutive tiles are a matrix of the height of a tile.
template <typename T>
std::vector<T> reorder_tiles(std::span<const T> numbers, TensorLayoutType from, TensorLayoutType to,
                             const std::optional<PhysicalSize>& tile,
                             const std::optional<PhysicalSize>& face, bool within, bool of_faces) {
  const PhysicalSize shape = tile.value_or(PhysicalSize{32, 32});
  return reorder(numbers, Tiling(shape, tile, face, within, of_faces), from, to);
}

}  // namespace tvp::metalium

// The last two dimensions of `shape` are the rows and columns of a matrix.
template <typename T>
std::vector<T> convert_layout(std::span<const T> numbers, std::span<const std::uint32_t> shape,
                              TensorLayoutType from, TensorLayoutType to,
                              std::optional<PhysicalSize> tile = std::nullopt,
                              std::optional<PhysicalSize> face = std::nullopt,
                              bool transpose_within_face = false, bool transpose_of_faces = false) {
  return tvp::metalium::reorder(
      numbers, tvp::metalium::Tiling(shape, tile, face, transpose_within_face, transpose_of_faces),
      from, to);
}
template <typename T>
std::vector<T> convert_layout(std::span<const T> numbers, const PhysicalSize& shape,
                              TensorLayoutType from, TensorLayoutType to,
                              std::optional<PhysicalSize> tile = std::nullopt,
                              std::optional<PhysicalSize> face = std::nullopt,
                              bool transpose_within_face = false, bool transpose_of_faces = false) {
  return convert_layout<T>(numbers, std::span<const std::uint32_t>(shape), from, to, tile, face,
                           transpose_within_face, transpose_of_faces);
}

// Converts the inside of tiles from row by row to face by face, and back.
template <typename T>
std::vector<T> convert_layout_tile_swizzled_to_tile_nfaces(
    std::span<const T> numbers, std::optional<PhysicalSize> tile = std::nullopt,
    std::optional<PhysicalSize> face = std::nullopt, bool transpose_face = false,
    bool transpose_face_order = false) {
  return tvp::metalium::reorder_tiles(numbers, TensorLayoutType::TILED_SWIZZLED,
                                      TensorLayoutType::TILED_NFACES, tile, face, transpose_face,
                                      transpose_face_order);
}
template <typename T>
std::vector<T> convert_layout_tile_nfaces_to_tile_swizzled(
    std::span<const T> numbers, std::optional<PhysicalSize> tile = std::nullopt,
    std::optional<PhysicalSize> face = std::nullopt, bool transpose_face = false,
    bool transpose_face_order = false) {
  return tvp::metalium::reorder_tiles(numbers, TensorLayoutType::TILED_NFACES,
                                      TensorLayoutType::TILED_SWIZZLED, tile, face, transpose_face,
                                      transpose_face_order);
}
/// Names of 2024.
template <typename Container>
auto convert_to_tile_layout(const Container& numbers,
                            std::optional<PhysicalSize> tile = std::nullopt,
                            std::optional<PhysicalSize> face = std::nullopt) {
  using T = typename Container::value_type;
  return convert_layout_tile_swizzled_to_tile_nfaces<std::remove_const_t<T>>(
      std::span<const T>(numbers), tile, face);
}
template <typename Container>
auto convert_to_flat_layout(const Container& numbers,
                            std::optional<PhysicalSize> tile = std::nullopt,
                            std::optional<PhysicalSize> face = std::nullopt) {
  using T = typename Container::value_type;
  return convert_layout_tile_nfaces_to_tile_swizzled<std::remove_const_t<T>>(
      std::span<const T>(numbers), tile, face);
}

/// Places of numbers in a tensor of four dimensions, row by row.
struct TensAddr {
  explicit TensAddr(const std::vector<std::uint32_t>& shape);
  std::uint32_t numel() const;
  /// Throws Fault(kDescription) outside the tensor.
  int offs(int n, int c, int h, int w) const;

  std::vector<std::uint32_t> sh;
};
