// Operations along rows of tiles: maximum of a row, softmax, rotary embedding, matrix products.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/rows.toml");

using Cbs = std::initializer_list<std::uint8_t>;

constexpr double kRounded = 1.0 / 128;
constexpr Word kOne = 0x3F803F80;

class PublishedRows : public PublishedTest {};

TEST_F(PublishedRows, TopK) {
  // Two rows of four tiles; all numbers of a row differ.
  constexpr Word kHigh = 2, kWide = 4, kBest = 2;
  Numbers x(kHigh, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    std::vector<int> values(x.columns());
    std::iota(values.begin(), values.end(), -60);
    std::shuffle(values.begin(), values.end(), random_);
    for (std::size_t c = 0; c < x.columns(); ++c) x.set(r, c, static_cast<float>(values[c]));
  }
  const auto in = tensor(x);
  for (const bool largest : {true, false}) {
    const auto best = result(kHigh * kBest), where = result(kHigh * kBest);
    kLaunches.run(*bench_, "top_k", TVP_VALUES(kBest, kHigh, kWide, in, best, where, largest));
    const Numbers got = read(best, kBest), places = read(where, kBest);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      for (std::size_t k = 0; k < 32 * kBest; ++k) {
        const double wanted =
            largest ? 67.0 - static_cast<double>(k) : -60.0 + static_cast<double>(k);
        ASSERT_EQ(got(r, k), wanted) << r << ", " << k;
        ASSERT_EQ(x(r, places.bits(r, k)), wanted) << r << ", " << k;
      }
    }
  }
}

TEST_F(PublishedRows, SoftmaxOfRowsThatEndWithinATile) {
  constexpr Word kHigh = 2, kWide = 3, kLast = 20;  // columns of the last tile
  constexpr std::size_t kColumns = 32 * (kWide - 1) + kLast;
  const Numbers x = random(kHigh, kWide, -4, 4);
  const auto in = tensor(x);
  for (const std::string kind : {"SOFTMAX", "SOFTMIN", "LOG"}) {
    const auto out = result(kHigh * kWide);

    Operation::Defines defines;
    if (kind != "SOFTMIN") defines["SOFTMAX"] = "1";
    if (kind == "LOG") defines["LOG"] = "1";
    kLaunches.run(*bench_, "softmax_of_rows_that_end_within_a_tile",
                  TVP_VALUES(kWide, in, kHigh, kLast, defines, out));
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      const double sign = kind == "SOFTMIN" ? -1 : 1;
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(sign * x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double share = std::exp(sign * x(r, c)) / sum;
        const double wanted = kind == "LOG" ? std::log(share) : share;
        ASSERT_NEAR(got(r, c), wanted, 4 * kRounded * std::abs(wanted) + 1e-6)
            << kind << " " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedRows, SoftmaxOfAttention) {
  constexpr Word kHigh = 2, kWide = 4, kBlock = 2;
  constexpr float kScale = 0.25F;
  const Numbers x = random(kHigh, kWide, -8, 8), mask = random(1, kWide, -2, 1);
  const auto in = tensor(x), masks = tensor(mask);
  for (const bool stable : {false, true}) {
    const auto out = result(kHigh * kWide);
    Operation::Defines defines{
        {"FUSED_SCALE_MASK", "1"}, {"EXP_APPROX", "0"}, {"ENABLE_FP32_DEST_ACC", "0"}};
    if (stable) defines["NUMERIC_STABLE"] = "1";
    kLaunches.run(*bench_, "softmax_of_attention",
                  TVP_VALUES(kWide, in, masks, kBlock, w(kScale), kHigh, kOne, defines, out));
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < x.rows(); ++r) {
      double sum = 0;
      const auto weight = [&](std::size_t c) {
        return std::exp(static_cast<double>(kScale) * x(r, c) + mask(0, c));
      };
      for (std::size_t c = 0; c < x.columns(); ++c) sum += weight(c);
      for (std::size_t c = 0; c < x.columns(); ++c)
        ASSERT_NEAR(got(r, c), weight(c) / sum, weight(c) / sum / 16) << stable << " " << r;
    }
  }
}

TEST_F(PublishedRows, RotaryEmbedding) {
  // Rows of two halves of a tile; each rotates by the angle of its position.
  constexpr Word kHigh = 3, kWide = 2, kTiles = kHigh * kWide;
  const Numbers x = random(kHigh, kWide, -2, 2);
  Numbers cosine(kHigh, kWide), sine(kHigh, kWide);
  for (std::size_t r = 0; r < x.rows(); ++r) {
    for (std::size_t c = 0; c < x.columns(); ++c) {
      const auto angle = static_cast<float>(r) / static_cast<float>(1 + c % 32);
      cosine.set(r, c, std::cos(angle));
      sine.set(r, c, std::sin(angle));
    }
  }
  const auto in = tensor(x), cosines = tensor(cosine), sines = tensor(sine), out = result(kTiles);
  kLaunches.run(*bench_, "rotary_embedding",
                TVP_VALUES(kWide, kHigh, kTiles, in, cosines, sines, out));
  check(read(out, kWide), 3 * kRounded, [&](auto r, auto c) {
    const double turned = c < 32 ? -x(r, c + 32) : x(r, c - 32);
    return x(r, c) * cosine(r, c) + turned * sine(r, c);
  });
}

TEST_F(PublishedRows, MatrixProductWhoseInnerSizeEndsWithinATile) {
  constexpr Word kM = 2, kK = 3, kN = 2, kLast = 12;
  const Numbers a = random(kM, kK, -1, 1), b = random(kK, kN, -1, 1);
  const auto first = tensor(a), second = tensor(b), out = result(kM * kN);
  kLaunches.run(*bench_, "matrix_product_whose_inner_size_ends_within_a_tile",
                TVP_VALUES(kLast, first, second, kM, kK, kN, out));
  check(read(out, kN), 1.0 / 16, [&](auto r, auto c) {
    double sum = 0;
    for (std::size_t k = 0; k < 32 * (kK - 1) + kLast; ++k) sum += a(r, k) * b(k, c);
    return sum;
  });
}

}  // namespace
}  // namespace tvp::test
