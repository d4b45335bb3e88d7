#include "sw/runtime/sharding/mesh_composer.h"

#include <string>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {
namespace {

/// Parts on the devices at each place of the axes, from the first entry on.
std::vector<TensorBox> parts_of(const MeshAxes& axes, const DistributedBuffer& buffer) {
  std::vector<TensorBox> parts;
  for (std::uint32_t place = 0; place < axes.devices(); ++place)
    parts.push_back(buffer.partition().box(axes.device(place)));
  for (TensorBox& part : parts) part.begin.assign(part.begin.size(), 0);
  return parts;
}

[[noreturn]] void refuse_parts(const MeshAxes& axes, const TensorShape& one,
                               const TensorShape& other, std::size_t d, bool joined) {
  refuse(Refusal::kDevicesDiffer,
         "shards of shape " + text_of(one) + " and " + text_of(other) + " on axes of " +
             axes.str() + " devices, which differ in dimension " + std::to_string(d),
         joined ? "the same for all that lie beside each other along it"
                : "the same for all, as it is not joined");
}

/// Puts parts after each other along the axes, and returns the shape of the whole.
TensorShape arrange(const MeshAxes& axes, const std::vector<std::size_t>& dims,
                    std::vector<TensorBox>& parts) {
  TensorShape whole = parts.front().extent;
  std::vector<bool> joined(whole.size(), false);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::size_t d = dims[axis];
    joined[d] = true;
    whole[d] = 0;
    std::vector<const TensorBox*> first;  // parts at each place along this axis
    for (std::uint32_t place = 0; place < axes.devices(); ++place) {
      TensorBox& part = parts[place];
      const std::uint32_t at = axes.coordinate(place)[axis];
      if (at == first.size()) {
        first.push_back(&part);
        part.begin[d] = whole[d];
        whole[d] += part.extent[d];
      }
      part.begin[d] = first[at]->begin[d];
      if (part.extent[d] != first[at]->extent[d])
        refuse_parts(axes, first[at]->extent, part.extent, d, true);
    }
  }
  for (const TensorBox& part : parts)
    for (std::size_t d = 0; d < whole.size(); ++d)
      if (!joined[d] && part.extent[d] != whole[d])
        refuse_parts(axes, parts.front().extent, part.extent, d, false);
  return whole;
}

}  // namespace

MeshComposer::MeshComposer(const MeshShape& mesh, MeshComposerConfig config)
    : axes_(mesh, std::move(config.mesh_shape_override)), dims_(std::move(config.dims)) {
  if (dims_.size() != axes_.sizes().size())
    refuse(Refusal::kPlacementCount,
           std::to_string(dims_.size()) + " dimensions to join shards along, for a mesh of " +
               axes_.str(),
           std::to_string(axes_.sizes().size()) + ", one for each axis");
}

MeshComposer::MeshComposer(const MeshDevice& mesh, MeshComposerConfig config)
    : MeshComposer(mesh.shape(), std::move(config)) {}

ComposedTensor MeshComposer::compose(const DistributedBuffer& buffer) const {
  return join(buffer, buffer.partition().local_shape(), parts_of(axes_, buffer));
}

ComposedTensor MeshComposer::compose(const DistributedBuffer& buffer,
                                     const TensorShape& shard) const {
  check_tensor(shard, buffer.datum_size());
  if (volume(shard) * buffer.datum_size() != buffer.local_size())
    refuse(Refusal::kContentSize,
           "shards of shape " + text_of(shard) + " where devices have " +
               text_of(buffer.partition().local_shape()),
           "as many datums");
  if (buffer.partition().padded())
    refuse(Refusal::kUnevenShards, "another shape for shards with padding", "shards without");
  std::vector<TensorBox> parts = parts_of(axes_, buffer);
  for (TensorBox& part : parts) part = {TensorShape(shard.size(), 0), shard};
  return join(buffer, shard, parts);
}

ComposedTensor MeshComposer::join(const DistributedBuffer& buffer, const TensorShape& local,
                                  const std::vector<TensorBox>& shards) const {
  if (axes_.mesh() != buffer.mesh().shape())
    refuse(Refusal::kMeshShape, "a composer for another mesh", "one for the mesh of the buffer");
  std::vector<std::size_t> dims;
  for (const int dim : dims_) {
    const std::size_t d = dimension(local, dim);
    for (const std::size_t other : dims)
      if (other == d)
        refuse(Refusal::kRepeatedAxis,
               "two axes of the mesh joined along dimension " + std::to_string(d),
               "a dimension of its own for each, or one axis for all devices");
    dims.push_back(d);
  }
  std::vector<TensorBox> parts = shards;
  ComposedTensor result{arrange(axes_, dims, parts), {}};
  result.bytes.resize(volume(result.shape) * buffer.datum_size());
  for (std::uint32_t place = 0; place < axes_.devices(); ++place)
    buffer.read_part(axes_.device(place), result.shape, local, parts[place], result.bytes);
  return result;
}

MeshComposer ConcatMeshToTensor(const MeshDevice& mesh, int dim) {
  return {mesh, {{dim}, std::vector<std::uint32_t>{mesh.num_devices()}}};
}

MeshComposer ConcatMesh2dToTensor(const MeshDevice& mesh, const MeshShape& mesh_shape,
                                  std::array<int, 2> dims) {
  return {mesh,
          {{dims[0], dims[1]}, std::vector<std::uint32_t>{mesh_shape.rows, mesh_shape.columns}}};
}

}  // namespace tvp::runtime::sharding
