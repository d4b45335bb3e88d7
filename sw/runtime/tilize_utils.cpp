#include "sw/runtime/tilize_utils.h"

#include <string>

#include "sw/runtime/errors.h"

namespace tvp::runtime {
namespace {

std::string sides_of(const PhysicalSize& size) {
  return std::to_string(size[0]) + " x " + std::to_string(size[1]);
}

void check_divides(const char* what, const PhysicalSize& whole, const PhysicalSize& part) {
  if (part[0] == 0 || part[1] == 0 || whole[0] % part[0] != 0 || whole[1] % part[1] != 0)
    bad_use("convert_layout",
            std::string(what) + sides_of(part) + " do not divide " + sides_of(whole));
}

/// Row by row in a block, of which there are several in a row.
std::size_t in_blocks(const PhysicalSize& whole, const PhysicalSize& block, std::uint32_t row,
                      std::uint32_t column) {
  const std::size_t number =
      std::size_t{row / block[0]} * (whole[1] / block[1]) + column / block[1];
  return number * block[0] * block[1];
}

}  // namespace

void TiledShape::check(std::size_t numbers) const {
  if (numbers == 0 || size() == 0 || numbers % size() != 0)
    bad_use("convert_layout",
            std::to_string(numbers) + " numbers for matrices of " + sides_of(shape));
  check_divides("tiles of ", shape, tile);
  check_divides("faces of ", tile, face);
}

std::size_t TiledShape::position(TensorLayoutType layout, std::uint32_t row,
                                 std::uint32_t column) const {
  if (layout == TensorLayoutType::LIN_ROW_MAJOR) return std::size_t{row} * shape[1] + column;
  const std::size_t first = in_blocks(shape, tile, row, column);
  row %= tile[0];
  column %= tile[1];
  if (layout == TensorLayoutType::TILED_SWIZZLED) return first + row * tile[1] + column;
  return first + in_blocks(tile, face, row, column) + row % face[0] * face[1] + column % face[1];
}

}  // namespace tvp::runtime
