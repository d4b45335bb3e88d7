// Compute kernels of tt-metal's tree, compared with loops.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <tuple>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

constexpr const char* kTests = "tests/tt_metal/tt_metal/test_kernels/compute/";

class PublishedCompute : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/published");
  }
  static void TearDownTestSuite() { bench_.reset(); }
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/" + kTests))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }

  static TileBuffer in(std::uint8_t cb, Words words, Word pages) {
    const auto bytes = static_cast<Word>(words.size() * 4 / pages);
    return {cb, DataFormat::Float16_b, bytes, pages, std::move(words)};
  }
  static TileBuffer out(Word pages, std::uint8_t cb = 16) {
    return {cb, DataFormat::Float16_b, 2048, pages, {}};
  }
  /// BF16 numbers as bits.
  Matrix numbers(float low, float high) {
    std::uniform_real_distribution<float> of(low, high);
    return each([&](auto, auto) { return to_bf16(of(random_)); });
  }
  static Matrix all(double number) {
    return each([&](auto, auto) { return to_bf16(static_cast<float>(number)); });
  }
  static Words tiles(const std::vector<Matrix>& matrices) {
    Words words;
    for (const Matrix& m : matrices) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return words;
  }
  static float value(const Words& words, std::size_t tile, std::size_t row, std::size_t column) {
    return f(from_bf16(datum16(words, 1024 * tile + place_in_tile(row, column))));
  }
  static float at(const Matrix& m, std::size_t row, std::size_t column) {
    return f(from_bf16(m[row][column]));
  }
  /// Compares with `expected` by tile, row and column. The bound is relative plus absolute.
  template <typename Expected>
  static void check(const Words& got, std::size_t tiles, double bound, Expected expected) {
    for (std::size_t tile = 0; tile < tiles; ++tile) {
      for (std::size_t r = 0; r < 32; ++r) {
        for (std::size_t c = 0; c < 32; ++c) {
          const double wanted = expected(tile, r, c);
          ASSERT_NEAR(value(got, tile, r, c), wanted, bound * (std::abs(wanted) + 1))
              << "tile " << tile << " row " << r << " column " << c;
        }
      }
    }
  }

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{7};
};

constexpr double kExact = 0;
constexpr double kRounded = 1.0 / 128;
/// A 16-bit Dst rounds after each of the four phases of a product.
constexpr double kFourTimes = 1.0 / 64;

TEST_F(PublishedCompute, TransposeInDst) {
  const std::vector<Matrix> a = {numbers(-9, 9), numbers(-9, 9), numbers(-9, 9)};
  TileBench::Options options;
  options.compile_args = {3};
  const auto got = bench_->run("", std::string(kTests) + "transpose_wh_dest.cpp",
                               {in(0, tiles(a), 3)}, {out(3)}, options);
  check(got[0], 3, kExact, [&](auto tile, auto r, auto c) { return at(a[tile], c, r); });
}

TEST_F(PublishedCompute, PackRows) {
  const Words a = tiles({numbers(-9, 9)});
  for (const Word rows : {8U, 48U}) {
    TileBench::Options options;
    options.compile_args = {rows};
    const auto got =
        bench_->run("", std::string(kTests) + "pack_rows.cpp", {in(0, a, 1)}, {out(1)}, options);
    for (std::size_t i = 0; i < std::size_t{16} * rows; ++i)
      ASSERT_EQ(datum16(got[0], i), datum16(a, i)) << i;
  }
}

TEST_F(PublishedCompute, MultiplyAndReduceToANumber) {
  std::vector<Matrix> a, b;
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    a.push_back(numbers(-1, 2));
    b.push_back(numbers(-1, 2));
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        const double product = static_cast<double>(at(a[i], r, c)) * at(b[i], r, c);
        sum += product;
        size += std::abs(product);
      }
    }
  }
  TileBench::Options options;
  options.runtime_args = {3};
  options.defines = {{"REDUCE_OP", "PoolType::SUM"}, {"REDUCE_DIM", "ReduceDim::REDUCE_SCALAR"}};
  const auto got = bench_->run("", std::string(kTests) + "mul_reduce_scalar.cpp",
                               {in(0, tiles(a), 3), in(1, tiles(b), 3)}, {out(1)}, options);
  EXPECT_NEAR(value(got[0], 0, 0, 0), sum, size / 256);
}

