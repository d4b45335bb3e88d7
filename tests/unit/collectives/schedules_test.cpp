// Schedules of all algorithms, proved by the checker.
#include <gtest/gtest.h>

#include <string>

#include "foundation/fault.h"
#include "sw/collectives/algorithms/algorithm.h"
#include "sw/collectives/schedule/checker.h"
#include "sw/collectives/schedule/program_builder.h"
#include "sw/collectives/schedule/schedule_text.h"

namespace tvp::collectives {
namespace {

ScheduleRequest request(Primitive primitive, std::uint32_t ranks) {
  ScheduleRequest made;
  made.primitive = primitive;
  made.ranks = ranks;
  return made;
}

/// Requests for all primitives and variants of an algorithm, for a number of ranks.
std::vector<ScheduleRequest> requests(const Algorithm& algorithm, std::uint32_t ranks) {
  std::vector<ScheduleRequest> made;
  std::vector<std::string> forms = algorithm.variants();
  if (forms.empty()) forms.emplace_back();
  for (const Primitive primitive : algorithm.primitives())
    for (const std::string& form : forms)
      for (const std::uint32_t segments : {1U, 3U})
        for (const std::uint32_t channels : {1U, 2U})
          for (const std::uint32_t root : {0U, ranks / 3, ranks - 1})
            for (const bool average : {false, true})
              for (const std::uint32_t buffer : {0U, 1U, 2U, 3U}) {
                ScheduleRequest asked = request(primitive, ranks);
                asked.variant = form;
                asked.segments = segments;
                asked.channels = channels;
                asked.both_ways = channels == 2;
                asked.root = root;
                asked.peer = root == 0 ? ranks - 1 : 0;
                asked.average = average;
                asked.buffer = buffer;
                if (buffer > 0 && algorithm.name() != "pat") continue;
                if (average && !reduces(primitive)) continue;
                if (channels > segments || !algorithm.refusal(asked).empty()) continue;
                made.push_back(std::move(asked));
              }
  return made;
}

TEST(Algorithms, EveryScheduleEndsInTheStateOfItsPrimitive) {
  std::size_t count = 0;
  for (const auto& algorithm : all_algorithms())
    for (std::uint32_t ranks = 2; ranks <= 17; ++ranks)
      for (const ScheduleRequest& asked : requests(*algorithm, ranks)) {
        const Schedule made = algorithm->schedule(asked);
        const Verdict verdict = Checker(made, 2).run();
        EXPECT_TRUE(verdict.right()) << made.name << "\n" << verdict.text();
        ++count;
      }
  EXPECT_GT(count, 3000U);
}

TEST(Algorithms, ChannelsAreUsedOrRefused) {
  for (const auto& algorithm : all_algorithms())
    for (const Primitive primitive : algorithm->primitives())
      for (const std::uint32_t channels : {2U, 3U}) {
        ScheduleRequest asked = request(primitive, 8);
        asked.segments = 6;
        asked.channels = channels;
        if (!algorithm->refusal(asked).empty()) continue;
        std::uint32_t last = 0;
        for (const RankProgram& rank : algorithm->schedule(asked).ranks)
          for (const Lane& lane : rank.lanes)
            for (const Step& step : lane.steps) last = std::max(last, std::uint32_t{step.channel});
        EXPECT_EQ(last, channels - 1) << algorithm->name() << " " << name_of(primitive);
      }
}

TEST(Hierarchy, EveryTierDoesItsPart) {
  const std::vector<std::vector<Tier>> shapes = {
      {{2, "ring"}, {3, "ring"}},
      {{4, "tree"}, {2, "ring"}},
      {{3, "double_binary_tree"}, {4, "recursive_halving"}},
      {{2, "recursive_doubling"}, {2, "pat"}, {3, "ring"}},
      {{2, "binomial"}, {2, "chain"}, {2, "heap"}},
      {{3, "pairwise"}, {4, "bruck"}},
      {{2, "ring_relay"}, {4, "pairwise"}},
      {{2, "inc"}, {4, "ring"}},
      {{2, "ring"}, {4, "inc"}},
  };
  const Algorithm& hierarchy = algorithm_named("hierarchy");
  std::size_t count = 0;
  for (const std::vector<Tier>& tiers : shapes)
    for (const Primitive primitive : hierarchy.primitives())
      for (const std::uint32_t segments : {1U, 2U})
        for (const bool average : {false, true}) {
          if (average && !reduces(primitive)) continue;
          ScheduleRequest asked = request(primitive, 1);
          for (const Tier& tier : tiers) asked.ranks *= tier.size;
          asked.tiers = tiers;
          asked.segments = segments;
          asked.average = average;
          asked.root = asked.ranks - 2;
          if (!hierarchy.refusal(asked).empty()) continue;
          const Schedule made = hierarchy.schedule(asked);
          const Verdict verdict = Checker(made, 2).run();
          EXPECT_TRUE(verdict.right()) << made.name << "\n" << verdict.text();
          ++count;
        }
  EXPECT_GT(count, 60U);
}

TEST(Hierarchy, RefusesByName) {
  ScheduleRequest asked = request(Primitive::kAllReduce, 8);
  const Algorithm& hierarchy = algorithm_named("hierarchy");
  EXPECT_NE(hierarchy.refusal(asked).find("expected 2 tiers or more"), std::string::npos);
  asked.tiers = {{2, "ring"}, {3, "ring"}};
  EXPECT_EQ(hierarchy.refusal(asked), "tiers of 6 ranks: expected 8");
  asked.tiers = {{2, "ring"}, {4, "chain"}};
  EXPECT_EQ(hierarchy.refusal(asked), "tier 1 with chain, which does not support reduce_scatter");
  asked.tiers = {{2, "ring"}, {4, "hierarchy"}};
  EXPECT_EQ(hierarchy.refusal(asked), "a hierarchy in a hierarchy: expected another algorithm");
}

TEST(Torus, EveryAxisDoesItsPart) {
  const std::vector<std::vector<Tier>> shapes = {{{2}, {2}}, {{4}, {4}},      {{2}, {3}},     {{5}},
                                                 {{2}},      {{2}, {2}, {2}}, {{3}, {2}, {4}}};
  const Algorithm& torus = algorithm_named("torus");
  for (const std::vector<Tier>& axes : shapes)
    for (const Primitive primitive : torus.primitives())
      for (const std::uint32_t segments : {1U, 3U})
        for (const bool average : {false, true}) {
          if (average && !reduces(primitive)) continue;
          ScheduleRequest asked = request(primitive, 1);
          for (const Tier& axis : axes) asked.ranks *= axis.size;
          asked.tiers = axes;
          asked.segments = segments;
          asked.average = average;
          ASSERT_EQ(torus.refusal(asked), "");
          const Schedule made = torus.schedule(asked);
          const Verdict verdict = Checker(made, 2).run();
          EXPECT_TRUE(verdict.right()) << made.name << "\n" << verdict.text();
        }
}

/// The interpreter polls all lanes, so each direction of a ring has one.
TEST(Torus, HasTheStepsOfARingForEachDirection) {
  ScheduleRequest asked = request(Primitive::kAllReduce, 5);
  const std::vector<Step> ring = algorithm_named("ring").schedule(asked).ranks[0].lanes[0].steps;
  asked.tiers = {{5}};
  const Schedule torus = algorithm_named("torus").schedule(asked);
  for (const RankProgram& rank : torus.ranks) {
    ASSERT_EQ(rank.lanes.size(), 2U);
    for (const Lane& lane : rank.lanes) {
      ASSERT_EQ(lane.steps.size(), ring.size());
      for (std::size_t i = 0; i < ring.size(); ++i) {
        EXPECT_EQ(lane.steps[i].kind, ring[i].kind) << i;
        EXPECT_EQ(lane.steps[i].to == kNobody, ring[i].to == kNobody) << i;
      }
    }
  }
}

TEST(Torus, RefusesByName) {
  ScheduleRequest asked = request(Primitive::kAllReduce, 8);
  const Algorithm& torus = algorithm_named("torus");
  EXPECT_EQ(torus.refusal(asked), "no axes: expected those of a torus, such as tiers=4x4");
  asked.tiers = {{2}, {3}};
  EXPECT_EQ(torus.refusal(asked), "axes of 6 ranks: expected 8");
  asked.tiers = {{8}, {1}};
  EXPECT_EQ(torus.refusal(asked), "an axis of 1: expected 2 or more");
}

TEST(Ring, AllReduceIsTheDocumentedSequence) {
  const Schedule made = algorithm_named("ring").schedule(request(Primitive::kAllReduce, 4));
  EXPECT_EQ(
      schedule_text(made).substr(0, schedule_text(made).find("rank 1 lane")),
      "rank 0 lane 0 step 0: send input[3] to rank 1\nrank 0 lane 0 step 1: receive-reduce nowhere "
      "= input[2] + message from rank 3, on to rank 1\nrank 0 lane 0 step 2: receive-reduce "
      "nowhere = input[1] + message from rank 3, on to rank 1\nrank 0 lane 0 step 3: "
      "receive-reduce output[0] = input[0] + message from rank 3, on to rank 1\nrank 0 lane 0 step "
      "4: receive output[3] from rank 3, on to rank 1\nrank 0 lane 0 step 5: receive output[2] "
      "from rank 3, on to rank 1\nrank 0 lane 0 step 6: receive output[1] from rank 3\n");
}

TEST(Ring, NeedsTwoSlots) {
  const Schedule made = algorithm_named("ring").schedule(request(Primitive::kAllReduce, 4));
  const Verdict verdict = Checker(made, 1).run();
  ASSERT_FALSE(verdict.right());
  EXPECT_EQ(verdict.problems[0].kind, ProblemKind::kDeadlock);
  EXPECT_EQ(verdict.problems[0].text,
            "deadlock: rank 0 lane 0 step 1 (receive-reduce nowhere = input[2] + message from rank "
            "3, on to rank 1) waits for one of 1 slots at rank 1");
}

}  // namespace
}  // namespace tvp::collectives
