// Operations around the layers of the picture encoder of Gemma 3 27B on a chip of a
// T3000: positions of 4096 patches, and their conversion to 256 tokens. Reference:
// models/demos/multimodal/gemma3/tests/perf_targets/
// targets_test_perf_vision_cross_attention_op_to_op.json.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/picture.toml");

using runtime::CoreCoord;

constexpr auto kFast = runtime::KernelBuildOptLevel::O3;
constexpr Grid kGrid{8, 8};
/// Sizes in tiles: patches, numbers of a patch, and tokens.
constexpr Word kHigh = 128, kWide = 36, kTokens = 8;
constexpr Word kRowBytes = 64 * kWide;

class PublishedPicture : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }

  static std::string movement() { return operations() + "data_movement/"; }
  static std::string unary() { return operations() + "eltwise/unary/device/kernels/dataflow/"; }
  /// Random BF16 numbers.
  Words noise(std::size_t numbers) {
    Words made(numbers / 2);
    for (Word& word : made) word = (static_cast<Word>(random_()) & 0xBFFFBFFF) | 0x20002000;
    return made;
  }
  /// Index of a number in tiles, `wide` per row.
  static std::size_t in_tiles(std::size_t row, std::size_t column, std::size_t wide) {
    return (row / 32 * wide + column / 32) * 1024 + place_in_tile(row % 32, column % 32);
  }
  using Place = std::function<std::size_t(std::size_t, std::size_t)>;
  /// Checks that numbers of `got` at one place equal those of `from` at another, for rows and
  /// columns.
  static void expect_moved(const Words& got, const Place& to, const Words& from, const Place& at,
                           std::size_t rows, std::size_t columns) {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        ASSERT_EQ(datum16(got, to(r, c)), datum16(from, at(r, c))) << r << ", " << c;
  }
  void transpose(Word high, Word wide, const std::string& name, double silicon, double share = 1);
  struct Permutation {
    Words sizes, order;
    Word moved;  ///< the dimension that becomes the last one
    std::string name;
    double silicon, share = 1;
  };
  void permute(const Permutation& of);
};

/// Two rows of tiles per core become rows of numbers.
TEST_F(PublishedPicture, RowsOfPlaces) {
  const Words a = noise(std::size_t{kHigh} * kWide * 1024);
  const auto in = bench_->tensor(a, 2048), out = bench_->result(32 * kHigh, kRowBytes);
  const Split split(kHigh, kGrid, true);
  kLaunches.run(*bench_, "rows_of_places", TVP_VALUES(split, kWide, in, kRowBytes, out));
  expect_as_on_silicon("rows of places", 113554);
  expect_moved(
      bench_->words(out), [](std::size_t r, std::size_t c) { return r * 32 * kWide + c; }, a,
      [](std::size_t r, std::size_t c) { return in_tiles(r, c, kWide); }, 32 * kHigh, 32 * kWide);
}

/// A row of a table for each patch, two rows of tiles per core.
TEST_F(PublishedPicture, PlacesOfPatches) {
  constexpr Word kPatches = 32 * kHigh;
  const Words table = noise(std::size_t{kPatches} * 32 * kWide);
  Words places(kPatches);
  for (Word i = 0; i < kPatches; ++i) places[i] = i;
  const auto weights = bench_->tensor(table, kRowBytes),
             input = bench_->tensor(places, 4 * kPatches),
             out = bench_->result(kHigh * kWide, 2048);
  const Split split(kHigh, kGrid, false);
  const Word each = kHigh / (kGrid.wide * kGrid.high);
  kLaunches.run(*bench_, "places_of_patches",
                TVP_VALUES(split, kWide, kPatches, kRowBytes, input, weights, each, out));
  expect_as_on_silicon("places of patches", 112356);
  expect_moved(
      bench_->words(out), [](std::size_t r, std::size_t c) { return in_tiles(r, c, kWide); }, table,
      [](std::size_t r, std::size_t c) { return r * 32 * kWide + c; }, kPatches, 32 * kWide);
}

