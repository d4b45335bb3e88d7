// Times of the tuner's table between and beyond the measured sizes.
#include "sw/collectives/library/tuning_file.h"

#include <gtest/gtest.h>

namespace tvp::collectives {
namespace {

/// Algorithms whose times are alpha + beta * bytes.
TimeTable lines(const std::vector<std::uint64_t>& sizes) {
  TimeTable table;
  for (const std::uint64_t bytes : sizes) {
    const auto x = static_cast<double>(bytes);
    table.points[bytes]["short"] = {5000 + 3.0 * x, 1};
    table.points[bytes]["long"] = {20'000 + 0.25 * x, bytes > 2048 ? 4U : 1U};
  }
  return table;
}

TEST(TimeTable, IsALineOfAlphaAndBetaBetweenAndBeyondSizes) {
  const TimeTable table = lines({256, 1024, 4096});
  for (const std::uint64_t bytes : {4U, 100U, 300U, 1024U, 3000U, 10'000U, 1U << 20}) {
    const auto x = static_cast<double>(bytes);
    EXPECT_DOUBLE_EQ(table.time("short", bytes)->ns, 5000 + 3 * x) << bytes;
    EXPECT_DOUBLE_EQ(table.time("long", bytes)->ns, 20'000 + 0.25 * x) << bytes;
  }
  EXPECT_EQ(table.ranking(512).front().first, "short");
  EXPECT_EQ(table.ranking(65'536).front().first, "long");
  EXPECT_EQ(table.time("long", 1 << 20)->segments, 4U);
  EXPECT_EQ(table.time("long", 1500)->segments, 1U);
  EXPECT_FALSE(table.time("other", 512).has_value());
}

TEST(TimeTable, HasNoLineThroughOneSize) {
  const TimeTable table = lines({256});
  EXPECT_DOUBLE_EQ(table.time("short", 256)->ns, 5768);
  EXPECT_FALSE(table.time("short", 65'536).has_value());
  EXPECT_TRUE(table.ranking(65'536).empty());
}

TEST(TimeTable, NeverFallsWithMoreBytesOrBelowZero) {
  TimeTable table;
  table.points[1000]["odd"] = {900, 1};
  table.points[2000]["odd"] = {800, 1};
  table.points[1000]["steep"] = {100, 1};
  table.points[2000]["steep"] = {900, 1};
  EXPECT_DOUBLE_EQ(table.time("odd", 8000)->ns, 800);
  EXPECT_DOUBLE_EQ(table.time("steep", 4000)->ns, 1800);
  EXPECT_GE(table.time("steep", 1)->ns, 0);
}

TEST(TimeTable, CoversSizesBetweenNearOnes) {
  const TimeTable table = lines({256, 1024, 65'536});
  for (const std::uint64_t bytes : {256U, 700U, 1024U, 65'536U})
    EXPECT_TRUE(table.covers(bytes)) << bytes;
  for (const std::uint64_t bytes : {4U, 2048U, 65'540U}) EXPECT_FALSE(table.covers(bytes)) << bytes;
}

/// Times rise by steps if slices are whole.
TEST(TimeTable, KnowsTheErrorOfItsLines) {
  EXPECT_DOUBLE_EQ(lines({256, 1024, 4096}).error(), 1.03);
  TimeTable steps = lines({1000, 2000, 4000});
  steps.points[2000]["stair"] = {10'000, 1};
  EXPECT_DOUBLE_EQ(steps.error(), 1.03);  // no line
  steps.points[1000]["stair"] = {10'000, 1};
  steps.points[4000]["stair"] = {16'000, 1};
  EXPECT_DOUBLE_EQ(steps.error(), 1.2);
  TimeTable far = lines({100, 2000, 4000});
  far.points[2000]["short"].ns = 1;
  EXPECT_DOUBLE_EQ(far.error(), 1.03);  // the table does not cover sizes from 100 to 2000
}

TEST(TimeTable, FindsCrossovers) {
  const auto found = lines({256, 4096, 16'384}).crossovers();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].algorithm, "short");
  EXPECT_EQ(found[1].algorithm, "long");
  EXPECT_NEAR(static_cast<double>(found[1].from_bytes), 15'000 / 2.75, 1);
}

}  // namespace
}  // namespace tvp::collectives
