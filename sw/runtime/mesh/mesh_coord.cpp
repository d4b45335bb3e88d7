#include "sw/runtime/mesh/mesh_coord.h"

#include "sw/runtime/errors.h"

namespace tvp::runtime {

MeshCoordinate MeshCoordinate::zero_coordinate(std::size_t dimensions) {
  if (dimensions != 2)
    bad_use("MeshCoordinate", std::to_string(dimensions) + " dimensions; expected 2");
  return {};
}

std::string MeshCoordinate::str() const {
  std::string text = "(";
  text.append(std::to_string(row)).append(", ").append(std::to_string(column)).append(")");
  return text;
}

MeshCoordinateRange::MeshCoordinateRange(MeshCoordinate start, MeshCoordinate end)
    : start_(start), end_(end) {
  if (end.row < start.row || end.column < start.column)
    bad_use("mesh range", "ends at " + end.str() + ", before its start at " + start.str());
}

MeshCoordinate MeshCoordinateRange::last_of(const MeshShape& shape) {
  if (shape.rows == 0 || shape.columns == 0)
    bad_use("mesh range", "a mesh of " + std::to_string(shape.rows) + " x " +
                              std::to_string(shape.columns) + " has no devices");
  return {shape.rows - 1, shape.columns - 1};
}

bool MeshCoordinateRange::contains(MeshCoordinate device) const {
  return device.row >= start_.row && device.row <= end_.row && device.column >= start_.column &&
         device.column <= end_.column;
}

bool MeshCoordinateRange::intersects(const MeshCoordinateRange& other) const {
  return start_.row <= other.end_.row && other.start_.row <= end_.row &&
         start_.column <= other.end_.column && other.start_.column <= end_.column;
}

std::vector<MeshCoordinate> MeshCoordinateRange::coords() const {
  constexpr std::uint64_t kMost = 1U << 16;
  const std::uint64_t rows = std::uint64_t{end_.row} - start_.row + 1,
                      columns = std::uint64_t{end_.column} - start_.column + 1;
  if (rows > kMost || columns > kMost || rows * columns > kMost)
    bad_use("mesh range " + str(), "has more devices than any system");
  std::vector<MeshCoordinate> all;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t column = 0; column < columns; ++column)
      all.push_back({start_.row + row, start_.column + column});
  return all;
}

std::string MeshCoordinateRange::str() const { return start_.str() + " to " + end_.str(); }

}  // namespace tvp::runtime
