#include "sw/metalium/tilize.h"

#include <array>
#include <ostream>
#include <string>

#include "sw/runtime/errors.h"

std::ostream& operator<<(std::ostream& out, TensorLayoutType layout) {
  static constexpr const char* kNames[] = {"LIN_ROW_MAJOR", "TILED_SWIZZLED", "TILED_NFACES"};
  return out << kNames[static_cast<std::size_t>(layout)];
}

TensAddr::TensAddr(const std::vector<std::uint32_t>& shape) : sh(shape) {
  if (sh.size() != 4)
    tvp::runtime::bad_use("TensAddr",
                          "a shape of " + std::to_string(sh.size()) + " dimensions; expected 4");
}
std::uint32_t TensAddr::numel() const { return sh[0] * sh[1] * sh[2] * sh[3]; }
int TensAddr::offs(int n, int c, int h, int w) const {
  const std::array<int, 4> at = {n, c, h, w};
  std::uint32_t offset = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (at[i] < 0 || static_cast<std::uint32_t>(at[i]) >= sh[i])
      tvp::runtime::bad_use("TensAddr", "index " + std::to_string(at[i]) + " of dimension " +
                                            std::to_string(i) + "; expected less than " +
                                            std::to_string(sh[i]));
    offset = offset * sh[i] + static_cast<std::uint32_t>(at[i]);
  }
  return static_cast<int>(offset);
}

namespace tvp::metalium {

using runtime::bad_use;

namespace {

PhysicalSize matrix_of(std::span<const std::uint32_t> shape) {
  if (shape.size() < 2)
    bad_use("convert_layout", "a shape of " + std::to_string(shape.size()) +
                                  " dimensions; expected rows and columns at its end");
  return {shape[shape.size() - 2], shape[shape.size() - 1]};
}

}  // namespace

Tiling::Tiling(std::span<const std::uint32_t> of, const std::optional<PhysicalSize>& tile,
               const std::optional<PhysicalSize>& face, bool within, bool of_faces)
    : shape{matrix_of(of), tile.value_or(PhysicalSize{32, 32}),
            face.value_or(PhysicalSize{16, 16})},
      transpose_within_face(within),
      transpose_of_faces(of_faces) {}

std::size_t Tiling::position(TensorLayoutType layout, std::size_t matrix, std::uint32_t row,
                             std::uint32_t column) const {
  const std::size_t first = matrix * shape.size();
  if (layout != TensorLayoutType::TILED_NFACES) return first + shape.position(layout, row, column);
  const std::uint32_t columns_of_tiles = shape.shape[1] / shape.tile[1];
  const std::size_t tile =
      std::size_t{row / shape.tile[0]} * columns_of_tiles + column / shape.tile[1];
  const std::uint32_t face_row = row % shape.tile[0] / shape.face[0];
  const std::uint32_t face_column = column % shape.tile[1] / shape.face[1];
  const std::uint32_t face = transpose_of_faces
                                 ? face_column * (shape.tile[0] / shape.face[0]) + face_row
                                 : face_row * (shape.tile[1] / shape.face[1]) + face_column;
  const std::uint32_t r = row % shape.face[0];
  const std::uint32_t c = column % shape.face[1];
  return first + tile * shape.tile[0] * shape.tile[1] + face * shape.face[0] * shape.face[1] +
         (transpose_within_face ? c * shape.face[0] + r : r * shape.face[1] + c);
}

}  // namespace tvp::metalium