void PublishedPicture::transpose(Word high, Word wide, const std::string& name, double silicon,
                                 double share) {
  const Words a = noise(std::size_t{high} * wide * 1024);
  const auto in = bench_->tensor(a, 2048), out = bench_->result(high * wide, 2048);
  const Split split(high * wide, kGrid, false);
  kLaunches.run(*bench_, "transpose", TVP_VALUES(split, in, high, wide, out));
  expect_as_on_silicon(name, silicon, share);
  expect_moved(
      bench_->words(out), [&](std::size_t r, std::size_t c) { return in_tiles(c, r, high); }, a,
      [&](std::size_t r, std::size_t c) { return in_tiles(r, c, wide); }, 32 * high, 32 * wide);
}

TEST_F(PublishedPicture, PatchesTransposed) {
  transpose(kHigh, kWide, "patches transposed", 110745);
}
TEST_F(PublishedPicture, TokensTransposed) {
  transpose(kWide, kTokens, "tokens transposed", 8032, 0.9);
}

/// Blocks of 9 x 9 tiles, and of 2 x 9 at the end of a row, become rows of numbers.
TEST_F(PublishedPicture, RowsOfNumbers) {
  constexpr Word kBlock = 9, kAcross = kHigh / kBlock + 1, kDown = kWide / kBlock,
                 kLast = kHigh % kBlock, kBytes = 64 * kHigh;
  const Words a = noise(std::size_t{kHigh} * kWide * 1024);
  const auto in = bench_->tensor(a, 2048), out = bench_->result(32 * kWide, kBytes);
  std::vector<CoreCoord> whole, last;
  const auto number = [](CoreCoord core) { return core.x + core.y * kGrid.wide; };
  for (Word i = 0; i < kAcross * kDown; ++i)
    (i % kAcross < kAcross - 1 ? whole : last).push_back({i % kGrid.wide, i / kGrid.wide});
  std::vector<CoreCoord> all = whole;
  all.insert(all.end(), last.begin(), last.end());
  const auto width = [&](CoreCoord core) {
    return number(core) % kAcross < kAcross - 1 ? kBlock : kLast;
  };
  Operation operation(*bench_);
  const std::pair<const std::vector<CoreCoord>&, Word> kinds[] = {{whole, kBlock}, {last, kLast}};
  for (const auto& [cores, wide] : kinds)
    operation.on(runtime::CoreRangeSet(cores))
        .buffer(0, wide)
        .buffer(16, wide)
        .compute(movement() + "untilize/device/kernels/compute/pack_untilize_wh.cpp",
                 {.compile = {kBlock, wide, 1}, .optimization = kFast});
  operation.on(runtime::CoreRangeSet(all))
      .reader(unary() + "reader_unary_interleaved_wh_multicore.cpp",
              {.compile = {kHigh * kWide, 1, kHigh},
               .tensors = {in},
               .run_at = [&](CoreCoord core) -> Words {
                 const Word i = number(core);
                 return {address(in), i / kAcross * kBlock * kHigh + i % kAcross * kBlock,
                         width(core), kBlock};
               }})
      .writer(movement() +
                  "untilize_with_unpadding/device/kernels/dataflow/"
                  "writer_unary_stick_layout_wh_multicore.cpp",
              {.compile = {32 * kWide, 1, 32, kBytes},
               .tensors = {out},
               .run_at = [&](CoreCoord core) -> Words {
                 const Word i = number(core);
                 return {address(out),
                         64 * width(core),
                         i / kAcross * kBlock * 32,
                         i % kAcross * kBlock * 64,
                         width(core),
                         kBlock};
               }})
      .run();
  expect_as_on_silicon("rows of numbers", 166209);
  expect_moved(
      bench_->words(out), [](std::size_t r, std::size_t c) { return r * 32 * kHigh + c; }, a,
      [](std::size_t r, std::size_t c) { return in_tiles(r, c, kHigh); }, 32 * kWide, 32 * kHigh);
}

/// The stride of each dimension except the last, in rows.
Words strides_of(const Words& sizes) {
  Words strides(sizes.size(), 1);
  for (std::size_t i = sizes.size() - 2; i-- > 0;) strides[i] = strides[i + 1] * sizes[i + 1];
  return strides;
}

