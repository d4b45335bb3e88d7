#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "tests/support/golden_shards.h"

namespace tvp::test {

/// Golden shards have the bytes of a datum as a last dimension of their own.
using Bytes = xt::xarray<std::uint8_t>;

/// A tensor and where it goes: what happens along each axis of the devices, outermost first.
struct Trial {
  std::vector<std::uint64_t> shape;
  std::uint64_t datum_size = 2;
  std::vector<std::uint32_t> axes;       ///< as many devices as the mesh has
  std::vector<std::optional<int>> cuts;  ///< the dimension, none where all have the same
  runtime::MeshShape mesh{};
  bool by_config = true;  ///< a ShardedBufferConfig can say it
  runtime::sharding::DeviceLocalLayoutConfig layout{};

  std::string text() const;
  runtime::sharding::MeshMapper mapper() const;
  /// The shard of device `device` of the mesh.
  Bytes golden(const Bytes& tensor, unsigned device) const;
};

/// Numbers of a shape, in which neighbors differ.
Bytes random_tensor(const Trial& trial, std::mt19937& random);

/// Writes by the config, if there is one, and by the mapper; each device must have its golden
/// shard, and all of them make up the tensor. "" or what is wrong.
std::string try_out(runtime::MeshDevice& mesh, const Trial& trial, std::mt19937& random);

}  // namespace tvp::test
