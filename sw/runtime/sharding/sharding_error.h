#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"

namespace tvp::runtime::sharding {

/// Reason for refusing a distribution over a mesh.
enum class Refusal : std::uint8_t {
  // The tensor
  kEmptyTensor,      ///< no dimensions, or a dimension without entries
  kRank,             ///< more dimensions than supported
  kTooLarge,         ///< more bytes than device addresses
  kDatumSize,        ///< datums without bytes
  kContentSize,      ///< number of bytes differs from the tensor's
  kNoSuchDimension,  ///< beyond the tensor's
  // The mesh
  kNoMesh,          ///< a config without a mesh
  kMeshShape,       ///< the shape does not fit the mesh's devices
  kPlacementCount,  ///< not one placement for each axis of the mesh
  kNoShard,         ///< a device without a part of the tensor
  kDevicesDiffer,   ///< shards that do not fit together
  kRepeatedAxis,    ///< two axes of the mesh joined along one dimension
  // Requests that ShardedBufferConfig cannot express
  kUnevenShards,   ///< a dimension that does not divide among its devices
  kStridedRows,    ///< shards whose rows are not consecutive in the flattened tensor
  kShardOrder,     ///< shards neither row by row nor column by column
  kGlobalSize,     ///< size and shape that give no whole datum size
  kShardShape,     ///< shards that do not divide the shape
  kTooManyShards,  ///< more shards than devices
  // The layout on a device
  kPageSize,     ///< pages that do not divide a shard
  kLocalLayout,  ///< shards over banks that do not fit the device's part
};

/// Name in the text of a ShardingError, for example "strided-rows".
const char* name_of(Refusal refusal);

/// A distribution that is refused before anything is written. `what()` is "sharding: NAME: the
/// given value; the expected value".
class ShardingError : public foundation::Fault {
 public:
  ShardingError(Refusal refusal, const std::string& given, const std::string& expected);
  Refusal refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

[[noreturn]] void refuse(Refusal refusal, const std::string& given, const std::string& expected);

}  // namespace tvp::runtime::sharding