TEST_F(PublishedCompute, MovingAverage) {
  // Channels in rows and time along columns, four tiles long, in two batches.
  constexpr std::size_t kTiles = 4, kBatches = 2;
  std::vector<Matrix> a;
  for (std::size_t i = 0; i < kTiles * kBatches; ++i) a.push_back(numbers(-2, 2));
  TileBench::Options options;
  options.compile_args = {kBatches, kTiles, w(0.875F), w(0.125F)};
  options.scratch = {out(1, 2)};
  const auto got = bench_->run(
      "", "ttnn/cpp/ttnn/operations/reduction/accumulation/ema/kernels/compute/ema_compute.cpp",
      {in(0, tiles(a), kTiles * kBatches)}, {out(kTiles * kBatches, 1)}, options);
  std::array<double, 32> average{};
  for (std::size_t tile = 0; tile < a.size(); ++tile) {
    for (std::size_t c = 0; c < 32; ++c) {
      for (std::size_t r = 0; r < 32; ++r) {
        if (tile % kTiles == 0 && c == 0) average[r] = 0;
        average[r] = 0.875 * average[r] + 0.125 * static_cast<double>(at(a[tile], r, c));
        ASSERT_NEAR(value(got[0], tile, r, c), average[r], 0.02) << tile << ", " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedCompute, EmbeddingBackward) {
  const Matrix gradient = numbers(-4, 4), before = numbers(-4, 4);
  Words mask(16, 0), count(16, 0);
  std::array<std::uint8_t, 32> rows{};
  for (std::size_t i = 0; i < 32; ++i) {
    rows[i] = static_cast<std::uint8_t>(i % 6 == 0 ? 255 : (i * 11 + 3) % 32);
    mask[i / 4] |= Word{rows[i]} << (8 * (i % 4));
  }
  count[0] = 1;  // chunks
  TileBench::Options options;
  options.compile_args = {1, 1};
  options.runtime_args = {1};
  const auto got = bench_->run(
      "",
      "ttnn/cpp/ttnn/operations/embedding_backward/device/kernels/compute/embedding_backward.cpp",
      {{25, DataFormat::UInt32, 64, 1, count},
       in(0, tiles({gradient}), 1),
       {24, DataFormat::UInt8, 64, 1, mask},
       in(2, tiles({before}), 1)},
      {out(1)}, options);
  std::array<std::array<double, 32>, 32> expected{};
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c) expected[r][c] = at(before, r, c);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32; ++c)
      if (rows[r] < 32) expected[rows[r]][c] += at(gradient, r, c);
  check(got[0], 1, kRounded, [&](auto, auto r, auto c) { return expected[r][c]; });
}

TEST_F(PublishedCompute, TilesFromRowsAndBack) {
  // Two rows of three tiles.
  std::vector<Matrix> a;
  for (std::size_t i = 0; i < 6; ++i) a.push_back(numbers(-9, 9));
  Words plain(6 * 512);
  for (std::size_t tile = 0; tile < 6; ++tile)
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t c = 0; c < 32; ++c)
        set_datum16(plain, (tile / 3 * 32 + r) * 96 + tile % 3 * 32 + c, a[tile][r][c]);
  TileBench::Options options;
  options.compile_args = {2, 3};
  const auto tilized =
      bench_->run("", std::string(kTests) + "tilize.cpp", {in(0, plain, 6)}, {out(6)}, options);
  check(tilized[0], 6, kExact, [&](auto tile, auto r, auto c) { return at(a[tile], r, c); });
  for (const char* name : {"unpack_untilize.cpp", "pack_untilize.cpp"}) {
    const auto got =
        bench_->run("", std::string(kTests) + name, {in(0, tiles(a), 6)}, {out(6)}, options);
    EXPECT_EQ(got[0], plain) << name;
  }
}

