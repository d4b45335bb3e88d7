// Runs the collective headers of units over an adversarial transport. The expected results follow
// from the definition of each collective.

#include "firmware/collectives/collectives.h"

#include <gtest/gtest.h>

#include <bit>

#include "foundation/regs/pim.h"
#include "tests/firmware/collectives/collectives_bench.h"

namespace {

using namespace tvp::firmware::collectives;
using namespace tvp::firmware::collectives::test;

template <typename T>
void check(Op op, const Case& c) {
  Bench<T>(op, c).check();
}

template <typename T>
class CollectivesTest : public ::testing::Test {
 public:
  static std::vector<Op> ops() {
    std::vector<Op> all{Op::kSum, Op::kMax, Op::kMin, Op::kProd};
    if (std::is_integral_v<T>) all.insert(all.end(), {Op::kBand, Op::kBor, Op::kBxor});
    return all;
  }
};
using Types = ::testing::Types<std::int32_t, std::int64_t, float>;
TYPED_TEST_SUITE(CollectivesTest, Types);

TYPED_TEST(CollectivesTest, ReducesOverAnyNumberOfUnits) {
  for (std::uint32_t ranks = 1; ranks <= 32; ++ranks) {
    const std::vector<Op> ops = this->ops();
    for (Op op : ops) {
      // Tests every operation with few units, and every number of units with some operation.
      if (ranks > 5 && op != ops[ranks % ops.size()]) continue;
      for (Kind kind : {Kind::kAllReduce, Kind::kReduceScatter}) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks, op " +
                     std::to_string(static_cast<unsigned>(op)));
        Case c;
        c.kind = kind;
        c.ranks = ranks;
        c.elements = 61 + ranks * 5;  // no multiple of most N; several slices per chunk for few
        c.reversed_ring = ranks % 2 == 1;
        c.barriers = ranks % 3 == 1;
        c.seed = ranks * 10 + static_cast<unsigned>(op);
        check<TypeParam>(op, c);
        if (this->HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(CollectivesTest, MovesOverAnyNumberOfUnits) {
  for (std::uint32_t ranks = 1; ranks <= 32; ++ranks) {
    for (Kind kind : {Kind::kAllGather, Kind::kAllToAll}) {
      SCOPED_TRACE(ranks);
      Case c;
      c.kind = kind;
      c.ranks = ranks;
      c.elements = 333;
      c.seed = ranks;
      c.barriers = ranks % 3 != 0;
      check<TypeParam>(Op::kSum, c);
      if (this->HasFailure()) return;
    }
  }
}

TYPED_TEST(CollectivesTest, BroadcastsFromAnyRoot) {
  for (std::uint32_t ranks = 1; ranks <= 33; ++ranks) {
    for (TreeShape shape : {TreeShape::kHeap, TreeShape::kBinomial}) {
      for (TreeFlow flow : {TreeFlow::kPipelined, TreeFlow::kWhole, TreeFlow::kByLevel}) {
        SCOPED_TRACE(ranks);
        Case c;
        c.kind = Kind::kBroadcast;
        c.ranks = ranks;
        c.elements = 150;
        c.root = ranks * 5 / 7 % ranks;
        c.shape = shape;
        c.flow = flow;
        c.seed = ranks;
        check<TypeParam>(Op::kSum, c);
        if (this->HasFailure()) return;
      }
    }
  }
}

TYPED_TEST(CollectivesTest, ComposesOverLevels) {
  const std::vector<std::vector<std::uint32_t>> shapes{{2, 2}, {3, 5},    {8, 4},      {4, 1, 3},
                                                       {1, 6}, {2, 3, 4}, {2, 2, 2, 3}};
  for (const auto& levels : shapes) {
    for (Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kAllToAll,
                      Kind::kBroadcast}) {
      for (std::uint32_t elements : {7U, 250U}) {
        SCOPED_TRACE(::testing::PrintToString(levels) + " kind " +
                     std::to_string(static_cast<unsigned>(kind)));
        Case c;
        c.kind = kind;
        c.levels = levels;
        c.ranks = 1;
        for (std::uint32_t n : levels) c.ranks *= n;
        c.elements = elements;
        c.root = c.ranks * 2 / 3;
        c.shape = elements == 7 ? TreeShape::kHeap : TreeShape::kBinomial;
        c.flow = elements == 7 ? TreeFlow::kPipelined : TreeFlow::kWhole;
        c.reversed_ring = true;
        c.barriers = elements == 250;
        check<TypeParam>(Op::kSum, c);
        if (this->HasFailure()) return;
      }
    }
  }
}

// A switch combines and multicasts for the groups of its level only.
TYPED_TEST(CollectivesTest, LetsASwitchDoALevel) {
  struct Shape {
    std::vector<std::uint32_t> levels;
    std::uint32_t level;
  };
  const Shape shapes[] = {{{2, 2}, 1},    {{8, 4}, 1},    {{5}, 0},         {{3, 5, 2}, 1},
                          {{4, 3, 3}, 1}, {{2, 4, 1}, 1}, {{2, 2, 2, 3}, 1}};
  for (const Shape& shape : shapes) {
    for (Op op : {Op::kSum, Op::kMax, Op::kMin, Op::kProd}) {
      for (std::uint32_t elements : {1U, 7U, 250U, 600U}) {
        SCOPED_TRACE(::testing::PrintToString(shape.levels) + " elements " +
                     std::to_string(elements));
        Case c;
        c.levels = shape.levels;
        c.switch_level = shape.level;
        c.ranks = 1;
        for (std::uint32_t n : shape.levels) c.ranks *= n;
        c.elements = elements;
        c.seed = elements + c.ranks;
        check<TypeParam>(op, c);
        c.kind = Kind::kBroadcast;
        c.root = c.ranks * 2 / 3;
        if (op == Op::kSum) check<TypeParam>(op, c);
        if (this->HasFailure()) return;
      }
    }
  }
}

TEST(BFloat16, RoundsToTheNearestEven) {
  const struct {
    std::uint32_t from, to;  ///< FP32
  } cases[] = {{0x3F800000, 0x3F800000}, {0x3F808000, 0x3F800000}, {0x3F808001, 0x3F810000},
               {0x3F818000, 0x3F820000}, {0xBF817FFF, 0xBF810000}, {0x00000000, 0x00000000},
               {0x80000000, 0x80000000}, {0x7F7F7FFF, 0x7F7F0000}, {0x7F7F8000, 0x7F800000},
               {0x7F800000, 0x7F800000}, {0xFF800000, 0xFF800000}, {0x7F800001, 0x7FC00000},
               {0xFFFFFFFF, 0xFFFF0000}};
  for (const auto& [from, to] : cases) {
    const float rounded = BFloat16(std::bit_cast<float>(from));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(rounded), to) << std::hex << from;
  }
}

// The operations and types of the switch's registers. Rings execute the others.
TEST(Switch, HasTheOpsAndTypesOfItsRegisters) {
  namespace stop = tvp::regs::pim::stop;
  EXPECT_TRUE(kSwitchHasOp<Op::kSum>);
  EXPECT_TRUE(kSwitchHasOp<Op::kMax>);
  EXPECT_TRUE(kSwitchHasOp<Op::kMin>);
  EXPECT_TRUE(kSwitchHasOp<Op::kProd>);
  EXPECT_FALSE(kSwitchHasOp<Op::kBand>);
  EXPECT_FALSE(kSwitchHasOp<Op::kBor>);
  EXPECT_FALSE(kSwitchHasOp<Op::kBxor>);
  EXPECT_EQ(kSwitchType<std::int32_t>, stop::kTypeInt32);
  EXPECT_EQ(kSwitchType<std::int64_t>, stop::kTypeInt64);
  EXPECT_EQ(kSwitchType<float>, stop::kTypeFp32);
}

TYPED_TEST(CollectivesTest, FewerElementsThanUnits) {
  for (Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kAllToAll,
                    Kind::kBroadcast}) {
    for (std::uint32_t elements : {0U, 1U, 3U}) {
      Case c;
      c.kind = kind;
      c.ranks = 9;
      c.elements = elements;
      check<TypeParam>(Op::kMax, c);
      if (this->HasFailure()) return;
    }
  }
}

TEST(Collectives, MoreThan32Units) {
  for (std::uint32_t ranks : {64U, 256U}) {
    Case c;
    c.ranks = ranks;
    c.elements = 300;
    check<std::int32_t>(Op::kSum, c);
  }
}

// A barrier follows each phase of a static schedule, whatever the phases are.
TYPED_TEST(CollectivesTest, SendsInPhases) {
  const std::vector<std::vector<std::uint32_t>> shapes{{1}, {2}, {3}, {8}, {13}, {3, 4}, {2, 1, 3}};
  for (const auto& levels : shapes) {
    for (Kind kind : {Kind::kAllReduce, Kind::kReduceScatter, Kind::kAllGather, Kind::kAllToAll,
                      Kind::kBroadcast}) {
      for (std::uint32_t elements : {0U, 7U, 250U}) {
        SCOPED_TRACE(::testing::PrintToString(levels) + " kind " +
                     std::to_string(static_cast<unsigned>(kind)));
        Case c;
        c.kind = kind;
        c.levels = levels;
        c.ranks = 1;
        for (std::uint32_t n : levels) c.ranks *= n;
        c.elements = elements;
        c.root = c.ranks * 2 / 3;
        c.barriers = true;
        c.phases = true;
        c.seed = elements + c.ranks;
        check<TypeParam>(Op::kSum, c);
        if (this->HasFailure()) return;
      }
    }
  }
}

// Units must not wait for a slice without bytes.
TEST(Collectives, ARingMeetsOnceForEachStepOfASlice) {
  for (const Kind kind : {Kind::kReduceScatter, Kind::kAllGather}) {
    for (const std::uint32_t slices : {1U, 2U, 5U}) {
      Case c;
      c.kind = kind;
      c.ranks = 4;
      c.elements = slices * kSliceBytes / 4 * c.ranks;
      c.barriers = true;
      Bench<std::int32_t> bench(Op::kSum, c);
      ASSERT_FALSE(bench.run().empty());
      EXPECT_EQ(bench.barriers(), slices * c.ranks + 1);  // and at the end
    }
  }
}

TEST(Collectives, AnyOrderOfEvents) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (Kind kind : {Kind::kAllReduce, Kind::kAllToAll, Kind::kBroadcast}) {
      Case c;
      c.kind = kind;
      c.ranks = 6;
      c.elements = 400;
      c.seed = seed;
      if (kind != Kind::kBroadcast && seed % 2 == 0) c.levels = {2, 3};
      c.barriers = seed % 5 < 2;
      check<std::int32_t>(Op::kSum, c);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// If x = 1 everywhere, each step of the first phase doubles every value.
TEST(AsWritten, SumOfOnesIsAPowerOfTwo) {
  for (std::uint32_t ranks : {2U, 3U, 4U, 32U}) {
    Case c;
    c.ranks = ranks;
    c.elements = 40;
    c.as_written = true;
    Bench<std::int64_t> bench(Op::kSum, c);
    for (auto& vector : bench.inputs()) std::fill(vector.begin(), vector.end(), 1);
    for (const auto& result : bench.run())
      for (std::uint32_t i = 0; i < c.elements; ++i)
        ASSERT_EQ(result[i], std::int64_t{1} << (ranks - 1)) << ranks << " ranks";
  }
}

// Four units with x0 to x3. After three steps unit i holds x[i] + 3 x[i-1] + 3 x[i-2] + x[i-3]. The
// second phase moves results by three units, so unit i ends with the value of unit i+1.
TEST(AsWritten, WeighsContributionsWithBinomialCoefficients) {
  Case c;
  c.ranks = 4;
  c.elements = 25;
  c.as_written = true;
  Bench<std::int64_t> bench(Op::kSum, c);
  const std::int64_t x[4] = {1, 10, 100, 1000};
  // Each element has its own factor, also negative ones, so that no two words are equal.
  const auto factor = [](std::uint32_t i) { return std::int64_t{i} * 1'000'003 - 9'000'000'000; };
  for (unsigned r = 0; r < 4; ++r)
    for (std::uint32_t i = 0; i < c.elements; ++i) bench.inputs()[r][i] = x[r] * factor(i);
  const auto results = bench.run();
  ASSERT_EQ(results.size(), 4U);
  for (std::uint32_t i = 0; i < c.elements; ++i) {
    EXPECT_EQ(results[3][i], factor(i) * (1 + 3 * 1000 + 3 * 100 + 10))
        << i;  // the value of unit 0
    EXPECT_EQ(results[0][i], factor(i) * (10 + 3 * 1 + 3 * 1000 + 100)) << i;
    EXPECT_EQ(results[1][i], factor(i) * (100 + 3 * 10 + 3 * 1 + 1000)) << i;
    EXPECT_EQ(results[2][i], factor(i) * (1000 + 3 * 100 + 3 * 10 + 1)) << i;
  }
}

TEST(AsWritten, MaximaAreRight) {
  Case c;
  c.ranks = 7;
  c.as_written = true;
  check<std::int32_t>(Op::kMax, c);
  check<float>(Op::kMin, c);
}

}  // namespace
