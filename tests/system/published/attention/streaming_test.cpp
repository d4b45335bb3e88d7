// Attention with the compute kernel of tt-metal's trees since spring 2026, in which PACK computes
// exponentials while MATH multiplies.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kKernel =
    "ttnn/cpp/ttnn/operations/transformer/sdpa/device/kernels/compute/sdpa.cpp";
constexpr float kScale = 0.125F;

/// All sizes in tiles.
struct Case {
  std::string name;
  unsigned queries, key_chunk, key_chunks, head;
  unsigned high, wide;  ///< scores that MATH computes at once
};

class PublishedStreaming : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const char* home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || *home == 0) GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal";
    std::ifstream file(std::filesystem::path(home) / kKernel);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find("cb_recip_scratch") == std::string::npos)
      GTEST_SKIP() << "TT_METAL_HOME names an earlier tree";
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/published_streaming");
  }

  std::vector<Matrix> random(unsigned tiles) {
    std::uniform_real_distribution<float> of(-2, 2);
    std::vector<Matrix> all(tiles);
    for (Matrix& m : all) m = each([&](auto, auto) { return to_bf16(of(random_)); });
    return all;
  }
  static TileBuffer buffer(std::uint8_t cb, const std::vector<Matrix>& tiles) {
    TileBuffer result{
        cb, DataFormat::Float16_b, 2048, static_cast<std::uint32_t>(tiles.size()), {}};
    for (const Matrix& m : tiles) {
      const Words words = tile16(m);
      result.words.insert(result.words.end(), words.begin(), words.end());
    }
    return result;
  }
  static TileBuffer scratch(std::uint8_t cb, unsigned tiles) {
    return {cb, DataFormat::Float16_b, 2048, tiles, {}};
  }
  static double at(const std::vector<Matrix>& all, unsigned wide, std::size_t r, std::size_t c) {
    return static_cast<double>(f(from_bf16(all[r / 32 * wide + c / 32][r % 32][c % 32])));
  }

  std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{11};
};

TEST_P(PublishedStreaming, IsASoftmaxOfScores) {
  const Case& c = GetParam();
  const unsigned keys = c.key_chunk * c.key_chunks;
  const auto q = random(c.queries * c.head), k = random(keys * c.head), v = random(keys * c.head);
  // Within a chunk, tiles of keys are column by column.
  std::vector<Matrix> columns;
  for (unsigned chunk = 0; chunk < c.key_chunks; ++chunk)
    for (unsigned d = 0; d < c.head; ++d)
      for (unsigned r = 0; r < c.key_chunk; ++r)
        columns.push_back(k[(chunk * c.key_chunk + r) * c.head + d]);
  const Word one = to_bf16(1);
  const Matrix rows = each([&](auto r, auto) { return r % 16 == 0 ? one : 0; });
  const Matrix column = each([&](auto, auto col) { return col == 0 ? one : 0; });

  TileBench::Options options;
  options.defines = {{"EXP_APPROX_MODE", "0"}};
  options.compile_args = {1, 1, 1, keys, c.head, c.head, c.queries, 1, c.key_chunk, c.key_chunks};
  // Blocks of scores, then blocks of the output.
  const std::uint32_t more[] = {c.head,
                                c.wide,
                                c.high,
                                c.queries / c.high,
                                c.key_chunk / c.wide,
                                1,
                                c.key_chunk,
                                c.head,
                                1,
                                c.queries,
                                1,
                                1};
  options.compile_args.insert(options.compile_args.end(), std::begin(more), std::end(more));
  // One core, no masks, the streaming kernel.
  const std::uint32_t last[] = {1, 0, 0, 0, 0, w(kScale), 0, 0, 1, keys, 0, 0};
  options.compile_args.insert(options.compile_args.end(), std::begin(last), std::end(last));
  for (const std::uint32_t cb : {0, 1, 2, 3, 4, 5, 7, 6, 8, 16, 24, 25, 26, 27, 28, 29, 30, 31})
    options.compile_args.push_back(cb);
  options.runtime_args = {0, 1, 0, 0, 0, 0, 1};
  options.scratch = {scratch(8, 1), scratch(24, c.queries * c.key_chunk)};
  for (std::uint8_t cb = 25; cb < 27; ++cb)
    options.scratch.push_back(scratch(cb, c.queries * c.head));
  for (std::uint8_t cb = 27; cb < 32; ++cb) options.scratch.push_back(scratch(cb, c.queries));
  const auto got = bench_->run(
      c.name, kKernel,
      {buffer(5, {rows}), buffer(7, {column}), buffer(0, q), buffer(1, columns), buffer(2, v)},
      {{16, DataFormat::Float16_b, 2048, c.queries * c.head, {}}}, options)[0];

  for (std::size_t r = 0; r < 32 * c.queries; ++r) {
    std::vector<double> scores;
    double most = -1e30, sum = 0;
    for (std::size_t key = 0; key < 32 * keys; ++key) {
      double score = 0;
      for (std::size_t d = 0; d < 32 * c.head; ++d)
        score += at(q, c.head, r, d) * at(k, c.head, key, d);
      scores.push_back(score * static_cast<double>(kScale));
      most = std::fmax(most, scores.back());
    }
    for (double& score : scores) sum += score = std::exp(score - most);
    for (std::size_t d = 0; d < 32 * c.head; ++d) {
      double expected = 0;
      for (std::size_t key = 0; key < 32 * keys; ++key)
        expected += scores[key] / sum * at(v, c.head, key, d);
      const std::size_t tile = r / 32 * c.head + d / 32;
      const double value = static_cast<double>(
          f(from_bf16(datum16(got, 1024 * tile + place_in_tile(r % 32, d % 32)))));
      // The exponential has an error up to 3.5 %, of numbers up to 2.
      ASSERT_NEAR(value, expected, 0.05) << r << ", " << d;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, PublishedStreaming,
                         testing::Values(Case{"one_chunk", 1, 2, 1, 2, 1, 2},
                                         Case{"chunks", 2, 4, 3, 2, 2, 4},
                                         Case{"halves", 1, 8, 2, 2, 1, 4},
                                         Case{"rows_of_eight", 1, 8, 2, 2, 1, 8}),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace tvp::test
