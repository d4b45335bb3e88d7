// Kernels of tt-train's operations, run as their hosts do.

#include <gtest/gtest.h>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/published_test.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("operations/train.toml");

using runtime::CoreCoord;
using runtime::CoreRange;

const std::string kMetal = "tt-train/sources/ttml/metal/";

/// Rows of tiles, three on each of two cores.
class PublishedTrain : public PublishedTest {
 protected:
  static constexpr Word kCores = 2, kEach = 3, kRows = kCores * kEach;
  const CoreRange where_{{0, 0}, {kCores - 1, 0}};

  static std::string kernels(const std::string& operation) {
    return kMetal + operation + "/device/kernels/";
  }
  static Word first(CoreCoord core) { return static_cast<Word>(core.x) * kEach; }
  static Word twice(float value) { return Word{to_bf16(value)} * 0x10001; }
  static Operation::Defines sums(Operation::Defines defines) {
    defines["REDUCE_OP"] = "PoolType::SUM";
    defines["REDUCE_DIM"] = "ReduceDim::REDUCE_ROW";
    return defines;
  }
};

TEST_F(PublishedTrain, SiluBackwards) {
  constexpr Word kBlock = 4, kWide = 6;  // the last block is half empty
  const Numbers x = random(kRows, kWide, -4, 4), grad = random(kRows, kWide, -2, 2);
  const auto in = tensor(x), in_grad = tensor(grad), out = result(kRows * kWide);

  const std::string at = kernels("ops/silu_bw");
  kLaunches.run(*bench_, "silu_backwards",
                TVP_VALUES(where_, kBlock, at, kWide, in, in_grad, kEach, first, out));
  check(read(out, kWide), 0.02, [&](auto r, auto c) {
    const double s = 1 / (1 + std::exp(-x(r, c)));
    return s * (1 + x(r, c) * (1 - s)) * grad(r, c);
  });
}

TEST_F(PublishedTrain, RmsNorm) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kEpsilon = 1.0F / 64;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -3, 3), gamma = random(1, kWide, 0.5F, 1.5F);
    const auto in = tensor(x), in_gamma = tensor(gamma), out = result(kRows * kWide),
               roots = result(kRows);

    const Word row = fits ? kWide : 2 * kBlock;
    auto defines = sums({{"DO_MASK_W", "1"}, {"RETURN_RMS", "1"}});
    if (fits)
      defines["EVERYTHING_FITS_IN_L1"] = defines["EVERYTHING_EXCEPT_GAMMA_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/rmsnorm_fw");
    kLaunches.run(*bench_, "rms_norm",
                  TVP_VALUES(where_, row, kBlock, at, twice(1.0F / kColumns), twice(kEpsilon),
                             kColumns, kWide, in, in_gamma, kEach, first, defines, out, roots));
    const auto root = [&](std::size_t r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += x(r, c) * x(r, c);
      return std::sqrt(sum / kColumns + kEpsilon);
    };
    const std::string name = fits ? "a row in L1: " : "in blocks: ";
    const Numbers got = read(out, kWide), got_roots = read(roots, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      const double wanted = root(r);
      ASSERT_NEAR(got_roots(r, 0), wanted, 0.02 * wanted) << name << r;
      for (std::size_t c = 0; c < kColumns; ++c)
        ASSERT_NEAR(got(r, c), x(r, c) * gamma(0, c) / wanted, 0.05) << name << r << ", " << c;
    }
  }
}

TEST_F(PublishedTrain, Softmax) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    const auto in = tensor(x), out = result(kRows * kWide);

    const Word row = fits ? kWide : 2 * kBlock;
    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/softmax");
    kLaunches.run(
        *bench_, "softmax",
        TVP_VALUES(where_, row, kBlock, at, kWide, kColumns, in, kEach, first, defines, out));
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double wanted = std::exp(x(r, c)) / sum;
        ASSERT_NEAR(got(r, c), wanted, 0.03 * wanted + 1e-4) << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, CrossEntropy) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    Words targets(kRows * 32);
    for (Word& target : targets)
      target = std::uniform_int_distribution<Word>(0, kColumns - 1)(random_);
    const auto in = tensor(x), out = result(kRows), wanted = bench_->tensor(targets, kRows * 128);

    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/cross_entropy_fw");
    kLaunches.run(*bench_, "cross_entropy",
                  TVP_VALUES(where_, fits, kWide, kBlock, at, kColumns, kRows, in, wanted, kEach,
                             first, defines, out));
    const Numbers got = read(out, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      ASSERT_NEAR(got(r, 0), std::log(sum) - x(r, targets[r]), 0.08) << fits << ": " << r;
    }
  }
}

