#include "sw/runtime/host_api.h"

namespace tvp::runtime {
namespace {

MeshDevice& mesh_of(IDevice* device) {
  if (device == nullptr) bad_use("buffer", "its configuration names no device");
  return device->mesh();
}

}  // namespace

std::shared_ptr<MeshBuffer> CreateBuffer(const InterleavedBufferConfig& config) {
  return MeshBuffer::create(mesh_of(config.device), config);
}

std::shared_ptr<MeshBuffer> create_sharded(const ShardedBufferConfig& config,
                                           std::optional<SubDeviceId> sub_device) {
  MeshDevice& mesh = mesh_of(config.device);
  if (!config.shard_parameters && config.cores.ranges().empty())
    bad_use("buffer", "a sharded buffer needs shard_parameters");
  return MeshBuffer::create(mesh, config, sub_device);
}

}  // namespace tvp::runtime