void PublishedPicture::permute(const Permutation& of) {
  const Words &sizes = of.sizes, &order = of.order;
  const std::size_t n = sizes.size();
  Words out_sizes;
  for (const Word dimension : order) out_sizes.push_back(sizes[dimension]);
  const Words in_strides = strides_of(sizes), out_strides = strides_of(out_sizes);
  const Word last = sizes[n - 1], moved = sizes[of.moved];
  std::size_t numbers = 1;
  for (const Word size : sizes) numbers *= size;
  const Words a = noise(numbers);
  const Word rows = count(numbers) / last;
  const auto in = bench_->tensor(a, 2 * last),
             out = bench_->result(count(numbers) / moved, 2 * moved);
  const Word x_blocks = (moved + 31) / 32, w_blocks = (last + 31) / 32;
  const Split split(rows / moved * x_blocks * w_blocks, kGrid, false);
  const auto with = [](Words made, const Words& more) {
    made.insert(made.end(), more.begin(), more.end());
    return made;
  };
  const auto blocks = [&](CoreCoord core, const OperationBench::Tensor& tensor) -> Words {
    return {address(tensor), split(core).first, split(core).first + split(core).count};
  };
  std::map<std::string, std::uint32_t> named{
      {"N", count(n)},
      {"page_size", 64},
      {"num_rows", rows},
      {"x_dim", of.moved},
      {"num_blocks_total", rows / moved * x_blocks * w_blocks},
      {"x_blocks", x_blocks},
      {"w_blocks", w_blocks},
      {"x_block_size", 32},
      {"w_block_size", 32},
      {"element_size", 2},
      {"input_tensor_page_size", 2 * last}};
  std::map<std::string, std::uint32_t> writes = named;
  writes.insert({{"output_page_size", 64},
                 {"X", moved},
                 {"X_stride", in_strides[of.moved]},
                 {"W_stride", out_strides[of.moved]},
                 {"input_page_size", 64},
                 {"W", last},
                 {"output_tensor_page_size", 2 * moved}});
  const std::string kernels = movement() + "permute/device/kernels/";
  Operation(*bench_)
      .on(split.cores())
      .buffer(0, 64, 64)
      .buffer(2, 64, 64)
      .buffer(1, 2)
      .reader(kernels + "dataflow/reader_permute_interleaved_rm_blocked_generic.cpp",
              {.tensors = {in},
               .run_at =
                   [&](CoreCoord core) { return with(with(blocks(core, in), sizes), in_strides); },
               .named = named})
      .compute(kernels + "compute/transpose_xw_rm_single_tile_size.cpp",
               {.compile = {32, 32},
                .run_at =
                    [&](CoreCoord core) {
                      return Words{split(core).count, 0, 0};
                    },
                .named = {{"x_block_size", 32}, {"w_block_size", 32}},
                .optimization = kFast})
      .writer(kernels + "dataflow/writer_permute_interleaved_rm_blocked_generic.cpp",
              {.tensors = {out},
               .run_at =
                   [&](CoreCoord core) {
                     return with(with(with(blocks(core, out), sizes), order), out_strides);
                   },
               .named = writes})
      .run();
  expect_as_on_silicon(of.name, of.silicon, of.share);
  const Words got = bench_->words(out);
  for (std::size_t i = 0; i < numbers; ++i) {
    std::vector<std::size_t> index(n);
    std::size_t rest = i;
    for (std::size_t d = n; d-- > 0; rest /= sizes[d]) index[d] = rest % sizes[d];
    std::size_t to = 0;
    for (std::size_t d = 0; d < n; ++d) to = to * out_sizes[d] + index[order[d]];
    ASSERT_EQ(datum16(got, to), datum16(a, i)) << i;
  }
}

TEST_F(PublishedPicture, NumbersOfAPatchLast) {
  permute({{1, 1152, 64, 64}, {0, 2, 3, 1}, 1, "numbers of a patch last", 274925, 0.75});
}
TEST_F(PublishedPicture, NumbersOfATokenFirst) {
  permute({{1, 16, 16, 1152}, {0, 3, 1, 2}, 2, "numbers of a token first", 23608, 1.3});
}

/// Each row of numbers is spread over six cores of a row: 384 B, six tiles wide. The tree of
/// February 2026 splits into eight cores and 288 B, with a wait per row. Silicon takes a fifth of
/// what that costs.
constexpr Word kColumns = 6, kShardBytes = kRowBytes / kColumns;
const runtime::CoreRangeSet kCores(runtime::CoreRange({0, 0}, {kColumns - 1, kGrid.high - 1}));
/// Index of a number in blocks of `rows` rows.
std::size_t in_shards(std::size_t row, std::size_t column, std::size_t rows) {
  constexpr std::size_t kWidth = kShardBytes / 2;
  return ((row / rows * kColumns + column / kWidth) * rows + row % rows) * kWidth + column % kWidth;
}

