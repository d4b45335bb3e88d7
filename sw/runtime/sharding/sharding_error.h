#pragma once

#include <cstdint>
#include <string>

#include "foundation/fault.h"

namespace tvp::runtime::sharding {

/// Why a distribution over a mesh is refused.
enum class Refusal : std::uint8_t {
  // The tensor
  kEmptyTensor,      ///< no dimensions, or one of no entries
  kRank,             ///< more dimensions than are handled
  kTooLarge,         ///< bytes that no device address reaches
  kDatumSize,        ///< datums of no bytes
  kContentSize,      ///< other bytes given than the tensor has
  kNoSuchDimension,  ///< beyond the tensor's
  // The mesh
  kNoMesh,          ///< a config without a mesh
  kMeshShape,       ///< a shape that is not one of the mesh's devices
  kPlacementCount,  ///< not one placement for each axis of the mesh
  kNoShard,         ///< a device that holds nothing of the tensor
  kDevicesDiffer,   ///< shards that do not fit together where they are joined
  kRepeatedAxis,    ///< two axes of the mesh joined along one dimension
  // Requests that ShardedBufferConfig cannot express
  kUnevenShards,   ///< a dimension that does not divide among its devices
  kStridedRows,    ///< shards whose rows do not follow each other in the flattened tensor
  kShardOrder,     ///< devices take shards neither row by row nor column by column
  kGlobalSize,     ///< size and shape that give no whole datum
  kShardShape,     ///< shards that do not divide the shape
  kTooManyShards,  ///< more than the devices that take them
  // The layout on a device
  kPageSize,     ///< pages that do not divide a shard
  kLocalLayout,  ///< shards over banks that do not fit the device's part
};

/// As it stands in the text of a ShardingError, e.g. "strided-rows".
const char* name_of(Refusal refusal);

/// A distribution that is refused before anything is written. `what()` is
/// "sharding: NAME: what was given; expected what".
class ShardingError : public foundation::Fault {
 public:
  ShardingError(Refusal refusal, const std::string& given, const std::string& expected);
  Refusal refusal() const { return refusal_; }

 private:
  Refusal refusal_;
};

[[noreturn]] void refuse(Refusal refusal, const std::string& given, const std::string& expected);

}  // namespace tvp::runtime::sharding
