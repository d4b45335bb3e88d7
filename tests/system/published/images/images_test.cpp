// Operations on images: sums over all pixels above and before (depth x height x channels), and
// samples between pixels at points of a grid.

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("images/images.toml");

using runtime::CoreCoord;
using runtime::CoreRange;

class PublishedImages : public PublishedTest {
 protected:
  void TearDown() override {
    if (bench_) {
      const auto report = nlohmann::json::parse(bench_->mesh().library().report());
      EXPECT_TRUE(report.at("warnings").empty()) << report.at("warnings").dump(1);
    }
    PublishedTest::TearDown();
  }

  void integral(Word depth, Word block, Word height);
  void sample(Word channels, bool fp32_grid);
};

/// One core per 32 channels, in blocks of `block` rows of depth. BF16 represents the counts
/// exactly.
void PublishedImages::integral(Word depth, Word block, Word height) {
  constexpr Word kChannels = 64, kWide = kChannels / 32;
  const Word high = height / 32;
  Numbers x(depth * high, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r)
    for (std::size_t c = 0; c < x.columns(); ++c) x.set(r, c, random_() % 4 == 0 ? 1.0F : 0.0F);
  const auto in = tensor(x), out = result(depth * high * kWide);

  const Words compile = {0,  1,  2,     3,         4,      5,     7, 8,     9,
                         32, 32, block, kChannels, height, depth, 1, kWide, 1};
  kLaunches.run(*bench_, "integral",
                TVP_VALUES(block, compile, in, out)
                    .with("cores", CoreRange{CoreCoord{0, 0}, CoreCoord{kWide - 1, 0}}));
  const Numbers got = read(out, kWide);
  for (std::size_t c = 0; c < kChannels; ++c) {
    std::vector<double> before(height);  // sums over smaller depth, up to this row
    for (std::size_t d = 0; d < depth; ++d) {
      double row = 0;
      for (std::size_t h = 0; h < height; ++h) {
        row += x(d * height + h, c);
        before[h] += row;
        ASSERT_EQ(got(d * height + h, c), before[h]) << d << ", " << h << ", " << c;
      }
    }
  }
}

TEST_F(PublishedImages, SumsOfOneBlock) { integral(3, 4, 32); }
/// The kernel reads a shorter last block from another address (intimg_reader.cpp).
TEST_F(PublishedImages, SumsOverBlocks) { integral(6, 2, 64); }

/// Two images with points for each. Points on the frame and outside give zero. A point is x and y
/// from -1 to 1 over the outer edges of pixels.
void PublishedImages::sample(Word channels, bool fp32_grid) {
  constexpr Word kHigh = 6, kWide = 5, kPoints = 24, kImages = 2, kGridStick = 32;
  const Word stick = 2 * channels, tiles = channels / 32;
  Words pixels(kImages * kHigh * kWide * stick / 4), grid(kImages * kPoints * kGridStick / 4);
  std::uniform_real_distribution<float> of(-2, 2), at(-1.3F, 1.3F);
  for (std::size_t i = 0; i < 2 * pixels.size(); ++i) set_datum16(pixels, i, to_bf16(of(random_)));
  std::vector<std::array<double, 2>> points;
  for (std::size_t i = 0; i < kImages * kPoints; ++i) {
    float xy[] = {at(random_), at(random_)};
    for (std::size_t k = 0; k < 2; ++k) {
      if (fp32_grid) {
        grid[i * kGridStick / 4 + k] = w(xy[k]);
      } else {
        set_datum16(grid, i * kGridStick / 2 + k, to_bf16(xy[k]));
        xy[k] = f(from_bf16(to_bf16(xy[k])));
      }
    }
    points.push_back({static_cast<double>(xy[0]), static_cast<double>(xy[1])});
  }
  const auto in = bench_->tensor(pixels, stick), where = bench_->tensor(grid, kGridStick);
  const auto out = bench_->result(kImages * kPoints, stick);
  constexpr Word kNone = 32;
  kLaunches.run(*bench_, "sample",
                TVP_VALUES(kGridStick, tiles, channels, stick, kImages, kHigh, kWide, fp32_grid,
                           kPoints, in, where, kNone, out));
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = (points[i][0] + 1) * kWide / 2 - 0.5, y = (points[i][1] + 1) * kHigh / 2 - 0.5;
    for (std::size_t c = 0; c < channels; ++c) {
      double wanted = 0;
      for (int dy = 0; dy < 2; ++dy) {
        for (int dx = 0; dx < 2; ++dx) {
          const int px = static_cast<int>(std::floor(x)) + dx,
                    py = static_cast<int>(std::floor(y)) + dy;
          if (px < 0 || py < 0 || px >= static_cast<int>(kWide) || py >= static_cast<int>(kHigh))
            continue;
          const std::size_t pixel = (i / kPoints * kHigh + static_cast<std::size_t>(py)) * kWide +
                                    static_cast<std::size_t>(px);
          wanted += (1 - std::abs(x - px)) * (1 - std::abs(y - py)) *
                    static_cast<double>(f(from_bf16(datum16(pixels, pixel * channels + c))));
        }
      }
      ASSERT_NEAR(static_cast<double>(f(from_bf16(datum16(got, i * channels + c)))), wanted, 0.04)
          << i << ", channel " << c;
    }
  }
}

TEST_F(PublishedImages, SamplesAtPoints) { sample(64, false); }
TEST_F(PublishedImages, SamplesAtPointsOfAFineGrid) { sample(96, true); }

}  // namespace
}  // namespace tvp::test
