#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sw/runtime/sharding/mesh_axes.h"
#include "sw/runtime/sharding/mesh_partition.h"

namespace tvp::runtime {
class MeshDevice;
}

namespace tvp::runtime::sharding {

struct Replicate {
  bool operator==(const Replicate&) const = default;
};
/// Cut along a dimension of the tensor; from the end when it is negative.
struct Shard {
  int dim = 0;
  bool operator==(const Shard&) const = default;
};
/// Placement of a tensor along an axis of the mesh.
using Placement = std::variant<Replicate, Shard>;

/// The name is tt-metal's (tt-metalium/distributed_tensor config of ttnn's create_mesh_mapper).
struct MeshMapperConfig {
  std::vector<Placement> placements;  ///< one for each axis, outermost first
  /// The devices under other axes than rows and columns.
  std::optional<std::vector<std::uint32_t>> mesh_shape_override{};
};

/// Which part of a tensor goes to which device. A dimension that is cut n ways is cut as
/// torch.chunk cuts it, into parts of ceil(entries / n), of which the last ones may be smaller or
/// empty. Axes that cut the same dimension do so together, the first of them outermost.
class MeshMapper {
 public:
  /// Throws ShardingError (kMeshShape, kPlacementCount).
  MeshMapper(const MeshShape& mesh, MeshMapperConfig config);
  MeshMapper(const MeshDevice& mesh, MeshMapperConfig config);

  const MeshAxes& axes() const { return axes_; }
  const std::vector<Placement>& placements() const { return placements_; }

  /// Throws ShardingError for what is no tensor or has no such dimension.
  MeshPartition partition(const TensorShape& shape) const;
  /// Into how many parts each dimension is cut.
  std::vector<std::uint32_t> cuts(const TensorShape& shape) const;

 private:
  MeshAxes axes_;
  std::vector<Placement> placements_;
};

// ttnn's names.
/// One part for each device, row by row of the mesh.
MeshMapper ShardTensorToMesh(const MeshDevice& mesh, int dim);
/// `dims[0]` among the rows of the mesh, `dims[1]` among the columns; the same for all of them
/// where there is no dimension.
MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, const MeshShape& mesh_shape,
                             std::array<std::optional<int>, 2> dims);
MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, std::array<std::optional<int>, 2> dims);
MeshMapper ReplicateTensorToMesh(const MeshDevice& mesh);

}  // namespace tvp::runtime::sharding
