// Percentiles of known counts, and of random counts compared with sorted values.

#include "models/support/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tvp::support {
namespace {

TEST(LatencyHistogram, IsExactForShortLatencies) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.percentile(0.5), 0U);
  for (unsigned i = 1; i <= 100; ++i) histogram.add(i);
  EXPECT_EQ(histogram.percentile(0.5), 50U);
  EXPECT_EQ(histogram.percentile(0.99), 99U);
  EXPECT_EQ(histogram.max(), 100U);
  EXPECT_DOUBLE_EQ(histogram.mean(), 50.5);
}

// Also where buckets become wider than one cycle.
TEST(LatencyHistogram, IsNeverBelowALatencyNorFarAbove) {
  for (std::uint64_t value = 1; value <= 5000; ++value) {
    LatencyHistogram histogram;
    histogram.add(value);
    histogram.add(1'000'000);
    const std::uint64_t got = histogram.percentile(0.5);
    ASSERT_GE(got, value);
    ASSERT_LE(got - value, value <= 1023 ? 0 : value / 128) << value;
  }
}

TEST(LatencyHistogram, GivesPercentilesOfAnyLength) {
  std::mt19937_64 random(5);
  LatencyHistogram histogram;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t value = random() >> (random() % 64);
    histogram.add(value);
    all.push_back(value);
  }
  std::ranges::sort(all);
  for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
    const auto count = static_cast<std::size_t>(share * static_cast<double>(all.size()));
    const auto exact = static_cast<double>(all[count - 1]);
    const auto got = static_cast<double>(histogram.percentile(share));
    EXPECT_GE(got, exact) << share;
    EXPECT_LE(got, exact * (1 + 1.0 / 128)) << share;
  }
  EXPECT_EQ(histogram.max(), all.back());
  EXPECT_EQ(histogram.count(), all.size());
}

}  // namespace
}  // namespace tvp::support
