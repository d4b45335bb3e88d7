#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/mesh/mesh_coord.h"

namespace tvp::runtime::sharding {

/// The devices of a mesh under other axes: any number, outermost first. Axes that fit the rows and
/// columns of the mesh are its upper left corner. Others take devices row by row.
class MeshAxes {
 public:
  /// Without sizes, takes those of the mesh. Throws ShardingError (kMeshShape) if there are too few
  /// devices.
  MeshAxes(const MeshShape& mesh, std::optional<std::vector<std::uint32_t>> sizes);

  const MeshShape& mesh() const { return mesh_; }
  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  std::uint32_t devices() const;
  /// Position on each axis of device `place` of the axes, and this device's number in the mesh.
  std::vector<std::uint32_t> coordinate(std::uint32_t place) const;
  unsigned device(std::uint32_t place) const;
  std::string str() const;  ///< "2 x 4"

 private:
  MeshShape mesh_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace tvp::runtime::sharding