TEST_F(PublishedTrain, CrossEntropyBackwards) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kScale = 1.0F / 4;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -4, 4);
    Words targets(kRows * 32);
    for (Word& target : targets)
      target = std::uniform_int_distribution<Word>(0, kColumns - 1)(random_);
    const auto in = tensor(x), out = result(kRows * kWide);
    const auto wanted = bench_->tensor(targets, kRows * 128);

    auto defines = sums({{"DO_MASK_W", "1"}});
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/cross_entropy_bw");
    kLaunches.run(*bench_, "cross_entropy_backwards",
                  TVP_VALUES(where_, fits, kWide, kBlock, at, kColumns, kRows, in, wanted, kEach,
                             first, defines, w(kScale), out));
    const Numbers got = read(out, kWide);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < kColumns; ++c) sum += std::exp(x(r, c));
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double share = std::exp(x(r, c)) / sum - (targets[r] == c ? 1 : 0);
        ASSERT_NEAR(got(r, c), kScale * share, 0.004) << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, LayerNorm) {
  constexpr Word kWide = 6, kBlock = 3, kColumns = 32 * kWide - 12;
  constexpr float kEpsilon = 1.0F / 64;
  for (const bool fits : {true, false}) {
    const Numbers x = random(kRows, kWide, -2, 4), gamma = random(1, kWide, 0.5F, 1.5F),
                  beta = random(1, kWide, -1, 1);
    const auto in = tensor(x), in_gamma = tensor(gamma), in_beta = tensor(beta);
    const auto out = result(kRows * kWide), means = result(kRows), roots = result(kRows);

    const Word row = fits ? kWide : 2 * kBlock;
    Operation::Defines defines{{"DO_MASK_W", "1"}, {"RETURN_MEAN_RSTD", "1"}};
    if (fits) defines["EVERYTHING_FITS_IN_L1"] = "1";
    const std::string at = kernels("ops/layernorm_fw");
    kLaunches.run(
        *bench_, "layer_norm",
        TVP_VALUES(where_, row, kBlock, at, twice(1.0F / kColumns), twice(kEpsilon), kColumns,
                   kWide, in, in_gamma, in_beta, first, kEach, defines, out, means, roots));
    const Numbers got = read(out, kWide), got_means = read(means, 1), got_roots = read(roots, 1);
    for (std::size_t r = 0; r < got.rows(); ++r) {
      double mean = 0, squares = 0;
      for (std::size_t c = 0; c < kColumns; ++c) mean += x(r, c) / kColumns;
      for (std::size_t c = 0; c < kColumns; ++c)
        squares += (x(r, c) - mean) * (x(r, c) - mean) / kColumns;
      const double root = 1 / std::sqrt(squares + kEpsilon);
      ASSERT_NEAR(got_means(r, 0), mean, 0.02) << fits << ": " << r;
      ASSERT_NEAR(got_roots(r, 0), root, 0.02) << fits << ": " << r;
      for (std::size_t c = 0; c < kColumns; ++c) {
        const double normed = (x(r, c) - mean) * root;
        ASSERT_NEAR(got(r, c), normed * gamma(0, c) + beta(0, c), 0.06)
            << fits << ": " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedTrain, StepsOfSgd) {
  constexpr Word kBlock = 8, kTiles = 12;  // per core; the last block is half empty
  constexpr double kRate = 0.125, kMomentum = 0.875, kOneMinusDampening = 0.75, kDecay = 0.0625;
  for (const bool nesterov : {false, true}) {
    const Numbers x = random(1, kCores * kTiles, -2, 2), grad = random(1, kCores * kTiles, -2, 2),
                  moment = random(1, kCores * kTiles, -1, 1);
    const auto in = tensor(x), in_grad = tensor(grad), in_moment = tensor(moment),
               out = result(kCores * kTiles);
    Operation operation(*bench_);
    operation.on(where_);
    for (std::uint8_t cb = 0; cb < 17; ++cb)
      operation.buffer(cb, cb < 12 || cb == 16 ? 2 * kBlock : 1);
    const Operation::Defines defines{{"USE_MOMENTUM", "1"}, {"USE_NESTEROV", nesterov ? "1" : "0"}};
    const auto tile = [](CoreCoord core) { return static_cast<Word>(core.x) * kTiles; };
    const std::string at = kernels("optimizers/sgd_fused");
    operation
        .reader(at + "dataflow/reader_sgd_fused_interleaved_start_id.cpp",
                {.compile = {kBlock},
                 .tensors = {in, in_grad, in_moment},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(in),   address(in_grad), address(in_moment),
                                    twice(kRate),  twice(kMomentum), twice(kOneMinusDampening),
                                    twice(kDecay), kTiles,           tile(core)};
                     },
                 .defines = defines})
        .compute(at + "compute/sgd_fused_kernel.cpp",
                 {.compile = {kTiles, kBlock}, .run = {1, 1}, .defines = defines})
        .writer(at + "dataflow/writer_sgd_fused_interleaved_start_id.cpp",
                {.compile = {kBlock},
                 .tensors = {out, in_moment},
                 .run_at =
                     [&](CoreCoord core) {
                       return Words{address(out), address(in_moment), kTiles, tile(core)};
                     },
                 .defines = defines})
        .run();
    const auto moved = [&](std::size_t r, std::size_t c) {
      return kMomentum * moment(r, c) + kOneMinusDampening * (grad(r, c) + kDecay * x(r, c));
    };
    const auto step = [&](std::size_t r, std::size_t c) {
      return nesterov
                 ? kMomentum * moved(r, c) + kOneMinusDampening * (grad(r, c) + kDecay * x(r, c))
                 : moved(r, c);
    };
    check(read(in_moment, kCores * kTiles), 0.02, moved, "momentum: ");
    check(read(out, kCores * kTiles), 0.02,
          [&](auto r, auto c) { return x(r, c) - kRate * step(r, c); });
  }
}

}  // namespace
}  // namespace tvp::test
