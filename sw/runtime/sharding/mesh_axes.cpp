#include "sw/runtime/sharding/mesh_axes.h"

#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {

MeshAxes::MeshAxes(const MeshShape& mesh, std::optional<std::vector<std::uint32_t>> sizes)
    : mesh_(mesh),
      sizes_(sizes ? std::move(*sizes) : std::vector<std::uint32_t>{mesh.rows, mesh.columns}) {
  std::uint64_t all = sizes_.empty() ? 0 : 1;
  for (const std::uint32_t size : sizes_) {
    all *= size;
    if (all == 0 || all > mesh.mesh_size()) break;
  }
  if (all == 0 || all > mesh.mesh_size())
    refuse(Refusal::kMeshShape,
           "a mesh shape of " + str() + " for a mesh of " + std::to_string(mesh.rows) +
               " rows and " + std::to_string(mesh.columns) + " columns",
           "1 to " + std::to_string(mesh.mesh_size()) + " devices");
}

std::uint32_t MeshAxes::devices() const {
  std::uint32_t all = 1;
  for (const std::uint32_t size : sizes_) all *= size;
  return all;
}

std::vector<std::uint32_t> MeshAxes::coordinate(std::uint32_t place) const {
  std::vector<std::uint32_t> coordinate(sizes_.size());
  for (std::size_t axis = sizes_.size(); axis-- > 0;) {
    coordinate[axis] = place % sizes_[axis];
    place /= sizes_[axis];
  }
  return coordinate;
}

unsigned MeshAxes::device(std::uint32_t place) const {
  if (sizes_.size() != 2 || sizes_[0] > mesh_.rows || sizes_[1] > mesh_.columns) return place;
  return place / sizes_[1] * mesh_.columns + place % sizes_[1];
}

std::string MeshAxes::str() const {
  std::string text;
  for (const std::uint32_t size : sizes_)
    text.append(text.empty() ? "" : " x ").append(std::to_string(size));
  return text.empty() ? "no axes" : text;
}

}  // namespace tvp::runtime::sharding
