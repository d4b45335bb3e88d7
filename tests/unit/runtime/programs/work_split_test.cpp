#include "sw/runtime/programs/work_split.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::runtime::work_split_test {
namespace {

using Cores = std::vector<CoreCoord>;
using Ranges = std::vector<CoreRange>;

TEST(WorkSplit, ACoreHasAtMostOneUnitMoreThanAnother) {
  const auto [cores, all, more, less, units_more, units_less] =
      split_work_to_cores(CoreCoord{8, 10}, 200);
  EXPECT_EQ(cores, 80U);
  EXPECT_EQ(all.ranges(), (Ranges{{{0, 0}, {7, 9}}}));
  EXPECT_EQ(more.num_cores(), 40U);
  EXPECT_EQ(more.ranges(), (Ranges{{{0, 0}, {3, 9}}}));
  EXPECT_EQ(less.ranges(), (Ranges{{{4, 0}, {7, 9}}}));
  EXPECT_EQ(units_more, 3U);
  EXPECT_EQ(units_less, 2U);
  EXPECT_EQ(more.num_cores() * units_more + less.num_cores() * units_less, 200U);
}

TEST(WorkSplit, EvenWorkIsTheFirstGroups) {
  const auto [cores, all, more, less, units_more, units_less] =
      split_work_to_cores(CoreCoord{4, 4}, 32, true);
  EXPECT_EQ(cores, 16U);
  EXPECT_EQ(more.ranges(), all.ranges());
  EXPECT_TRUE(less.ranges().empty());
  EXPECT_EQ(units_more, 2U);
  EXPECT_EQ(units_less, 0U);
}

TEST(WorkSplit, NoMoreCoresThanUnits) {
  const auto [cores, all, more, less, units_more, units_less] =
      split_work_to_cores(CoreCoord{8, 10}, 13);
  EXPECT_EQ(cores, 13U);
  EXPECT_EQ(all.ranges(), (Ranges{{{0, 0}, {0, 9}}, {{1, 0}, {1, 2}}}));
  EXPECT_EQ(units_more, 1U);
  EXPECT_TRUE(less.ranges().empty());
  EXPECT_EQ(std::get<0>(split_work_to_cores(CoreCoord{8, 10}, 0)), 0U);
}

// In the order of the set's ranges, which need not be adjacent.
TEST(WorkSplit, GoesOverTheCoresOfASet) {
  const CoreRangeSet set(Ranges{{{5, 5}, {6, 6}}, {{0, 0}, {0, 1}}});
  const auto [cores, all, more, less, units_more, units_less] = split_work_to_cores(set, 9);
  EXPECT_EQ(cores, 6U);
  EXPECT_EQ(all.cores().size(), 6U);
  EXPECT_EQ(corerange_to_cores(more), (Cores{{5, 5}, {5, 6}, {6, 5}}));
  EXPECT_EQ(corerange_to_cores(less), (Cores{{6, 6}, {0, 0}, {0, 1}}));
  EXPECT_EQ(units_more + units_less, 3U);
  EXPECT_THROW(split_work_to_cores(CoreRangeSet(), 1), foundation::Fault);
}

TEST(WorkSplit, CoresOfAGridAreFewRanges) {
  const CoreCoord grid{8, 4};
  EXPECT_EQ(num_cores_to_corerangeset(10, grid).ranges(),
            (Ranges{{{0, 0}, {1, 3}}, {{2, 0}, {2, 1}}}));
  EXPECT_EQ(num_cores_to_corerangeset(18, grid, true).ranges(),
            (Ranges{{{0, 0}, {7, 1}}, {{0, 2}, {1, 2}}}));
  EXPECT_EQ(num_cores_to_corerangeset({6, 1}, 12, grid, true).ranges(),
            (Ranges{{{6, 1}, {7, 1}}, {{0, 2}, {7, 2}}, {{0, 3}, {1, 3}}}));
  EXPECT_TRUE(num_cores_to_corerangeset(0, grid).ranges().empty());
  EXPECT_THROW(num_cores_to_corerangeset(33, grid), foundation::Fault);
  EXPECT_THROW(num_cores_to_corerangeset({7, 3}, 2, grid), foundation::Fault);
  EXPECT_THROW(num_cores_to_corerangeset({8, 0}, 1, grid), foundation::Fault);
  EXPECT_THROW(num_cores_to_corerangeset(1, {0, 4}), foundation::Fault);
}

TEST(WorkSplit, RangesOfASetShareNoCore) {
  const auto refusal = [](const Ranges& ranges) {
    return tvp::test::fault_of([&] { CoreRangeSet set(ranges); });
  };
  const CoreRange square({0, 0}, {1, 1});
  EXPECT_EQ(refusal({square, {{2, 0}, {2, 1}}, {{0, 2}, {2, 2}}}), "no fault");
  EXPECT_NE(refusal({square, {{3, 3}, {3, 3}}, {{1, 1}, {2, 1}}})
                .find("ranges (0, 0) to (1, 1) and (1, 1) to (2, 1) overlap"),
            std::string::npos);
  EXPECT_NE(refusal({square, square}).find("overlap"), std::string::npos);
}

TEST(WorkSplit, RangesMeetAndJoin) {
  const CoreRange square({0, 0}, {1, 1});
  const CoreRange right({2, 0}, {4, 1});
  const CoreRange below({1, 2}, {2, 2});
  EXPECT_TRUE(square.adjacent(right) && right.adjacent(square) && square.adjacent(below));
  EXPECT_FALSE(square.adjacent({{2, 2}, {3, 3}})) << "only corners meet";
  EXPECT_FALSE(square.adjacent(square));
  EXPECT_EQ(square.merge(right), CoreRange({0, 0}, {4, 1}));
  EXPECT_EQ(square.merge(below), std::nullopt);
  EXPECT_EQ(square.merge({{3, 0}, {3, 1}}), std::nullopt);
  EXPECT_EQ(square.intersection({{1, 0}, {5, 5}}), CoreRange({1, 0}, {1, 1}));
  EXPECT_EQ(square.intersection(right), std::nullopt);
  EXPECT_TRUE(square.contains(CoreRange({0, 1}, {1, 1})));
  EXPECT_FALSE(square.contains(CoreRangeSet(Ranges{{{0, 0}, {0, 0}}, right})));
}

TEST(WorkSplit, SetsOfRanges) {
  // An H: the runs of a row, joined downwards.
  const CoreRangeSet h =
      CoreRangeSet().merge(Ranges{{{0, 0}, {1, 5}}, {{3, 0}, {4, 5}}, {{0, 2}, {4, 3}}});
  EXPECT_EQ(h, CoreRangeSet(Ranges{{{0, 0}, {1, 1}},
                                   {{3, 0}, {4, 1}},
                                   {{0, 2}, {4, 3}},
                                   {{0, 4}, {1, 5}},
                                   {{3, 4}, {4, 5}}}));
  EXPECT_NE(h, CoreRangeSet(CoreRange({0, 0}, {4, 5})));
  EXPECT_TRUE(CoreRangeSet(CoreRange({0, 0}, {4, 5})).contains(h));
  EXPECT_FALSE(h.contains(CoreRange({1, 0}, {2, 0})));
  const CoreRangeSet middle(CoreRange({2, 0}, {2, 5}));
  EXPECT_EQ(h.intersection(middle), CoreRangeSet(CoreRange({2, 2}, {2, 3})));
  EXPECT_EQ(middle.subtract(h), CoreRangeSet(Ranges{{{2, 0}, {2, 1}}, {{2, 4}, {2, 5}}}));
  EXPECT_EQ(h.merge(middle).ranges().size(), 1U);
  EXPECT_EQ(select_from_corerangeset(middle, 1, 2), CoreRangeSet(CoreRange({2, 1}, {2, 2})));
  EXPECT_THROW(select_from_corerangeset(middle, 1, 6), foundation::Fault);
  EXPECT_THROW(select_from_corerangeset(middle, 2, 1), foundation::Fault);
}

TEST(WorkSplit, TheFirstCoresOfAGrid) {
  EXPECT_EQ(grid_to_cores(3, 2, 2), (Cores{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(grid_to_cores(3, 2, 2, true), (Cores{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_THROW(grid_to_cores(5, 2, 2), foundation::Fault);
  EXPECT_EQ(div_up(65U, 32U), 3U);
  EXPECT_EQ(round_up(std::uint64_t{65}, 32U), 96U);
}

}  // namespace
}  // namespace tvp::runtime::work_split_test
