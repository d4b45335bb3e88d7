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

TEST(WorkSplit, TheFirstCoresOfAGrid) {
  EXPECT_EQ(grid_to_cores(3, 2, 2), (Cores{{0, 0}, {0, 1}, {1, 0}}));
  EXPECT_EQ(grid_to_cores(3, 2, 2, true), (Cores{{0, 0}, {1, 0}, {0, 1}}));
  EXPECT_THROW(grid_to_cores(5, 2, 2), foundation::Fault);
  EXPECT_EQ(div_up(65U, 32U), 3U);
  EXPECT_EQ(round_up(std::uint64_t{65}, 32U), 96U);
}

}  // namespace
}  // namespace tvp::runtime::work_split_test