TEST_F(PublishedCompute, TilesOfOneRowOrColumn) {
  const std::vector<Matrix> a = {numbers(-9, 9), numbers(-9, 9)};
  const std::vector<Matrix> b = {numbers(-9, 9), numbers(-9, 9)};
  TileBench::Options options;
  options.compile_args = {1, 2};
  options.defines = {{"BCAST_DIM_0", "BroadcastType::ROW"}, {"BCAST_DIM_1", "BroadcastType::COL"}};
  const auto got =
      bench_->run("", std::string(kTests) + "unary_bcast.cpp",
                  {in(0, tiles(a), 2), in(1, tiles(b), 2)}, {out(2), out(2, 17)}, options);
  check(got[0], 2, kExact, [&](auto tile, auto, auto c) { return at(a[tile], 0, c); });
  check(got[1], 2, kExact, [&](auto tile, auto r, auto) { return at(b[tile], r, 0); });
}

TEST_F(PublishedCompute, MatrixProductInBlocks) {
  // (2 x 2 tiles) times (2 x 2 tiles), over three blocks.
  constexpr std::size_t kBlocks = 3;
  std::vector<Matrix> a, b;
  for (std::size_t i = 0; i < 4 * kBlocks; ++i) {
    a.push_back(numbers(-1, 1));
    b.push_back(numbers(-1, 1));
  }
  TileBench::Options options;
  options.compile_args = {2, 2, 2, kBlocks, 4, 4, 4};
  const auto got =
      bench_->run("", std::string(kTests) + "matmul.cpp",
                  {in(0, tiles(a), 4 * kBlocks), in(1, tiles(b), 4 * kBlocks)}, {out(4)}, options);
  for (std::size_t tile = 0; tile < 4; ++tile) {
    for (std::size_t r = 0; r < 32; ++r) {
      for (std::size_t c = 0; c < 32; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < 64 * kBlocks; ++k) {
          const std::size_t block = k / 64, i = k % 64 / 32;
          sum += static_cast<double>(at(a[4 * block + tile / 2 * 2 + i], r, k % 32)) *
                 at(b[4 * block + 2 * i + tile % 2], k % 32, c);
        }
        ASSERT_NEAR(value(got[0], tile, r, c), sum, 0.25) << tile << ", " << r << ", " << c;
      }
    }
  }
}

TEST_F(PublishedCompute, ARowForAllRows) {
  std::vector<Matrix> a, b;
  for (int i = 0; i < 4; ++i) {
    a.push_back(numbers(-9, 9));
    b.push_back(numbers(-9, 9));
  }
  TileBench::Options options;
  options.runtime_args = {1, 2, 2};
  options.defines = {{"BCAST_LLKOP", "EltwiseBinaryType::ELWMUL"},
                     {"BCAST_DIM", "BroadcastType::ROW"},
                     {"BCAST_OP", "mul_tiles_bcast"}};
  const auto got = bench_->run("", std::string(kTests) + "bcast_h.cpp",
                               {in(0, tiles(a), 4), in(1, tiles(b), 4)}, {out(4)}, options);
  check(got[0], 4, kFourTimes, [&](auto tile, auto r, auto c) {
    return static_cast<double>(at(a[tile], r, c)) * at(b[tile], 0, c);
  });
}

