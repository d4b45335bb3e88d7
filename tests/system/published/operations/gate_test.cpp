// The gate of a mixture of experts: the best experts of the best groups, and their weights.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kKernels =
    "ttnn/cpp/ttnn/operations/experimental/reduction/deepseek_grouped_gate/device/kernels/";
constexpr Word kTokens = 64, kExperts = 256, kGroups = 8, kGroup = kExperts / kGroups;
constexpr Word kBestGroups = 4, kBest = 8, kSummed = 2, kWide = kExperts / 32;
constexpr float kEpsilon = 1e-20F, kScale = 2.5F;

Word twice_bf16(float value) { return to_bf16(value) | Word{to_bf16(value)} << 16; }

class PublishedGate : public PublishedTest {};

TEST_F(PublishedGate, OfTheBestExpertsOfTheBestGroups) {
  const Numbers scores = random(kTokens / 32, kWide, -3, 3);
  Numbers bias = random(kTokens / 32, kWide, -0.5F, 0.5F);
  // Half of the groups of each token have much larger scores than the others.
  for (std::size_t token = 0; token < kTokens; ++token) {
    std::vector<std::size_t> groups(kGroups);
    std::iota(groups.begin(), groups.end(), 0);
    std::shuffle(groups.begin(), groups.end(), random_);
    for (std::size_t i = 0; i < kBestGroups; ++i)
      for (std::size_t e = kGroup * groups[i]; e < kGroup * (groups[i] + 1); ++e)
        bias.set(token, e, static_cast<float>(bias(token, e)) + 2);
  }
  const auto scores_in = tensor(scores), bias_in = tensor(bias);
  const auto weights = result(kTokens / 32), places = result(kTokens / 32);
  enum : std::uint8_t {
    kScores,
    kBias,
    kOutWeights,
    kOutIndices,
    kSigmoid,
    kBiased,
    kSorted,
    kSortedIndices,
    kExpertIndices,
    kGroupIndices,
    kSums,
    kTop,
    kOrder,
    kWinners,
    kWinnerIndices,
    kReduced,
    kFinal,
    kOnes,
    kSmall,
    kRoute,
    kNormalized,
    kReciprocals,
    kGathered
  };
  const std::map<std::string, Word> named = {
      {"cb_in_scores", kScores},
      {"cb_in_bias", kBias},
      {"cb_out_weights", kOutWeights},
      {"cb_out_indices", kOutIndices},
      {"cb_sigmoid_scores", kSigmoid},
      {"cb_biased_scores", kBiased},
      {"cb_sorted_group_scores", kSorted},
      {"cb_sorted_expert_indices_temp", kSortedIndices},
      {"cb_expert_index_template", kExpertIndices},
      {"cb_group_index_template", kGroupIndices},
      {"cb_group_summed_scores", kSums},
      {"cb_top_experts_per_group", kTop},
      {"cb_sorted_group_order", kOrder},
      {"cb_winning_group_scores", kWinners},
      {"cb_winning_group_indices", kWinnerIndices},
      {"cb_reduce_intermediate", kReduced},
      {"cb_final_indices_transposed", kFinal},
      {"cb_reduce_ones_scalar", kOnes},
      {"cb_epsilon_scalar", kSmall},
      {"cb_route_scale_scalar", kRoute},
      {"cb_normalized_scores", kNormalized},
      {"cb_reciprocal_sums", kReciprocals},
      {"cb_gathered_sigmoid", kGathered},
      {"width_tiles", kWide},
      {"scores_page_size", 2048},
      {"bias_page_size", 2048},
      {"weights_page_size", 2048},
      {"indices_page_size", 2048},
      {"group_size", kGroup},
      {"log_group_size", 5},
      {"summed_experts_per_group", kSummed},
      {"topk_groups", kBestGroups},
      {"log_topk_groups", 2},
      {"n_groups", kGroups},
      {"log_n_groups", 3},
      {"num_group_tiles", 1},
      {"n_activated_experts", kBest},
      {"n_activated_expert_tiles", 1},
      {"log_n_activated_experts", 3},
      {"experts", kExperts},
      {"tile_width", 32},
      {"tile_height", 32},
      {"tokens", kTokens},
      {"packed_one_scalar", twice_bf16(1)},
      {"packed_epsilon", twice_bf16(kEpsilon)},
      {"packed_route_scale", twice_bf16(kScale)},
      {"seq_len_tiles", kTokens / 32},
      {"remainder_tokens_per_tile", 32},
  };
  Operation operation(*bench_);
  const auto floats = [&](std::initializer_list<std::uint8_t> cbs, Word pages) {
    for (const std::uint8_t cb : cbs) operation.buffer(cb, pages);
  };
  const auto indices = [&](std::initializer_list<std::uint8_t> cbs, Word pages) {
    for (const std::uint8_t cb : cbs) operation.buffer(cb, pages, 2048, DataFormat::UInt16);
  };
  floats({kScores, kBias}, 2 * kWide);
  floats({kSigmoid, kBiased}, kWide);
  floats({kOutWeights, kSorted, kTop, kReduced, kNormalized, kReciprocals, kGathered}, 2);
  floats({kSums, kOnes, kSmall, kRoute}, 1);
  floats({kWinners}, kBestGroups);
  indices({kOutIndices, kSortedIndices, kFinal}, 2);
  indices({kExpertIndices}, kWide);
  indices({kGroupIndices, kOrder}, 1);
  indices({kWinnerIndices}, kBestGroups);
  operation
      .reader(kKernels + "dataflow/reader_deepseek_grouped_gate.cpp",
              {.tensors = {scores_in, bias_in},
               .run = {address(scores_in), address(bias_in), 0, kTokens / 32},
               .named = named})
      .compute(kKernels + "compute/deepseek_grouped_gate.cpp",
               {.run = {0, kTokens / 32}, .named = named})
      .writer(kKernels + "dataflow/writer_deepseek_grouped_gate.cpp",
              {.tensors = {weights, places},
               .run = {address(weights), address(places), 0, kTokens / 32},
               .named = named})
      .run();

  const Numbers got = read(weights, 1), chosen = read(places, 1);
  for (std::size_t token = 0; token < kTokens; ++token) {
    const auto sigmoid = [&](std::size_t e) { return 1 / (1 + std::exp(-scores(token, e))); };
    const auto biased = [&](std::size_t e) { return sigmoid(e) + bias(token, e); };
    const auto best = [&](std::vector<std::size_t>& of, std::size_t kept, const auto& value) {
      std::sort(of.begin(), of.end(), [&](auto a, auto b) { return value(a) > value(b); });
      of.resize(kept);
    };
    std::vector<std::size_t> groups(kGroups), experts;
    std::iota(groups.begin(), groups.end(), 0);
    best(groups, kBestGroups, [&](std::size_t group) {
      std::vector<std::size_t> members(kGroup);
      std::iota(members.begin(), members.end(), kGroup * group);
      best(members, kSummed, biased);
      return biased(members[0]) + biased(members[1]);
    });
    for (const std::size_t group : groups)
      for (std::size_t e = kGroup * group; e < kGroup * (group + 1); ++e) experts.push_back(e);
    best(experts, kBest, biased);
    std::set<std::size_t> different;
    double sum = 0;
    for (std::size_t i = 0; i < kBest; ++i) sum += sigmoid(chosen.bits(token, i));
    for (std::size_t i = 0; i < kBest; ++i) {
      const std::size_t expert = chosen.bits(token, i);
      different.insert(expert);
      // Another expert is correct if BF16 cannot distinguish the two.
      ASSERT_LT(expert, kExperts);
      ASSERT_NEAR(biased(expert), biased(experts[i]), 0.03) << "token " << token << ", " << i;
      ASSERT_NEAR(got(token, i), kScale * sigmoid(expert) / sum, 0.02)
          << "token " << token << ", " << i;
    }
    ASSERT_EQ(different.size(), kBest) << "token " << token;
  }
}

}  // namespace
}  // namespace tvp::test
