// Normalization of rows and of whole matrices, and its gradients (moreh).

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/moreh_norm.toml");

using runtime::DataFormat;

constexpr std::size_t kHigh = 2, kWide = 4;
constexpr Word kBlock = 2;
constexpr double kRounded = 0x1p-7;
constexpr float kEpsilon = 1e-3F;

struct Case {
  bool rows = true;  ///< normalizes each row, otherwise the whole matrix
  bool large = false, fp32 = false, gamma = true;
  unsigned high = 64, wide = 128;  ///< without padding
};

class PublishedMorehNorm : public PublishedTest {
 protected:
  struct Moments {
    double mean = 0, inverse = 0;
  };
  static Moments moments(const Case& c, const Numbers& x, std::size_t row) {
    double sum = 0, squares = 0;
    const std::size_t from = c.rows ? row : 0, to = c.rows ? row + 1 : c.high;
    for (std::size_t r = from; r < to; ++r) {
      for (std::size_t k = 0; k < c.wide; ++k) {
        sum += x(r, k);
        squares += x(r, k) * x(r, k);
      }
    }
    const double n = static_cast<double>(to - from) * c.wide, mean = sum / n;
    return {mean, 1 / std::sqrt(squares / n - mean * mean + static_cast<double>(kEpsilon))};
  }
  static Word rows_of(const Case& c) { return c.rows ? kHigh : 1; }
  static Word inner(const Case& c) { return count(c.rows ? kWide : kHigh * kWide); }
  static Word mask(unsigned size) { return size % 32 == 0 ? 32 : size % 32; }
  static Operation::Defines defines(const Case& c, const std::string& dim) {
    Operation::Defines made{{"REDUCE_OP", "PoolType::SUM"}, {"REDUCE_DIM", "ReduceDim::" + dim}};
    if (c.fp32) made["FP32_DEST_ACC_EN"] = "1";
    return made;
  }
  static std::string reduced(const Case& c) { return c.rows ? "REDUCE_ROW" : "REDUCE_SCALAR"; }
  static void inner_buffers(Operation& operation, const Case& c,
                            std::initializer_list<std::pair<std::uint8_t, Word>> buffers) {
    for (const auto& [cb, pages] : buffers)
      operation.buffer(cb, pages, c.fp32 ? 4096 : 2048,
                       c.fp32 ? DataFormat::Float32 : DataFormat::Float16_b);
  }
  /// Gamma or beta: a row, or a matrix.
  Numbers weights(const Case& c) { return random(c.rows ? 1 : kHigh, kWide, -1, 1); }
  static double weight(const Case& c, const Numbers& of, std::size_t row, std::size_t column) {
    return of(c.rows ? 0 : row, column);
  }
  /// Means and inverse deviations as tensors of one row.
  static std::pair<Numbers, Numbers> kept(const Case& c, const Numbers& x) {
    Numbers means(1, kHigh), inverses(1, kHigh);
    for (std::size_t row = 0; row < (c.rows ? c.high : 1); ++row) {
      means.set(0, row, static_cast<float>(moments(c, x, row).mean));
      inverses.set(0, row, static_cast<float>(moments(c, x, row).inverse));
    }
    return {means, inverses};
  }
  static void check_counting(const Case& c, const Numbers& got, double bound,
                             const Expected& expected) {
    for (std::size_t r = 0; r < c.high; ++r) {
      for (std::size_t k = 0; k < c.wide; ++k) {
        const double wanted = expected(r, k);
        ASSERT_NEAR(got(r, k), wanted, bound * (std::abs(wanted) + 1))
            << (c.rows ? "rows " : "matrix ") << (c.large ? "large " : "")
            << (c.fp32 ? "fp32 " : "") << r << ", " << k;
      }
    }
  }

  void forward(const Case& c);
  void gradient_of_input(const Case& c);
  void gradients_of_weights(const Case& c);
};

