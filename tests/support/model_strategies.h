#pragma once
// Distributions of tensors over meshes of two rows of four, as public models request from ttnn's
// mappers (tt-metal models/: tt_transformers, demos/llama3_70b_galaxy, deepseek_v3, whisper,
// resnet50). Sizes are smaller; the relevant dimensions are kept.

#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/sharding_trial.h"

namespace tvp::test {

struct Strategy {
  const char* name;
  std::vector<std::uint64_t> shape;
  std::vector<std::uint32_t> axes;
  std::vector<std::optional<int>> cuts;
  /// The error with which a ShardedBufferConfig refuses it; empty if it can express it.
  std::optional<runtime::sharding::Refusal> refusal{};

  Trial trial() const {
    Trial trial;
    trial.shape = shape;
    trial.axes = axes;
    trial.cuts = cuts;
    trial.mesh = {2, 4};
    trial.by_config = !refusal.has_value();
    return trial;
  }
};

inline std::vector<Strategy> model_strategies() {
  using runtime::sharding::Refusal;
  constexpr auto kAll = std::nullopt;
  const std::vector<std::uint32_t> line{8};
  const std::vector<std::uint32_t> mesh{2, 4};
  return {
      // Data parallel
      {"DataParallelBatchOfSequences", {16, 1, 32, 64}, line, {0}},
      {"DataParallelImages", {8, 1, 49, 64}, line, {0}},
      {"DataParallelOverRowsOnly", {4, 1, 32, 64}, mesh, {0, kAll}},
      {"DataParallelTokens", {1, 1, 64, 8}, line, {2}},
      // Tensor parallel
      {"ColumnParallelWeights", {1, 1, 64, 256}, line, {-1}},
      {"ColumnParallelWeightsOfTwoDimensions", {64, 256}, line, {-1}},
      {"RowParallelWeights", {1, 1, 256, 64}, line, {-2}},
      {"FusedQueryKeyValue", {1, 1, 64, 384}, line, {3}},
      {"ColumnParallelInEachRow", {1, 1, 64, 256}, mesh, {kAll, 3}},
      {"RowParallelDownTheColumns", {1, 1, 256, 64}, mesh, {2, kAll}},
      {"BiasOfColumnParallel", {256}, line, {0}},
      {"EmbeddingByItsWidth", {1, 1, 500, 64}, line, {3}},
      {"VocabularyOfTheHead", {1, 1, 64, 512}, line, {-1}},
      {"VocabularyThatDoesNotDivide", {1, 1, 64, 517}, line, {-1}, Refusal::kUnevenShards},
      // Heads
      {"HeadsOfOneUser", {1, 16, 32, 16}, line, {1}},
      {"HeadsOfManyUsers", {4, 16, 32, 16}, line, {1}, Refusal::kStridedRows},
      {"KeyValueCacheInPages", {32, 8, 16, 16}, line, {1}, Refusal::kStridedRows},
      {"HeadsInEachRow", {1, 8, 32, 16}, mesh, {kAll, 1}},
      // Sequence
      {"SequenceOfOneUser", {1, 1, 256, 64}, line, {2}},
      {"SequenceOfManyUsers", {4, 1, 64, 64}, line, {2}, Refusal::kStridedRows},
      {"SequenceThatDoesNotDivide", {1, 1, 100, 64}, line, {2}, Refusal::kUnevenShards},
      // Blocks of both
      {"BlocksOfWeights", {1, 1, 128, 256}, mesh, {2, 3}},
      {"BlocksOfWeightsTurned", {1, 1, 256, 128}, mesh, {3, 2}},
      {"BlocksOfManyLayers", {3, 1, 128, 256}, mesh, {2, 3}, Refusal::kStridedRows},
      // The same for all
      {"NormsRepeated", {1, 1, 8, 32}, mesh, {kAll, kAll}},
      {"RotaryTablesRepeated", {1, 1, 256, 64}, line, {kAll}},
      // Mixed
      {"UsersByRowsWidthByColumns", {8, 1, 32, 256}, mesh, {0, 3}},
      {"UsersByRowsHeadsByColumns", {8, 8, 32, 16}, mesh, {0, 1}, Refusal::kStridedRows},
      {"OneUserARowHeadsByColumns", {2, 8, 32, 16}, mesh, {0, 1}},
      {"UsersByRowsSequenceByColumns", {8, 1, 64, 16}, mesh, {0, 2}, Refusal::kStridedRows},
      {"ActivationsWidthByRows", {1, 1, 32, 256}, mesh, {3, kAll}},
      // Experts
      {"Experts", {16, 1, 32, 64}, line, {0}},
      {"ExpertsOfOneLayer", {1, 16, 32, 64}, line, {1}},
      {"ExpertsByRowsTheirWidthByColumns", {4, 1, 32, 256}, mesh, {0, 3}},
      {"ExpertsByRowsTheirDepthByColumns", {4, 1, 256, 32}, mesh, {0, 2}, Refusal::kStridedRows},
  };
}

}  // namespace tvp::test
