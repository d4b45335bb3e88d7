#include "sw/runtime/devices/start_moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tvp::runtime {
namespace {

TEST(StartMoments, WithoutASpreadAllStartAtOnce) {
  StartMoments moments(0, 5);
  EXPECT_EQ(moments.draw(4), (std::vector<std::uint32_t>{0, 0, 0, 0}));
}

/// The first core must start without delay.
TEST(StartMoments, TheFirstStartsAtOnceAndTheOthersWithinTheSpread) {
  StartMoments moments(100, 1);
  for (int launch = 0; launch < 50; ++launch) {
    const auto drawn = moments.draw(8);
    ASSERT_EQ(drawn.size(), 8u);
    EXPECT_EQ(*std::min_element(drawn.begin(), drawn.end()), 0u);
    EXPECT_LE(*std::max_element(drawn.begin(), drawn.end()), 100u);
  }
  EXPECT_EQ(moments.draw(1), std::vector<std::uint32_t>{0});
  EXPECT_TRUE(moments.draw(0).empty());
}

TEST(StartMoments, ManyCoresFillTheSpread) {
  StartMoments moments(9, 3);
  const auto drawn = moments.draw(2000);
  const std::set<std::uint32_t> values(drawn.begin(), drawn.end());
  EXPECT_EQ(values.size(), 10u);
}

TEST(StartMoments, TheSeedSaysWhichAndEachLaunchIsAnother) {
  StartMoments first(1000, 7), same(1000, 7), other(1000, 8);
  const auto drawn = first.draw(16);
  EXPECT_EQ(same.draw(16), drawn);
  EXPECT_NE(other.draw(16), drawn);
  EXPECT_NE(first.draw(16), drawn);
}

TEST(StartMoments, TheWidestSpreadDoesNotWrap) {
  StartMoments moments(~std::uint32_t{0}, 2);
  const auto drawn = moments.draw(64);
  EXPECT_GT(*std::max_element(drawn.begin(), drawn.end()), 1U << 31);
}

}  // namespace
}  // namespace tvp::runtime
