#include "sw/runtime/sharding/mesh_mapper.h"

#include <algorithm>
#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

Placement placement_of(std::optional<int> dim) {
  if (dim) return Shard{*dim};
  return Replicate{};
}

}  // namespace

MeshMapper::MeshMapper(const MeshShape& mesh, MeshMapperConfig config)
    : axes_(mesh, std::move(config.mesh_shape_override)),
      placements_(std::move(config.placements)) {
  if (placements_.size() != axes_.sizes().size())
    refuse(Refusal::kPlacementCount,
           std::to_string(placements_.size()) + " placements for a mesh of " + axes_.str(),
           std::to_string(axes_.sizes().size()) + ", one for each axis");
}

MeshMapper::MeshMapper(const MeshDevice& mesh, MeshMapperConfig config)
    : MeshMapper(mesh.shape(), std::move(config)) {}

std::vector<std::uint32_t> MeshMapper::cuts(const TensorShape& shape) const {
  std::vector<std::uint32_t> cuts(shape.size(), 1);
  for (std::size_t axis = 0; axis < placements_.size(); ++axis)
    if (const auto* shard = std::get_if<Shard>(&placements_[axis]))
      cuts[dimension(shape, shard->dim)] *= axes_.sizes()[axis];
  return cuts;
}

MeshPartition MeshMapper::partition(const TensorShape& shape) const {
  check_tensor(shape, 1);
  const std::vector<std::uint32_t> ways = cuts(shape);
  TensorShape local(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d) local[d] = (shape[d] + ways[d] - 1) / ways[d];

  std::vector<std::optional<TensorBox>> boxes(axes_.mesh().mesh_size());
  for (std::uint32_t place = 0; place < axes_.devices(); ++place) {
    const std::vector<std::uint32_t> coordinate = axes_.coordinate(place);
    TensorShape number(shape.size(), 0);  // number of the part in each dimension
    for (std::size_t axis = 0; axis < placements_.size(); ++axis)
      if (const auto* shard = std::get_if<Shard>(&placements_[axis])) {
        std::uint64_t& part = number[dimension(shape, shard->dim)];
        part = part * axes_.sizes()[axis] + coordinate[axis];
      }
    TensorBox box{number, local};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      box.begin[d] = std::min(number[d] * local[d], shape[d]);
      box.extent[d] = std::min(local[d], shape[d] - box.begin[d]);
    }
    boxes[axes_.device(place)] = std::move(box);
  }
  return {shape, std::move(local), std::move(boxes)};
}

MeshMapper ShardTensorToMesh(const MeshDevice& mesh, int dim) {
  return {mesh, {{Shard{dim}}, std::vector<std::uint32_t>{mesh.num_devices()}}};
}

MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, const MeshShape& mesh_shape,
                             std::array<std::optional<int>, 2> dims) {
  return {mesh,
          {{placement_of(dims[0]), placement_of(dims[1])},
           std::vector<std::uint32_t>{mesh_shape.rows, mesh_shape.columns}}};
}

MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, std::array<std::optional<int>, 2> dims) {
  return ShardTensor2DMesh(mesh, mesh.shape(), dims);
}

MeshMapper ReplicateTensorToMesh(const MeshDevice& mesh) {
  return {mesh, {{Replicate{}}, std::vector<std::uint32_t>{mesh.num_devices()}}};
}

}  // namespace tvp::runtime::sharding
