#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/runtime/sharding/mesh_axes.h"

namespace tvp::runtime::sharding {

/// The name is tt-metal's (ttnn's create_mesh_composer).
struct MeshComposerConfig {
  std::vector<int>
      dims;  ///< dimensions along which the shards of each axis are joined, outermost first
  std::optional<std::vector<std::uint32_t>> mesh_shape_override{};
};

struct ComposedTensor {
  TensorShape shape;
  std::vector<std::uint8_t> bytes;  ///< row by row
};

/// Joins the contents of the devices. Shards of one axis of the mesh follow each other along one
/// dimension. Data that was repeated along an axis appears as often. Padding is omitted.
class MeshComposer {
 public:
  /// Throws ShardingError (kMeshShape, kPlacementCount).
  MeshComposer(const MeshShape& mesh, MeshComposerConfig config);
  MeshComposer(const MeshDevice& mesh, MeshComposerConfig config);

  /// Throws ShardingError: kNoSuchDimension, kRepeatedAxis, kMeshShape for a buffer of another
  /// mesh, kNoShard for a device without one, kDevicesDiffer for shards that do not fit together.
  ComposedTensor compose(const DistributedBuffer& buffer) const;
  /// With shards of another shape of the same size, for example if a config has flattened the
  /// tensor. Also throws kContentSize, and kUnevenShards if there is padding.
  ComposedTensor compose(const DistributedBuffer& buffer, const TensorShape& shard) const;

 private:
  ComposedTensor join(const DistributedBuffer& buffer, const TensorShape& local,
                      const std::vector<TensorBox>& parts) const;

  MeshAxes axes_;
  std::vector<int> dims_;
};

// ttnn's names.
/// Joins all devices along one dimension, row by row of the mesh.
MeshComposer ConcatMeshToTensor(const MeshDevice& mesh, int dim);
/// Joins the rows of the mesh along `dims[0]` and its columns along `dims[1]`.
MeshComposer ConcatMesh2dToTensor(const MeshDevice& mesh, const MeshShape& mesh_shape,
                                  std::array<int, 2> dims);

}  // namespace tvp::runtime::sharding
