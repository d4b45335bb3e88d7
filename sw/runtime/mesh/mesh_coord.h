#pragma once
// Devices of a mesh by row and column (tt-metal's tt-metalium/mesh_coord.hpp, of two dimensions).

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace tvp::runtime {

struct MeshShape {
  std::uint32_t rows = 1;
  std::uint32_t columns = 1;
  std::uint32_t mesh_size() const { return rows * columns; }
  std::size_t dims() const { return 2; }
  std::uint32_t operator[](std::size_t dimension) const { return dimension == 0 ? rows : columns; }
  bool operator==(const MeshShape&) const = default;
};

struct MeshCoordinate {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::uint32_t operator[](std::size_t dimension) const { return dimension == 0 ? row : column; }
  auto operator<=>(const MeshCoordinate&) const = default;
  /// The first device. Throws Fault(kDescription) for other than two dimensions.
  static MeshCoordinate zero_coordinate(std::size_t dimensions);
  std::string str() const;  ///< "(row, column)"
};

/// All devices from `start` to `end`, both included.
class MeshCoordinateRange {
 public:
  /// Throws Fault(kDescription) when `end` is before `start`.
  MeshCoordinateRange(MeshCoordinate start, MeshCoordinate end);
  explicit MeshCoordinateRange(MeshCoordinate device) : MeshCoordinateRange(device, device) {}
  /// All of a mesh.
  explicit MeshCoordinateRange(const MeshShape& shape)
      : MeshCoordinateRange({0, 0}, last_of(shape)) {}

  const MeshCoordinate& start_coord() const { return start_; }
  const MeshCoordinate& end_coord() const { return end_; }
  bool contains(MeshCoordinate device) const;
  bool intersects(const MeshCoordinateRange& other) const;
  /// Row by row. Throws Fault(kDescription) for more than any system has.
  std::vector<MeshCoordinate> coords() const;
  std::string str() const;
  auto operator<=>(const MeshCoordinateRange&) const = default;

 private:
  static MeshCoordinate last_of(const MeshShape& shape);

  MeshCoordinate start_;
  MeshCoordinate end_;
};

}  // namespace tvp::runtime
