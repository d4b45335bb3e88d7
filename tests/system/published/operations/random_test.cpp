// Random numbers in DRAM.

#include <gtest/gtest.h>

#include <set>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/random.toml");

constexpr std::size_t kTiles = 4;

class PublishedRandom : public PublishedTest {
 protected:
  struct Moments {
    double mean = 0, deviation = 0;
  };
  static Moments moments(const Numbers& of) {
    double sum = 0, squares = 0;
    const auto count = static_cast<double>(of.rows() * of.columns());
    for (std::size_t r = 0; r < of.rows(); ++r) {
      for (std::size_t c = 0; c < of.columns(); ++c) {
        sum += of(r, c);
        squares += of(r, c) * of(r, c);
      }
    }
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean)};
  }
  static std::size_t different(const Numbers& of) {
    std::set<double> values;
    for (std::size_t r = 0; r < of.rows(); ++r)
      for (std::size_t c = 0; c < of.columns(); ++c) values.insert(of(r, c));
    return values.size();
  }

  static Numbers uniform(Word seed, float from, float to) {
    const auto out = result(kTiles);
    kLaunches.run(*bench_, "uniform", TVP_VALUES(seed, w(from), w(to), kTiles, out));
    return read(out, kTiles);
  }
};

TEST_F(PublishedRandom, Uniform) {
  const Numbers got = uniform(7, -2, 6);
  for (std::size_t r = 0; r < got.rows(); ++r) {
    for (std::size_t c = 0; c < got.columns(); ++c) {
      ASSERT_GE(got(r, c), -2);
      ASSERT_LE(got(r, c), 6);
    }
  }
  // The mean of 4096 numbers is within four standard deviations, 8 / sqrt(12 * 4096) each.
  EXPECT_NEAR(moments(got).mean, 2, 4 * 0.036);
  EXPECT_NEAR(moments(got).deviation, 8 / std::sqrt(12.0), 0.06);
  EXPECT_GT(different(got), 400U);
  EXPECT_EQ(uniform(7, -2, 6).words(), got.words());
  EXPECT_NE(uniform(8, -2, 6).words(), got.words());
}

TEST_F(PublishedRandom, Bernoulli) {
  // Probability 3/4 in even tiles, 1/8 in odd ones; two rows have 0 and 1.
  Numbers chance(1, kTiles);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < chance.columns(); ++c)
      chance.set(r, c, r == 0 ? 0.0F : r == 1 ? 1.0F : c / 32 % 2 == 0 ? 0.75F : 0.125F);
  const auto in = tensor(chance), out = result(kTiles);
  kLaunches.run(*bench_, "bernoulli", TVP_VALUES(in, kTiles, out));
  const Numbers got = read(out, kTiles);
  double ones[2] = {0, 0};
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < got.columns(); ++c) {
      ASSERT_TRUE(got(r, c) == 0 || got(r, c) == 1);
      if (r < 2) {
        ASSERT_EQ(got(r, c), r) << c;
      } else {
        ones[c / 32 % 2] += got(r, c);
      }
    }
  }
  // 1920 numbers each, within four standard deviations.
  EXPECT_NEAR(ones[0], 1440, 4 * 19);
  EXPECT_NEAR(ones[1], 240, 4 * 14.5);
}

TEST_F(PublishedRandom, Dropout) {
  const Numbers x = random(1, kTiles, 1, 2);
  const auto in = tensor(x), out = result(kTiles);
  // A quarter is dropped, the rest grows by 4/3.
  constexpr double kDropped = 0.25;
  const auto probability = static_cast<Word>(kDropped * 0x7FFFFFFF);
  kLaunches.run(*bench_, "dropout", TVP_VALUES(in, kTiles, probability, w(4.0F / 3), out));
  const Numbers got = read(out, kTiles);
  double dropped = 0;
  for (std::size_t r = 0; r < 32; ++r) {
    for (std::size_t c = 0; c < got.columns(); ++c) {
      if (got(r, c) == 0) {
        ++dropped;
      } else {
        ASSERT_NEAR(got(r, c), x(r, c) * 4 / 3, 0.02) << r << ", " << c;
      }
    }
  }
  EXPECT_NEAR(dropped, kDropped * 4096, 4 * 28);
}

}  // namespace
}  // namespace tvp::test