/// 512 rows per core.
TEST_F(PublishedPicture, PatchesToCores) {
  constexpr Word kRows = 32 * kHigh / kGrid.high;
  const Words a = noise(std::size_t{kHigh} * kWide * 1024);
  const auto in = bench_->tensor(a, kRowBytes);
  const auto out =
      bench_->local(Words(std::size_t{32} * kHigh * kColumns * kShardBytes / 4, 0), kCores);
  kLaunches.run(*bench_, "patches_to_cores",
                TVP_VALUES(kCores, out, kShardBytes, kRowBytes, in, kRows));
  expect_as_on_silicon("patches to cores", 57793);
  expect_moved(
      bench_->local_words(out), [](std::size_t r, std::size_t c) { return in_shards(r, c, kRows); },
      a, [](std::size_t r, std::size_t c) { return r * 32 * kWide + c; }, 32 * kHigh, 32 * kWide);
}

/// Tokens back, 32 rows per core.
TEST_F(PublishedPicture, TokensFromCores) {
  constexpr Word kRows = 32 * kTokens / kGrid.high;
  const Words a = noise(std::size_t{32} * kTokens * kColumns * kShardBytes / 2);
  const auto in = bench_->local(a, kCores), out = bench_->result(32 * kTokens, kRowBytes);
  kLaunches.run(*bench_, "tokens_from_cores",
                TVP_VALUES(kCores, in, kShardBytes, kRows, kRowBytes, out));
  expect_as_on_silicon("tokens from cores", 4666, 0.9);
  expect_moved(
      bench_->words(out), [](std::size_t r, std::size_t c) { return r * 32 * kWide + c; }, a,
      [](std::size_t r, std::size_t c) { return in_shards(r, c, kRows); }, 32 * kTokens,
      32 * kWide);
}

/// A row of scales becomes tiles, whose other rows one core fills with zeros, word by word. The
/// tree of February 2026 would use 36 cores, one tile each; silicon's figure is for one core.
TEST_F(PublishedPicture, ScalesToTiles) {
  const Words a = noise(std::size_t{32} * kWide);
  const auto in = bench_->tensor(a, kRowBytes), out = bench_->result(kWide, 2048);
  kLaunches.run(*bench_, "scales_to_tiles", TVP_VALUES(kWide, kRowBytes, in, out));
  expect_as_on_silicon("scales to tiles", 141301, 0.68);
  const Words got = bench_->words(out);
  for (std::size_t r = 0; r < 32; ++r)
    for (std::size_t c = 0; c < 32 * kWide; ++c)
      ASSERT_EQ(datum16(got, in_tiles(r, c, kWide)), r == 0 ? datum16(a, c) : 0) << r << ", " << c;
}

/// The mean of a token's squares: a row of tiles per core, by products with a tile of ones.
TEST_F(PublishedPicture, MeanOfTokens) {
  const Numbers x = random(kTokens, kWide, 0, 4);
  const auto in = tensor(x, {false}), out = result(kTokens, {false});
  const Split split(kTokens, kGrid, false);
  const Operation::Defines defines{{"REDUCE_OP", "PoolType::SUM"},
                                   {"REDUCE_DIM", "ReduceDim::REDUCE_ROW"},
                                   {"REDUCE_ROW_SUM_VIA_MM", "1"}};
  const Word scale = w(1.0F / (32 * kWide)) >> 16;
  kLaunches.run(*bench_, "mean_of_tokens", TVP_VALUES(split, scale, in, kWide, defines, out));
  expect_as_on_silicon("mean of tokens", 22178);
  const Numbers got = read(out, 1, {false});
  for (std::size_t row = 0; row < x.rows(); ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < x.columns(); ++c) sum += x(row, c);
    const double mean = sum * static_cast<double>(f(scale << 16));
    ASSERT_NEAR(got(row, 0), mean, 0.01 * mean) << row;
  }
}

}  // namespace
}  // namespace tvp::test
