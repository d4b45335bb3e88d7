#include "sw/runtime/sharding/sharding_error.h"

namespace tvp::runtime::sharding {

const char* name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kEmptyTensor:
      return "empty-tensor";
    case Refusal::kRank:
      return "rank";
    case Refusal::kTooLarge:
      return "too-large";
    case Refusal::kDatumSize:
      return "datum-size";
    case Refusal::kContentSize:
      return "content-size";
    case Refusal::kNoSuchDimension:
      return "no-such-dimension";
    case Refusal::kNoMesh:
      return "no-mesh";
    case Refusal::kMeshShape:
      return "mesh-shape";
    case Refusal::kPlacementCount:
      return "placement-count";
    case Refusal::kNoShard:
      return "no-shard";
    case Refusal::kDevicesDiffer:
      return "devices-differ";
    case Refusal::kRepeatedAxis:
      return "repeated-axis";
    case Refusal::kUnevenShards:
      return "uneven-shards";
    case Refusal::kStridedRows:
      return "strided-rows";
    case Refusal::kShardOrder:
      return "shard-order";
    case Refusal::kGlobalSize:
      return "global-size";
    case Refusal::kShardShape:
      return "shard-shape";
    case Refusal::kTooManyShards:
      return "too-many-shards";
    case Refusal::kPageSize:
      return "page-size";
    case Refusal::kLocalLayout:
      return "local-layout";
  }
  return "?";
}

ShardingError::ShardingError(Refusal refusal, const std::string& given, const std::string& expected)
    : Fault(foundation::FaultKind::kDescription, "sharding",
            std::string(name_of(refusal)) + ": " + given + "; expected " + expected),
      refusal_(refusal) {}

void refuse(Refusal refusal, const std::string& given, const std::string& expected) {
  throw ShardingError(refusal, given, expected);
}

}  // namespace tvp::runtime::sharding
