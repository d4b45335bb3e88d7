// Compute kernels that compute a function in several steps through Dst and intermediate buffers,
// compared with the function in double precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;
using Defines = std::vector<std::pair<std::string, std::string>>;

const std::string kOperations = "ttnn/cpp/ttnn/operations/";
const std::string kUnary = kOperations + "eltwise/unary/device/kernels/compute/";

class PublishedFunctions : public testing::Test {
 protected:
  static constexpr Word kTiles = 3;

  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/published_functions");
  }
  static void TearDownTestSuite() { bench_.reset(); }
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/" + kUnary))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }

  std::vector<Matrix> numbers(float low, float high, Word count = kTiles) {
    std::uniform_real_distribution<float> of(low, high);
    std::vector<Matrix> made;
    for (Word i = 0; i < count; ++i)
      made.push_back(each([&](auto, auto) { return to_bf16(of(random_)); }));
    return made;
  }
  static std::vector<Matrix> all(float number) {
    return {each([&](auto, auto) { return to_bf16(number); })};
  }
  static TileBuffer in(std::uint8_t cb, const std::vector<Matrix>& matrices) {
    Words words;
    for (const Matrix& m : matrices) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, static_cast<Word>(matrices.size()), words};
  }
  static TileBuffer out(std::uint8_t cb, Word pages = kTiles) {
    return {cb, DataFormat::Float16_b, 2048, pages, {}};
  }
  static double at(const Matrix& m, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(m[r][c])));
  }
  static double at(const Words& words, std::size_t tile, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(datum16(words, 1024 * tile + place_in_tile(r, c)))));
  }
  /// Compares with `expected` by tile, row and column; the bound is relative plus `absolute`.
  template <typename Expected>
  static void check(const Words& got, double part, double absolute, Expected expected,
                    std::size_t tiles = kTiles) {
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c) {
          const double wanted = expected(tile, r, c);
          ASSERT_NEAR(at(got, tile, r, c), wanted, part * std::abs(wanted) + absolute)
              << "tile " << tile << " row " << r << " column " << c;
        }
  }
  /// A unary operation of tt-metal: from buffer 0 to 2 through buffer 1.
  void unary(const std::string& kernel, const std::vector<Matrix>& x, double part, double absolute,
             const std::function<double(double)>& function, const Words& arguments = {},
             Defines defines = {}) {
    defines.emplace_back("INP_FLOAT", "1");
    TileBench::Options options;
    options.compile_args = {kTiles, 1};
    options.runtime_args = arguments;
    options.defines = defines;
    options.scratch = {out(1, 1)};
    const auto got = bench_->run("", kUnary + kernel, {in(0, x)}, {out(2)}, options);
    check(got[0], part, absolute,
          [&](auto tile, auto r, auto c) { return function(at(x[tile], r, c)); });
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{21};
};

constexpr double kRounded = 1.0 / 256;  ///< to BF16, once
constexpr double kTwice = 1.0 / 128;

TEST_F(PublishedFunctions, HardShrink) {
  unary("hardshrink_kernel.cpp", numbers(-2, 2), 0, 0,
        [](double x) { return std::abs(x) > 0.75 ? x : 0; }, {w(0.75F)});
}

TEST_F(PublishedFunctions, TanhShrink) {
  unary("tanhshrink_kernel.cpp", numbers(-4, 4), kRounded, kTwice,
        [](double x) { return x - std::tanh(x); });
}

TEST_F(PublishedFunctions, HardSwish) {
  unary("hardswish_kernel.cpp", numbers(-5, 5), kTwice, 1.0 / 1024,
        [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; });
}

TEST_F(PublishedFunctions, CubeRoot) {
  unary("cbrt_kernel.cpp", numbers(-90, 90), kTwice, 1.0 / 1024,
        [](double x) { return std::cbrt(x); }, {}, {});
}

TEST_F(PublishedFunctions, LogitOfWhatIsClamped) {
  const auto logit = [](double x) {
    const double y = std::clamp(x, 0.125, 0.875);
    return std::log(y / (1 - y));
  };
  // Near one half, the rounding of the quotient dominates its logarithm.
  unary("logit_kernel.cpp", numbers(0, 1), kRounded, kTwice, logit, {w(0.125F), w(0.875F)},
        {{"CLAMP", "1"}});
}

TEST_F(PublishedFunctions, LogSigmoid) {
  unary("logsigmoid_kernel.cpp", numbers(-8, 8), kTwice, 1.0 / 64,
        [](double x) { return -std::log1p(std::exp(-x)); });
}

