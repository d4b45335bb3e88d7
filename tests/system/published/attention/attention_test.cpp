// Attention of one query (sdpa_decode): the compute kernel against loops in double precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>

#include "tests/system/benches/tile_bench.h"
#include "tests/system/benches/tile_matrix.h"

namespace tvp::test {
namespace {

using runtime::DataFormat;

const std::string kKernel =
    "ttnn/cpp/ttnn/operations/transformer/sdpa_decode/device/kernels/compute/sdpa_flash_decode.cpp";

struct Case {
  std::string name;
  unsigned length;      ///< tiles of keys and values
  unsigned chunk;       ///< tiles of a chunk of keys; 0: chosen by position
  unsigned head = 2;    ///< in tiles
  unsigned value = 2;   ///< in tiles
  int position = -1;    ///< the last key that a causal query uses
  bool masked = false;  ///< uses a mask tensor
  bool sink = false;
  bool rows = false;  ///< query and result in rows, not tiles
  bool fp32 = false;
  double bound = 0.04;
};

class PublishedAttention : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    bench_ = std::make_unique<TileBench>(TVP_KERNEL_FOLDER "/published_attention");
  }
  static void TearDownTestSuite() { bench_.reset(); }
  void SetUp() override {
    const char* const home = std::getenv("TT_METAL_HOME");
    if (home == nullptr || !std::filesystem::exists(std::string(home) + "/" + kKernel))
      GTEST_SKIP() << "TT_METAL_HOME names no tree of tt-metal's";
  }
  void TearDown() override {
    if (!HasFailure()) return;
    bench_.reset();
    SetUpTestSuite();
  }

  /// BF16 numbers as bits.
  Matrix numbers(float low, float high) {
    std::uniform_real_distribution<float> of(low, high);
    return each([&](auto, auto) { return to_bf16(of(random_)); });
  }
  static double at(const std::vector<Matrix>& tiles, std::size_t wide, std::size_t r,
                   std::size_t c) {
    return static_cast<double>(f(from_bf16(tiles[r / 32 * wide + c / 32][r % 32][c % 32])));
  }
  static TileBuffer buffer(std::uint8_t cb, unsigned pages, const std::vector<Matrix>& tiles = {}) {
    Words words;
    for (const Matrix& m : tiles) {
      const Words tile = tile16(m);
      words.insert(words.end(), tile.begin(), tile.end());
    }
    return {cb, DataFormat::Float16_b, 2048, pages, std::move(words)};
  }
  void run(const Case& c);

  static inline std::unique_ptr<TileBench> bench_;
  std::mt19937 random_{3};
};

