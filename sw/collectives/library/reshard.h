#pragma once

#include <optional>

#include "sw/collectives/library/ccl.h"

namespace tvp::collectives::ccl {

/// Returns the tensor with another distribution. All data move by kernels and packets of the
/// devices. `input` is cut along its outermost or its innermost dimension into a shard for each
/// device, as ShardTensorToMesh does. `to_dim` is the other of the two; without it all devices get
/// the whole tensor. The parts of a row that lie on one device are a power of two of bytes, 32 or
/// more. Throws ShardingError for other distributions: uneven-shards, shard-order, strided-rows,
/// page-size.
Tensor reshard(Communicator& ranks, const Tensor& input, std::optional<int> to_dim,
               const CallOptions& options = {});

}  // namespace tvp::collectives::ccl