TEST_F(PublishedCompute, ColumnsOfTilesReduced) {
  constexpr std::size_t kHeight = 3, kWidth = 2;
  std::vector<Matrix> a;
  for (std::size_t i = 0; i < kHeight * kWidth; ++i) a.push_back(numbers(-9, 9));
  const Matrix ones = each([](auto, auto) { return to_bf16(1.0F); });
  for (const bool largest : {false, true}) {
    TileBench::Options options;
    options.compile_args = {kHeight, kWidth, 1};
    options.defines = {{"REDUCE_OP", largest ? "PoolType::MAX" : "PoolType::SUM"},
                       {"REDUCE_DIM", "ReduceDim::REDUCE_COL"},
                       {"MATH_ONLY", "0"}};
    const auto got = bench_->run("", std::string(kTests) + "reduce_h.cpp",
                                 {in(2, tiles({ones}), 1), in(0, tiles(a), kHeight * kWidth)},
                                 {out(kWidth)}, options);
    for (std::size_t tile = 0; tile < kWidth; ++tile) {
      for (std::size_t c = 0; c < 32; ++c) {
        double expected = largest ? -1e30 : 0, size = 0;
        for (std::size_t r = 0; r < 32 * kHeight; ++r) {
          const double x = at(a[tile * kHeight + r / 32], r % 32, c);
          expected = largest ? std::max(expected, x) : expected + x;
          size += std::abs(x);
        }
        ASSERT_NEAR(value(got[0], tile, 0, c), expected, largest ? 0 : size / 128) << c;
      }
    }
  }
}

TEST_F(PublishedCompute, SumOfTwoTilesAndAChainOfFunctions) {
  const Matrix a = numbers(-3, 3), b = numbers(-3, 3);
  const auto sum = bench_->run(
      "", "tt_metal/programming_examples/add_2_integers_in_compute/kernels/compute/add_2_tiles.cpp",
      {in(0, tiles({a}), 1), in(1, tiles({b}), 1)}, {out(1)});
  check(sum[0], 1, kRounded,
        [&](auto, auto r, auto c) { return static_cast<double>(at(a, r, c)) + at(b, r, c); });
  const Matrix ones = each([](auto, auto) { return to_bf16(1.0F); });
  TileBench::Options options;
  options.compile_args = {0, 1, 16};
  const auto softplus = bench_->run(
      "", "tt_metal/programming_examples/sfpu_eltwise_chain/kernels/compute/compute.cpp",
      {in(0, tiles({a}), 1), in(1, tiles({ones}), 1)}, {out(1)}, options);
  check(softplus[0], 1, 2 * kRounded, [&](auto, auto r, auto c) {
    return std::log1p(std::exp(static_cast<double>(at(a, r, c))));
  });
}

// Combines two partial results of attention (sums l of values, weights s, maximum scores m), then a
// third one, and divides values by weights. Rows are half a tile wide.
TEST_F(PublishedCompute, PartialAttentionReduced) {
  constexpr std::size_t kTiles = 2, kParts = 3, kRows = 16;
  constexpr float kScale = 0.5F;
  struct Part {
    std::vector<Matrix> values;
    Matrix weights, scores;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < kParts; ++i)
    parts.push_back({{numbers(-9, 9), numbers(-9, 9)}, numbers(1, 4), numbers(-3, 3)});
  const auto& [second, first, third] = std::tie(parts[0], parts[1], parts[2]);

  TileBench::Options options;
  options.compile_args = {16, 0,  1,  2,  4,  5,         17, 6,      3, 7,  18, 8,
                          9,  10, 11, 12, 13, w(kScale), 1,  kTiles, 2, 19, 20, 21};
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{6, 7, 8, 9, 10, 11, 20, 21})
    options.scratch.push_back(out(1, cb));
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{12, 13, 19})
    options.scratch.push_back(out(kTiles, cb));
  const auto values_of = [](const Part& a, const Part& b) {
    return tiles({a.values[0], a.values[1], b.values[0], b.values[1]});
  };
  const auto got = bench_->run(
      "", "ttnn/cpp/ttnn/operations/ccl/reduce_to_root/device/kernels/compute_kernel.cpp",
      {in(0, tiles(second.values), kTiles), in(1, values_of(first, third), 2 * kTiles),
       in(2, tiles({second.weights}), 1), in(3, tiles({first.weights, third.weights}), 2),
       in(4, tiles({first.scores, third.scores}), 2), in(5, tiles({second.scores}), 1)},
      {out(kTiles), out(1, 17), out(1, 18)}, options);

  for (std::size_t r = 0; r < kRows; ++r) {
    float largest = at(parts[0].scores, r, 0);
    for (const Part& part : parts) largest = std::max(largest, at(part.scores, r, 0));
    EXPECT_EQ(value(got[1], 0, r, 0), largest) << r;
    double weights = 0;
    std::array<double, 32 * kTiles> sums{};
    for (const Part& part : parts) {
      const double p = std::exp(kScale * static_cast<double>(at(part.scores, r, 0) - largest));
      weights += p * static_cast<double>(at(part.weights, r, 0));
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += p * static_cast<double>(at(part.values[c / 32], r, c % 32));
    }
    EXPECT_NEAR(value(got[2], 0, r, 0), weights, weights / 32) << r;
    for (std::size_t c = 0; c < sums.size(); ++c)
      EXPECT_NEAR(value(got[0], c / 32, r, c % 32), sums[c] / weights, 0.25) << r << ", " << c;
  }
}

