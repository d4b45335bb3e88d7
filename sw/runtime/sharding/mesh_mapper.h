#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "sw/runtime/metal_classes.h"
#include "sw/runtime/sharding/mesh_axes.h"
#include "sw/runtime/sharding/mesh_partition.h"

namespace tvp::runtime::sharding {

struct Replicate {
  bool operator==(const Replicate&) const = default;
};
/// Cut along a dimension of the tensor. Negative dimensions count from the end.
struct Shard {
  int dim = 0;
  bool operator==(const Shard&) const = default;
};
/// Placement of a tensor along an axis of the mesh.
using Placement = std::variant<Replicate, Shard>;

/// The name is tt-metal's (tt-metalium/distributed_tensor config of ttnn's create_mesh_mapper).
struct MeshMapperConfig {
  std::vector<Placement> placements;  ///< one for each axis, outermost first
  /// Axes of the devices other than rows and columns.
  std::optional<std::vector<std::uint32_t>> mesh_shape_override{};
};

/// Assignment of parts of a tensor to devices. A cut into n parts is that of torch.chunk: parts
/// have ceil(entries / n) entries, and the last ones may be smaller or empty. Axes that cut the
/// same dimension do so together, the first of them outermost.
class MeshMapper {
 public:
  /// Throws ShardingError (kMeshShape, kPlacementCount).
  MeshMapper(const MeshShape& mesh, MeshMapperConfig config);
  MeshMapper(const MeshDevice& mesh, MeshMapperConfig config);

  const MeshAxes& axes() const { return axes_; }
  const std::vector<Placement>& placements() const { return placements_; }

  /// Throws ShardingError for an invalid tensor or an unknown dimension.
  MeshPartition partition(const TensorShape& shape) const;
  /// Number of parts of each dimension.
  std::vector<std::uint32_t> cuts(const TensorShape& shape) const;

 private:
  MeshAxes axes_;
  std::vector<Placement> placements_;
};

// ttnn's names.
/// One part for each device, row by row of the mesh.
MeshMapper ShardTensorToMesh(const MeshDevice& mesh, int dim);
/// `dims[0]` among the rows of the mesh, `dims[1]` among the columns. Without a dimension the data
/// is repeated.
MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, const MeshShape& mesh_shape,
                             std::array<std::optional<int>, 2> dims);
MeshMapper ShardTensor2DMesh(const MeshDevice& mesh, std::array<std::optional<int>, 2> dims);
MeshMapper ReplicateTensorToMesh(const MeshDevice& mesh);

}  // namespace tvp::runtime::sharding
