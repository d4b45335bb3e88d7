#pragma once
// Distributed buffers in command queues, under the names of distributed.h.

#include <memory>
#include <span>
#include <vector>

#include "sw/runtime/distributed.h"
#include "sw/runtime/sharding/distributed_buffer.h"

namespace tvp::runtime::sharding {

/// Writes the tensor to all devices that hold a part of it, after earlier commands. The call itself
/// cuts the shards.
inline void EnqueueWriteMeshBuffer(MeshCommandQueue& queue, const DistributedBuffer& buffer,
                                   std::span<const std::uint8_t> tensor, bool blocking = false) {
  const MeshShape& mesh = queue.device()->shape();
  for (unsigned device = 0; device < buffer.partition().boxes().size(); ++device)
    if (buffer.partition().boxes()[device])
      queue.enqueue_write_shard(buffer.buffer(), buffer.local_content(device, tensor),
                                {device / mesh.columns, device % mesh.columns}, false);
  if (blocking) queue.finish();
}

/// Waits for earlier commands and composes the tensor.
inline void EnqueueReadMeshBuffer(MeshCommandQueue& queue, std::vector<std::uint8_t>& tensor,
                                  const DistributedBuffer& buffer) {
  queue.finish();
  tensor = buffer.read();
}

}  // namespace tvp::runtime::sharding
