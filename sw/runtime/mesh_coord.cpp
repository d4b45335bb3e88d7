#include "sw/runtime/mesh_coord.h"

#include "sw/runtime/errors.h"

namespace tvp::runtime {

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

bool MeshCoordinateRange::contains(MeshCoordinate device) const {
  return device.row >= start_.row && device.row <= end_.row && device.column >= start_.column &&
         device.column <= end_.column;
}

bool MeshCoordinateRange::intersects(const MeshCoordinateRange& other) const {
  return start_.row <= other.end_.row && other.start_.row <= end_.row &&
         start_.column <= other.end_.column && other.start_.column <= end_.column;
}

std::vector<MeshCoordinate> MeshCoordinateRange::coords() const {
  std::vector<MeshCoordinate> all;
  for (std::uint32_t row = start_.row; row <= end_.row; ++row)
    for (std::uint32_t column = start_.column; column <= end_.column; ++column)
      all.push_back({row, column});
  return all;
}

std::string MeshCoordinateRange::str() const { return start_.str() + " to " + end_.str(); }

}  // namespace tvp::runtime