TEST_F(PublishedFunctions, Mish) {
  // The kernel uses the approximate exponential and logarithm.
  unary("mish_kernel.cpp", numbers(-4, 4), 1.0 / 32, 1.0 / 32,
        [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
}

TEST_F(PublishedFunctions, OneOfTwoNumbers) {
  std::vector<Matrix> x = numbers(-1, 1);
  for (Matrix& m : x)
    for (auto& row : m)
      for (auto& value : row)
        if (random_() % 2 == 0) value = 0;
  unary("where_tss_kernel.cpp", x, 0, 0, [](double value) { return value != 0 ? 2.5 : -0.25; },
        {w(2.5F), w(-0.25F)},
        {{"SFPU_OP_CHAIN_0", "where_tile_init(); where_tile<DataFormat::Float16_b>(0, 1, 2, 0);"}});
}

TEST_F(PublishedFunctions, GradientOfGelu) {
  const auto gradient = numbers(-2, 2), x = numbers(-3, 3);
  TileBench::Options options;
  options.runtime_args = {kTiles, 1};
  const auto got = bench_->run("",
                               kOperations +
                                   "experimental/unary_backward/gelu_backward/device/kernels/"
                                   "compute/eltwise_bw_gelu_approx_none.cpp",
                               {in(0, gradient), in(1, x)}, {out(2)}, options);
  // Every step rounds to BF16 in Dst, and the two terms may nearly cancel.
  check(got[0], 1.0 / 64, 1.0 / 32, [&](auto tile, auto r, auto c) {
    const double v = at(x[tile], r, c);
    const double below = (1 + std::erf(v / std::sqrt(2.0))) / 2;
    const double density = std::exp(-v * v / 2) / std::sqrt(2 * std::acos(-1.0));
    return at(gradient[tile], r, c) * (below + v * density);
  });
}

TEST_F(PublishedFunctions, AddAProductTimesANumber) {
  const auto a = numbers(-2, 2), b = numbers(-2, 2), c = numbers(-2, 2);
  TileBench::Options options;
  options.compile_args = {1};
  options.runtime_args = {kTiles, 0, 0, w(0.5F)};
  const auto got = bench_->run(
      "", kOperations + "eltwise/ternary/device/kernels/compute/ternary_addcmul_fpu.cpp",
      {in(0, a), in(1, b), in(2, c)}, {out(3)}, options);
  check(got[0], kTwice, 1.0 / 64, [&](auto tile, auto r, auto k) {
    return at(a[tile], r, k) + 0.5 * at(b[tile], r, k) * at(c[tile], r, k);
  });
}

/// All rows use the first row of the second factor.
TEST_F(PublishedFunctions, AddAProductWithARow) {
  const auto a = numbers(-2, 2), b = numbers(-2, 2), c = numbers(-2, 2);
  TileBench::Options options;
  options.compile_args = {1};
  options.runtime_args = {kTiles, 0, 0, w(0.5F)};
  options.defines = {{"BCAST_A", "0"},
                     {"BCAST_B", "0"},
                     {"BCAST_C", "1"},
                     {"TERNARY_SFPU_OP_INIT", "addcmul_tile_init"},
                     {"TERNARY_SFPU_OP_FUNC", "addcmul_tile<DataFormat::Float16_b>"}};
  options.scratch = {out(4, 1), out(5, 1), out(6, 1)};
  const auto got = bench_->run(
      "", kOperations + "eltwise/ternary/device/kernels/compute/ternary_addcmul_fpu_rowbcast.cpp",
      {in(0, a), in(1, b), in(2, c)}, {out(3)}, options);
  check(got[0], kTwice, 1.0 / 64, [&](auto tile, auto r, auto k) {
    return at(a[tile], r, k) + 0.5 * at(b[tile], r, k) * at(c[tile], 0, k);
  });
}

/// Mean and variance move towards those of the batch by a tenth.
TEST_F(PublishedFunctions, RunningStatistics) {
  constexpr float kMomentum = 0.125F;
  const auto mean = numbers(-1, 1), variance = numbers(0, 2), old_mean = numbers(-1, 1),
             old_variance = numbers(0, 2);
  TileBench::Options options;
  options.compile_args = {1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  options.runtime_args = {kTiles};
  options.scratch = {out(9, 1), out(10, 1), out(11, 1)};
  const auto got = bench_->run(
      "",
      kOperations + "normalization/batch_norm/device/kernels/compute/running_statistics_kernel.cpp",
      {in(0, mean), in(1, variance), in(3, old_mean), in(4, old_variance), in(7, all(kMomentum)),
       in(8, all(1))},
      {out(2), out(5), out(6)}, options);
  const auto moved = [](double old, double batch) {
    return (1 - static_cast<double>(kMomentum)) * old + static_cast<double>(kMomentum) * batch;
  };
  check(got[1], kTwice, 1.0 / 256, [&](auto tile, auto r, auto c) {
    return moved(at(old_mean[tile], r, c), at(mean[tile], r, c));
  });
  check(got[2], kTwice, 1.0 / 256, [&](auto tile, auto r, auto c) {
    return moved(at(old_variance[tile], r, c), at(variance[tile], r, c));
  });
}

/// Reduces two by two tiles to one number.
TEST_F(PublishedFunctions, ReduceBothWays) {
  const auto x = numbers(-1, 2, 4);
  for (const char* pool : {"SUM", "MAX"}) {
    TileBench::Options options;
    options.compile_args = {2, 2, 1};
    options.defines = {{"REDUCE_OP", std::string("PoolType::") + pool},
                       {"REDUCE_DIM", "ReduceDim::REDUCE_SCALAR"}};
    const auto got =
        bench_->run("", kOperations + "reduction/generic/device/kernels/compute/reduce_hw.cpp",
                    {in(0, x), in(2, all(1))}, {out(3, 1)}, options);
    double sum = 0, size = 0, largest = -9;
    for (const Matrix& m : x)
      for (std::size_t r = 0; r < 32; ++r)
        for (std::size_t c = 0; c < 32; ++c) {
          sum += at(m, r, c);
          size += std::abs(at(m, r, c));
          largest = std::max(largest, at(m, r, c));
        }
    const bool is_sum = std::string(pool) == "SUM";
    EXPECT_NEAR(at(got[0], 0, 0, 0), is_sum ? sum : largest, is_sum ? size / 256 : 0) << pool;
  }
}

}  // namespace
}  // namespace tvp::test