void PublishedMorehNorm::forward(const Case& c) {
  const Numbers x = random(kHigh, kWide, -2, 3), gamma = weights(c), beta = weights(c);
  const auto in = tensor(x), gamma_in = tensor(gamma), beta_in = tensor(beta);
  const auto out = result(x.tiles()), means = result(kHigh), inverses = result(kHigh);
  const bool mask_h = c.high % 32 != 0 && !c.rows, mask_w = c.wide % 32 != 0;
  const Word all = c.large ? 2 * kBlock : inner(c);
  Operation::Defines reads;
  if (c.gamma) reads["GAMMA_HAS_VALUE"] = reads["BETA_HAS_VALUE"] = "1";
  if (mask_h) reads["DO_MASK_H"] = "1";
  if (mask_w) reads["DO_MASK_W"] = "1";
  if (c.fp32) reads["FP32_DEST_ACC_EN"] = "1";
  const float scaler = c.rows ? 1.0F / static_cast<float>(c.wide)
                              : 1.0F / std::sqrt(static_cast<float>(c.high * c.wide));
  Operation operation(*bench_);
  kLaunches.describe(operation, "forward",
                     TVP_VALUES(all, kBlock, in, gamma_in, beta_in, rows_of(c), inner(c), w(scaler),
                                w(kEpsilon), mask_h, mask(c.high), mask(c.wide), reads, c.high,
                                c.wide, c.gamma, c.rows, c.fp32, out, means, inverses)
                         .with("kernel", std::string(c.large ? "large" : "small"))
                         .with("compute_defines", defines(c, reduced(c))));
  inner_buffers(operation, c,
                {{24, 1},
                 {25, all},
                 {26, c.large ? 2 * kBlock : 1},
                 {27, 1},
                 {28, 1},
                 {29, 1},
                 {30, 2 * kBlock},
                 {31, 2}});
  operation.run();
  check_counting(c, read(out, kWide), 4 * kRounded, [&](auto r, auto k) {
    const Moments of = moments(c, x, r);
    const double y = (x(r, k) - of.mean) * of.inverse;
    return c.gamma ? y * weight(c, gamma, r, k) + weight(c, beta, r, k) : y;
  });
  // Statistics of rows stay a column. The kernel swaps faces where it should transpose (in LLK,
  // only within_face_16x16_transpose transposes), and its writer takes a row.
  if (c.rows) return;
  EXPECT_NEAR(read(means, kHigh)(0, 0), moments(c, x, 0).mean, 2 * kRounded);
  EXPECT_NEAR(read(inverses, kHigh)(0, 0), moments(c, x, 0).inverse, 2 * kRounded);
}

void PublishedMorehNorm::gradient_of_input(const Case& c) {
  const Numbers x = random(kHigh, kWide, -2, 3), dy = random(kHigh, kWide, -1, 1),
                gamma = weights(c);
  const auto [means, inverses] = kept(c, x);
  const auto x_in = tensor(x), dy_in = tensor(dy), gamma_in = tensor(gamma),
             means_in = tensor(means), inverses_in = tensor(inverses), out = result(x.tiles());
  const Word mask_h = c.high % 32 != 0 && !c.rows, mask_w = c.wide % 32 != 0;
  const Word all = c.large ? 1 : inner(c);
  const auto n = static_cast<float>(c.rows ? c.wide : c.high * c.wide);
  Operation::Defines reads;
  if (c.fp32) reads["FP32_DEST_ACC_EN"] = "1";
  Operation operation(*bench_);
  kLaunches.describe(operation, "gradient_of_input",
                     TVP_VALUES(c.gamma, mask_h, mask_w, dy_in, x_in, means_in, inverses_in,
                                gamma_in, rows_of(c), inner(c), w(n), w(1 / n), mask(c.high),
                                mask(c.wide), c.rows, c.high, reads, c.wide, c.fp32, out)
                         .with("kernel", std::string(c.large ? "large" : "small"))
                         .with("compute_defines", defines(c, reduced(c))));
  inner_buffers(operation, c,
                {{24, all}, {25, all}, {26, 1}, {27, 1}, {28, 1}, {29, 1}, {30, 1}, {31, 1}});
  operation.run();
  std::vector<Moments> of(c.high);
  std::vector<double> sums(c.high), products(c.high);
  const auto scaled = [&](std::size_t r, std::size_t k) {
    return dy(r, k) * (c.gamma ? weight(c, gamma, r, k) : 1);
  };
  for (std::size_t r = 0; r < c.high; ++r) {
    of[r] = moments(c, x, r);
    for (std::size_t k = 0; k < c.wide; ++k) {
      const std::size_t at = c.rows ? r : 0;
      sums[at] += scaled(r, k);
      products[at] += scaled(r, k) * (x(r, k) - of[r].mean) * of[r].inverse;
    }
  }
  check_counting(c, read(out, kWide), 8 * kRounded, [&](auto r, auto k) {
    const std::size_t at = c.rows ? r : 0;
    const double y = (x(r, k) - of[r].mean) * of[r].inverse, size_of = static_cast<double>(n);
    return of[r].inverse * (scaled(r, k) - sums[at] / size_of - y * products[at] / size_of);
  });
}