TEST_F(PublishedCompute, SoftmaxOfScaledAndMaskedRows) {
  // Two rows of four tiles under one row mask.
  constexpr std::size_t kHeight = 2, kWidth = 4;
  constexpr float kScale = 0.25F;
  std::vector<Matrix> a, mask;
  for (std::size_t i = 0; i < kHeight * kWidth; ++i) a.push_back(numbers(-8, 8));
  for (std::size_t i = 0; i < kWidth; ++i) mask.push_back(numbers(-2, 1));
  TileBench::Options options;
  options.runtime_args = {kHeight, kHeight, kWidth, 2, 0};
  options.defines = {{"FUSED_SCALE_MASK", "1"}};
  options.scratch = {out(kWidth, 24), out(1, 25), out(kWidth, 27)};
  const auto got = bench_->run("", std::string(kTests) + "softmax.cpp",
                               {in(2, tiles({all(1.0F)}), 1), in(3, tiles({all(kScale)}), 1),
                                in(0, tiles(a), kHeight * kWidth), in(4, tiles(mask), kWidth)},
                               {out(kHeight * kWidth)}, options);
  for (std::size_t row = 0; row < 32 * kHeight; ++row) {
    const std::size_t first = row / 32 * kWidth, r = row % 32;
    std::array<double, 32 * kWidth> weights{};
    double sum = 0;
    for (std::size_t c = 0; c < weights.size(); ++c) {
      weights[c] = std::exp(static_cast<double>(kScale * at(a[first + c / 32], r, c % 32)) +
                            static_cast<double>(at(mask[c / 32], 0, c % 32)));
      sum += weights[c];
    }
    for (std::size_t c = 0; c < weights.size(); ++c) {
      const double expected = weights[c] / sum;
      ASSERT_NEAR(value(got[0], first + c / 32, r, c % 32), expected, expected / 16) << row;
    }
  }
}

