#pragma once
// Collectives by the names of ttnn (ttnn/operations/ccl, ttnn/operations/point_to_point), on
// tensors over the devices of a mesh. `cluster_axis` is not there: all devices take part.

#include <memory>
#include <vector>

#include "sw/collectives/library/communicator.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/sharding/distributed_buffer.h"

namespace tvp::collectives::ccl {

using Tensor = std::unique_ptr<runtime::sharding::DistributedBuffer>;
using TensorShape = runtime::sharding::TensorShape;
using Layout = runtime::sharding::DeviceLocalLayoutConfig;

// Inputs have a tensor of the same shape on each device: that of a shard, or whole. Results lie on
// the devices as `layout` says, and that has to be the input's. A `dim` below 0 counts from the
// last; all dimensions before it must be 1, so that shards follow each other in memory, else these
// throw ShardingError (strided-rows).

/// All shards, joined along `dim`, on all devices.
Tensor all_gather(Communicator& ranks, const Tensor& input, int dim, const Layout& layout = {},
                  const CallOptions& options = {});
/// The sum of all devices' tensors, cut along `dim`, a shard each.
Tensor reduce_scatter(Communicator& ranks, const Tensor& input, int dim, DataType type,
                      const Layout& layout = {}, const CallOptions& options = {});
/// The sum of all devices' tensors on all of them.
Tensor all_reduce(Communicator& ranks, const Tensor& input, DataType type,
                  const Layout& layout = {}, const CallOptions& options = {});
/// The tensor of one device on all of them.
Tensor broadcast(Communicator& ranks, const Tensor& input, runtime::MeshCoordinate sender_coord,
                 const Layout& layout = {}, const CallOptions& options = {});
/// Of each device its tensor on all of them.
std::vector<Tensor> all_broadcast(Communicator& ranks, const Tensor& input,
                                  const Layout& layout = {}, const CallOptions& options = {});
/// The sender's tensor on the receiver; what others have of the result is of no meaning.
Tensor point_to_point(Communicator& ranks, const Tensor& input,
                      runtime::MeshCoordinate receiver_coord, runtime::MeshCoordinate sender_coord,
                      const Layout& layout = {}, const CallOptions& options = {});

}  // namespace tvp::collectives::ccl
