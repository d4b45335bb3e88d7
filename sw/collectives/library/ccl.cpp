#include "sw/collectives/library/ccl.h"

#include "sw/runtime/errors.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/mesh_mapper.h"
#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::collectives::ccl {

namespace sharding = runtime::sharding;

namespace {

TensorShape shape_of(const Tensor& tensor) {
  if (!tensor) runtime::bad_use("collective", "the tensor is null: expected a tensor");
  return tensor->partition().local_shape();
}

void require_type(const Tensor& tensor, DataType type) {
  const std::uint64_t bytes = type == DataType::kBfloat16 ? 2 : 4;
  if (tensor->datum_size() != bytes)
    runtime::bad_use("collective",
                     "a tensor with datums of " + std::to_string(tensor->datum_size()) +
                         " bytes: expected those of the type, " + std::to_string(bytes));
}

/// The dimension, from the first one; shards along it follow each other in memory.
std::size_t outermost(const TensorShape& shape, int dim) {
  const int rank = static_cast<int>(shape.size());
  const int from_first = dim < 0 ? dim + rank : dim;
  if (from_first < 0 || from_first >= rank)
    sharding::refuse(sharding::Refusal::kNoSuchDimension, "dim " + std::to_string(dim),
                     "one of a tensor with " + std::to_string(rank) + " dimensions");
  const auto found = static_cast<std::size_t>(from_first);
  for (std::size_t before = 0; before < found; ++before)
    if (shape[before] != 1)
      sharding::refuse(
          sharding::Refusal::kStridedRows,
          "dim " + std::to_string(dim) + " behind a dimension of " + std::to_string(shape[before]),
          "dimensions of 1 before it, so that shards follow each other");
  return found;
}

Tensor whole(const Tensor& like, const TensorShape& shape, const Layout& layout) {
  return sharding::DistributedBuffer::create(like->mesh(),
                                             sharding::ReplicateTensorToMesh(like->mesh()), shape,
                                             like->datum_size(), layout);
}

}  // namespace

DataType type_of(const Tensor& tensor) {
  if (tensor->datum_size() == 2) return DataType::kBfloat16;
  if (tensor->datum_size() == 4) return DataType::kInt32;
  runtime::bad_use("collective",
                   "datums of " + std::to_string(tensor->datum_size()) + " bytes: expected 2 or 4");
}

Tensor all_gather(Communicator& ranks, const Tensor& input, int dim, const Layout& layout,
                  const CallOptions& options) {
  TensorShape shape = shape_of(input);
  shape[outermost(shape, dim)] *= ranks.size();
  Tensor output = whole(input, shape, layout);
  ranks.all_gather(input->buffer(), output->buffer(), type_of(input), options);
  return output;
}

Tensor reduce_scatter(Communicator& ranks, const Tensor& input, int dim, DataType type,
                      const Layout& layout, const CallOptions& options) {
  require_type(input, type);
  const TensorShape shape = shape_of(input);
  const std::size_t cut = outermost(shape, dim);
  if (shape[cut] % ranks.size() != 0)
    sharding::refuse(sharding::Refusal::kUnevenShards,
                     std::to_string(shape[cut]) + " of dim " + std::to_string(dim),
                     "a multiple of the " + std::to_string(ranks.size()) + " devices");
  Tensor output = sharding::DistributedBuffer::create(
      input->mesh(), sharding::ShardTensorToMesh(input->mesh(), static_cast<int>(cut)), shape,
      input->datum_size(), layout);
  ranks.reduce_scatter(input->buffer(), output->buffer(), type, ReduceOp::kSum, options);
  return output;
}

Tensor all_reduce(Communicator& ranks, const Tensor& input, DataType type, const Layout& layout,
                  const CallOptions& options) {
  const TensorShape shape = shape_of(input);
  require_type(input, type);
  Tensor output = whole(input, shape, layout);
  ranks.all_reduce(input->buffer(), output->buffer(), type, ReduceOp::kSum, options);
  return output;
}

Tensor broadcast(Communicator& ranks, const Tensor& input, runtime::MeshCoordinate sender_coord,
                 const Layout& layout, const CallOptions& options) {
  Tensor output = whole(input, shape_of(input), layout);
  ranks.broadcast(input->buffer(), output->buffer(), type_of(input),
                  input->mesh().device_index(sender_coord), options);
  return output;
}

std::vector<Tensor> all_broadcast(Communicator& ranks, const Tensor& input, const Layout& layout,
                                  const CallOptions& options) {
  std::vector<Tensor> outputs;
  for (std::uint32_t root = 0; root < ranks.size(); ++root) {
    outputs.push_back(whole(input, shape_of(input), layout));
    ranks.broadcast(input->buffer(), outputs.back()->buffer(), type_of(input), root, options);
  }
  return outputs;
}

Tensor point_to_point(Communicator& ranks, const Tensor& input,
                      runtime::MeshCoordinate receiver_coord, runtime::MeshCoordinate sender_coord,
                      const Layout& layout, const CallOptions& options) {
  Tensor output = whole(input, shape_of(input), layout);
  ranks.send_recv(input->buffer(), output->buffer(), type_of(input),
                  input->mesh().device_index(sender_coord),
                  input->mesh().device_index(receiver_coord), options);
  return output;
}

}  // namespace tvp::collectives::ccl