void PublishedAttention::run(const Case& c) {
  constexpr float kScale = 0.125F;
  const bool causal = c.position >= 0;
  const unsigned keys = causal ? static_cast<unsigned>(c.position) + 1 : 32 * c.length;
  unsigned chunk = c.chunk;
  if (chunk == 0)
    for (chunk = 1; chunk < 8 && 32 * chunk < keys;) chunk *= 2;
  const unsigned chunks = (keys + 32 * chunk - 1) / (32 * chunk), used = chunks * chunk;

  std::vector<Matrix> q, k, v;
  for (unsigned i = 0; i < c.head; ++i) q.push_back(numbers(-2, 2));
  for (unsigned i = 0; i < c.length * c.head; ++i) k.push_back(numbers(-2, 2));
  for (unsigned i = 0; i < c.length * c.value; ++i) v.push_back(numbers(-4, 4));
  const Matrix sink = numbers(-8, 8);
  // Each chunk of keys holds the head's columns of tiles in turn.
  std::vector<Matrix> k_chunks, v_chunks, masks;
  for (unsigned first = 0; first < used; first += chunk)
    for (unsigned column = 0; column < c.head; ++column)
      for (unsigned row = 0; row < chunk; ++row)
        k_chunks.push_back(k[(first + row) * c.head + column]);
  v_chunks.assign(v.begin(), v.begin() + used * c.value);
  const auto masked = [&](std::size_t row, std::size_t key) {
    return causal ? key >= keys : c.masked && (row + key) % 5 == 0;
  };
  for (unsigned tile = causal ? used - chunk : 0; tile < used; ++tile)
    masks.push_back(each([&](auto row, auto column) -> Word {
      return masked(row, 32 * tile + column) ? 0xFF80 : 0;
    }));
  const Matrix scaler = each([](auto row, auto) -> Word { return row % 16 == 0 ? 0x3F80 : 0; });
  const Matrix column = each([](auto, auto i) -> Word { return i == 0 ? 0x3F80 : 0; });

  std::vector<TileBuffer> in = {buffer(1, used * c.head, k_chunks),
                                buffer(2, used * c.value, v_chunks), buffer(5, 1, {scaler}),
                                buffer(11, 1, {column}), buffer(12, 1, {Matrix{}})};
  TileBench::Options options;
  if (c.rows) {
    // 32 rows of the head's width.
    TileBuffer rows = buffer(10, c.head);
    rows.words.resize(512 * c.head);
    for (std::size_t r = 0; r < 32; ++r)
      for (std::size_t i = 0; i < 32 * c.head; ++i)
        set_datum16(rows.words, r * 32 * c.head + i, q[i / 32][r][i % 32]);
    in.push_back(std::move(rows));
    options.scratch.push_back(buffer(0, c.head));
  } else {
    in.push_back(buffer(0, c.head, q));
  }
  if (causal || c.masked) in.push_back(buffer(3, static_cast<unsigned>(masks.size()), masks));
  if (c.sink) in.push_back(buffer(4, 1, {sink}));
  options.fp32_dst = c.fp32;
  options.compile_args = {c.length,
                          c.head,
                          c.value,
                          1,
                          c.chunk,
                          c.head,
                          c.chunk,
                          1,
                          1,
                          c.chunk == 0 ? 0U : 1U,
                          1,
                          c.chunk,
                          c.value,
                          1,
                          1,
                          1,
                          c.chunk == 0 ? 0U : 1U,
                          1,
                          c.chunk * 32,
                          1,
                          1,
                          causal,
                          c.masked,
                          c.sink,
                          8,
                          c.rows,
                          1,
                          0,
                          w(kScale),
                          0};
  options.runtime_args = {1, 1, 0, 0, 0, 0, static_cast<Word>(c.position)};
  const auto define = [&](const std::string& name, unsigned granularity) {
    options.defines.emplace_back(name, std::to_string(granularity));
    options.defines.emplace_back("LOG2_" + name,
                                 std::to_string(static_cast<int>(std::log2(granularity))));
  };
  if (c.chunk == 0) {
    options.defines.emplace_back("DYNAMIC_CHUNK_SIZE", "1");
  } else {
    define("SUB_EXP_GRANULARITY", c.chunk);
    define("MUL_BCAST_GRANULARITY", c.chunk);
    define("STATS_GRANULARITY", c.chunk);
  }
  define("DHT_GRANULARITY", c.head == 3 ? 1 : c.head);
  options.defines.emplace_back("EXP_APPROX_MODE", "0");
  options.scratch.push_back(buffer(24, chunk));
  for (const std::uint8_t cb : std::initializer_list<std::uint8_t>{16, 23, 25, 26})
    options.scratch.push_back(buffer(cb, c.value));
  for (const std::uint8_t cb :
       std::initializer_list<std::uint8_t>{6, 7, 17, 18, 21, 22, 27, 28, 29, 30, 31})
    options.scratch.push_back(buffer(cb, 1));
  const auto got = bench_->run("", kKernel, in, {buffer(20, c.value)}, options);

  for (std::size_t r = 0; r < 32; ++r) {
    std::vector<double> score(keys);
    double most = c.sink ? at({sink}, 1, r, 0) : -std::numeric_limits<double>::infinity();
    for (std::size_t key = 0; key < keys; ++key) {
      for (std::size_t i = 0; i < 32 * c.head; ++i)
        score[key] += at(q, c.head, r, i) * at(k, c.head, key, i);
      if (masked(r, key)) score[key] = -std::numeric_limits<double>::infinity();
      most = std::max(most, score[key]);
    }
    const double scale = static_cast<double>(kScale);
    double sum = c.sink ? std::exp((at({sink}, 1, r, 0) - most) * scale) : 0;
    for (const double each : score) sum += std::exp((each - most) * scale);
    for (std::size_t i = 0; i < 32 * c.value; ++i) {
      double expected = 0, size = 0;
      for (std::size_t key = 0; key < keys; ++key) {
        const double part = std::exp((score[key] - most) * scale) / sum;
        expected += part * at(v, c.value, key, i);
        size += part * std::abs(at(v, c.value, key, i));
      }
      const std::size_t place =
          c.rows ? r * 32 * c.value + i : 1024 * (i / 32) + place_in_tile(r, i % 32);
      ASSERT_NEAR(static_cast<double>(f(from_bf16(datum16(got[0], place)))), expected,
                  c.bound * (size + 1))
          << c.name << " row " << r << ", column " << i;
    }
  }
}

TEST_F(PublishedAttention, OverAllKeys) {
  run({.name = "one chunk", .length = 1, .chunk = 1});
  run({.name = "two chunks", .length = 4, .chunk = 2});
  run({.name = "three chunks, fp32", .length = 6, .chunk = 2, .head = 4, .value = 1, .fp32 = true});
  run({.name = "masked", .length = 4, .chunk = 2, .masked = true});
  run({.name = "with a sink", .length = 4, .chunk = 2, .sink = true});
  run({.name = "rows", .length = 2, .chunk = 1, .rows = true});
}

TEST_F(PublishedAttention, UpToAPosition) {
  run({.name = "within a tile", .length = 4, .chunk = 2, .position = 100});
  run({.name = "the first key", .length = 4, .chunk = 2, .position = 0});
  run({.name = "chunks of any size", .length = 8, .chunk = 0, .position = 70});
  run({.name = "two chunks of any size", .length = 16, .chunk = 0, .position = 300});
}

}  // namespace
}  // namespace tvp::test