TEST_F(PublishedCompute, LayerNorm) {
  constexpr std::size_t kHeight = 2, kWidth = 4;
  constexpr double kEpsilon = 0.25;
  std::vector<Matrix> a, gamma, beta;
  for (std::size_t i = 0; i < kHeight * kWidth; ++i) a.push_back(numbers(-4, 8));
  for (std::size_t i = 0; i < kWidth; ++i) {
    gamma.push_back(numbers(-2, 2));
    beta.push_back(numbers(-2, 2));
  }
  TileBench::Options options;
  options.compile_args = {kWidth, 2, 1, 1};
  options.runtime_args = {kHeight};
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{25, 26, 28})
    options.scratch.push_back(out(1, cb));
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{24, 27, 29})
    options.scratch.push_back(out(kWidth, cb));
  const auto got = bench_->run(
      "", std::string(kTests) + "layernorm.cpp",
      {in(2, tiles({all(1.0F / (32 * kWidth))}), 1), in(3, tiles({all(kEpsilon)}), 1),
       in(0, tiles(a), kHeight * kWidth), in(5, tiles(gamma), kWidth), in(6, tiles(beta), kWidth)},
      {out(kHeight * kWidth)}, options);
  for (std::size_t row = 0; row < 32 * kHeight; ++row) {
    const std::size_t first = row / 32 * kWidth, r = row % 32;
    const auto x = [&](std::size_t c) {
      return static_cast<double>(at(a[first + c / 32], r, c % 32));
    };
    double mean = 0, variance = 0;
    for (std::size_t c = 0; c < 32 * kWidth; ++c) mean += x(c) / (32 * kWidth);
    for (std::size_t c = 0; c < 32 * kWidth; ++c)
      variance += (x(c) - mean) * (x(c) - mean) / (32 * kWidth);
    for (std::size_t c = 0; c < 32 * kWidth; ++c) {
      const double expected = (x(c) - mean) / std::sqrt(variance + kEpsilon) *
                                  static_cast<double>(at(gamma[c / 32], 0, c % 32)) +
                              static_cast<double>(at(beta[c / 32], 0, c % 32));
      ASSERT_NEAR(value(got[0], first + c / 32, r, c % 32), expected, 0.125) << row << ", " << c;
    }
  }
}

// The sum of an all-reduce of four chips.
TEST_F(PublishedCompute, BlocksSummedInDst) {
  constexpr std::size_t kBlocks = 4, kTiles = 3;
  std::vector<Matrix> a;
  for (std::size_t i = 0; i < kBlocks * kTiles; ++i) a.push_back(numbers(-9, 9));
  TileBench::Options options;
  options.compile_args = {0, 16};
  options.runtime_args = {1, kBlocks, kTiles};
  const auto got = bench_->run("",
                               "ttnn/cpp/ttnn/operations/experimental/ccl/all_reduce_async/device/"
                               "kernels/compute/reduction.cpp",
                               {in(0, tiles(a), kBlocks * kTiles)}, {out(kTiles)}, options);
  // Dst rounds the sum of the first two, up to 18.
  check(got[0], kTiles, kBlocks * kFourTimes, [&](auto tile, auto r, auto c) {
    double sum = 0;
    for (std::size_t block = 0; block < kBlocks; ++block)
      sum += static_cast<double>(at(a[block * kTiles + tile], r, c));
    return sum;
  });
}

TEST_F(PublishedCompute, RunningSumsAndProductsOfTiles) {
  constexpr std::size_t kRows = 2, kTiles = 3;
  std::vector<Matrix> a;
  for (std::size_t i = 0; i < kRows * kTiles; ++i) a.push_back(numbers(0.5F, 2));
  for (const bool product : {false, true}) {
    TileBench::Options options;
    options.runtime_args = {kRows, kTiles, product ? 1U : 0U};
    options.scratch = {out(2, 3)};
    const auto got = bench_->run(
        "",
        "ttnn/cpp/ttnn/operations/reduction/accumulation/device/kernels/compute/"
        "accumulation_compute.cpp",
        {in(2, tiles({all(product ? 1.0F : 0.0F)}), 1), in(0, tiles(a), kRows * kTiles)},
        {out(kRows * kTiles, 1)}, options);
    check(got[0], kRows * kTiles, 2 * kFourTimes, [&](auto tile, auto r, auto c) {
      double result = product ? 1 : 0;
      for (std::size_t i = tile / kTiles * kTiles; i <= tile; ++i) {
        const double x = static_cast<double>(at(a[i], r, c));
        result = product ? result * x : result + x;
      }
      return result;
    });
  }
}

}  // namespace
}  // namespace tvp::test
