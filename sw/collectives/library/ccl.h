#pragma once
// Collectives under the names of ttnn (ttnn/operations/ccl, ttnn/operations/point_to_point), on
// tensors over the devices of a mesh. ttnn's parameter for a cluster axis does not exist: all
// devices take part.

#include <memory>
#include <vector>

#include "sw/collectives/library/communicator.h"
#include "sw/runtime/mesh/mesh_coord.h"
#include "sw/runtime/sharding/distributed_buffer.h"

namespace tvp::collectives::ccl {

using Tensor = std::unique_ptr<runtime::sharding::DistributedBuffer>;
using TensorShape = runtime::sharding::TensorShape;
using Layout = runtime::sharding::DeviceLocalLayoutConfig;

/// The type of a collective that combines nothing: one with the size of a datum, 2 or 4 bytes.
/// Throws Fault(kDescription) for other datums.
DataType type_of(const Tensor& tensor);

// Each device has an input tensor of the same shape: that of a shard, or the whole. Results lie on
// the devices as `layout` says, which must be the input's layout. A negative `dim` counts from the
// last dimension. All dimensions before `dim` must be 1, so that shards follow each other in
// memory; otherwise the functions throw ShardingError (strided-rows).

/// Returns all shards, joined along `dim`, on all devices.
Tensor all_gather(Communicator& ranks, const Tensor& input, int dim, const Layout& layout = {},
                  const CallOptions& options = {});
/// Returns the sum of all devices' tensors, cut along `dim`: one shard on each device.
Tensor reduce_scatter(Communicator& ranks, const Tensor& input, int dim, DataType type,
                      const Layout& layout = {}, const CallOptions& options = {});
/// Returns the sum of all devices' tensors on all devices.
Tensor all_reduce(Communicator& ranks, const Tensor& input, DataType type,
                  const Layout& layout = {}, const CallOptions& options = {});
/// Returns the tensor of one device on all devices.
Tensor broadcast(Communicator& ranks, const Tensor& input, runtime::MeshCoordinate sender_coord,
                 const Layout& layout = {}, const CallOptions& options = {});
/// Returns, for each device, its tensor on all devices.
std::vector<Tensor> all_broadcast(Communicator& ranks, const Tensor& input,
                                  const Layout& layout = {}, const CallOptions& options = {});
/// Returns the sender's tensor on the receiver; the result on other devices is undefined.
Tensor point_to_point(Communicator& ranks, const Tensor& input,
                      runtime::MeshCoordinate receiver_coord, runtime::MeshCoordinate sender_coord,
                      const Layout& layout = {}, const CallOptions& options = {});

}  // namespace tvp::collectives::ccl
