#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "sw/runtime/mesh/mesh_device.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "tests/support/golden_shards.h"

namespace tvp::test {

/// Golden shards with the bytes of a datum as last dimension.
using Bytes = xt::xarray<std::uint8_t>;

/// A tensor and its distribution along each axis of the devices, outermost first.
struct Trial {
  std::vector<std::uint64_t> shape;
  std::uint64_t datum_size = 2;
  std::vector<std::uint32_t> axes;       ///< their product is the number of devices
  std::vector<std::optional<int>> cuts;  ///< the cut dimension; empty: all devices have the same
  runtime::MeshShape mesh{};
  bool by_config = true;  ///< true if a ShardedBufferConfig can express it
  runtime::sharding::DeviceLocalLayoutConfig layout{};

  std::string text() const;
  runtime::sharding::MeshMapper mapper() const;
  /// The shard of device `device` of the mesh.
  Bytes golden(const Bytes& tensor, unsigned device) const;
};

/// Random numbers in which neighbors differ.
Bytes random_tensor(const Trial& trial, std::mt19937& random);

/// Writes with the config, if there is one, and with the mapper. Checks each device's golden shard,
/// and that all shards form the tensor. Returns "" or the error.
std::string try_out(runtime::MeshDevice& mesh, const Trial& trial, std::mt19937& random);

}  // namespace tvp::test