// Sums over all rows, each normalized separately.
void PublishedMorehNorm::gradients_of_weights(const Case& c) {
  const Numbers x = random(kHigh, kWide, -2, 3), dy = random(kHigh, kWide, -1, 1);
  const auto [means, inverses] = kept(c, x);
  const auto x_in = tensor(x), dy_in = tensor(dy), means_in = tensor(means),
             inverses_in = tensor(inverses), gamma = result(kWide), beta = result(kWide);
  const Word mask_h = c.high % 32 != 0;

  Operation::Defines reads;
  if (c.fp32) reads["FP32_DEST_ACC_EN"] = "1";
  Operation operation(*bench_);
  kLaunches.describe(operation, "gradients_of_weights",
                     TVP_VALUES(mask_h, dy_in, x_in, means_in, inverses_in, kWide, kHigh,
                                mask(c.high), c.high, reads, c.wide, c.fp32, gamma, beta)
                         .with("compute_defines", defines(c, "REDUCE_COL")));
  inner_buffers(operation, c, {{24, 1}, {25, 1}, {26, 1}, {27, 1}, {28, 1}, {29, 1}});
  operation.run();
  const Numbers got_gamma = read(gamma, kWide), got_beta = read(beta, kWide);
  for (std::size_t k = 0; k < c.wide; ++k) {
    double sum = 0, products = 0;
    for (std::size_t r = 0; r < c.high; ++r) {
      const Moments of = moments(c, x, r);
      sum += dy(r, k);
      products += dy(r, k) * (x(r, k) - of.mean) * of.inverse;
    }
    ASSERT_NEAR(got_gamma(0, k), products, 8 * kRounded * (std::abs(products) + 1)) << k;
    ASSERT_NEAR(got_beta(0, k), sum, 8 * kRounded * (std::abs(sum) + 1)) << k;
  }
}

TEST_F(PublishedMorehNorm, OfRows) {
  forward({});
  forward({.fp32 = true, .wide = 110});
  forward({.large = true, .wide = 110});
  forward({.large = true, .fp32 = true, .gamma = false});
}

TEST_F(PublishedMorehNorm, OfMatrices) {
  forward({.rows = false, .high = 50, .wide = 100});
  forward({.rows = false, .large = true, .fp32 = true, .high = 50, .wide = 100});
}

TEST_F(PublishedMorehNorm, GradientsOfInputs) {
  gradient_of_input({});
  gradient_of_input({.large = true, .fp32 = true, .wide = 110});
  gradient_of_input({.rows = false, .fp32 = true, .high = 50, .wide = 100});
  gradient_of_input({.rows = false, .large = true, .gamma = false});
}

TEST_F(PublishedMorehNorm, GradientsOfWeights) {
  gradients_of_weights({});
  gradients_of_weights({.fp32 = true, .high = 50});
}

}  // namespace
}  // namespace tvp::test
