// Operations that rearrange numbers in DRAM. Reference: tt-metal pull requests 50187 and 51913
// (permutations), 51919 (tilize), 50178 (untilize; July and August 2026, N300), and 41949 (a unary
// operation that DRAM limits; April 2026, Wormhole).

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/rearranged.toml");

using runtime::CoreCoord;

constexpr Grid kGrid{8, 8};

class PublishedRearranged : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }
  Words noise(std::size_t words) {
    Words made(words);
    for (Word& word : made) word = static_cast<Word>(random_());
    return made;
  }
  /// Permutes the dimensions of a tensor with rows of `row_bytes`.
  void permute_rows(const Words& sizes, const Words& order, Word row_bytes, const std::string& name,
                    double silicon, double share = 1);
  /// Tilizes rows, one row of tiles per core.
  void tilize(Word high, Word wide, const std::string& name, double silicon, double share = 1);
};

void PublishedRearranged::permute_rows(const Words& sizes, const Words& order, Word row_bytes,
                                       const std::string& name, double silicon, double share) {
  const std::size_t rank = sizes.size();
  Word rows = 1;
  for (std::size_t i = 0; i + 1 < rank; ++i) rows *= sizes[i];
  // Strides of the result's dimensions in rows.
  Words strides(rank, 1);
  for (std::size_t i = rank - 2; i-- > 0;) strides[i] = strides[i + 1] * sizes[order[i + 1]];
  const Words a = noise(std::size_t{rows} * row_bytes / 4);
  const auto in = bench_->tensor(a, row_bytes), out = bench_->result(rows, row_bytes);
  const Split split(rows, kGrid, false);
  kLaunches.run(
      *bench_, "permute_rows",
      TVP_VALUES(split, row_bytes, in, rank, rows, out)
          .with("writer_args", [&](CoreCoord core) -> Words {
            const auto [first, each] = split(core);
            Words args{address(out), first, first + each};
            for (const Words* list : {&sizes, &order, static_cast<const Words*>(&strides)})
              args.insert(args.end(), list->begin(), list->end());
            return args;
          }));
  expect_as_on_silicon(name, silicon, share);

  const Words got = bench_->words(out);
  const std::size_t words = row_bytes / 4;
  for (Word row = 0; row < rows; ++row) {
    Words at(rank, 0);
    Word left = row, to = 0;
    for (std::size_t i = rank - 1; i-- > 0; left /= sizes[i]) at[i] = left % sizes[i];
    for (std::size_t i = 0; i + 1 < rank; ++i) to += at[order[i]] * strides[i];
    for (std::size_t i = 0; i < words; ++i)
      ASSERT_EQ(got[to * words + i], a[row * words + i]) << row << ", " << i;
  }
}

TEST_F(PublishedRearranged, RowsOfFiveDimensions) {
  permute_rows({2, 3, 4, 32, 64}, {1, 2, 0, 3, 4}, 128, "768 rows", 7940);
}
TEST_F(PublishedRearranged, RowsOfFiveDimensionsOtherwise) {
  permute_rows({2, 3, 4, 32, 64}, {2, 3, 1, 0, 4}, 128, "768 rows otherwise", 8050);
}
TEST_F(PublishedRearranged, LongerRows) {
  permute_rows({1, 2, 3, 64, 96}, {1, 2, 0, 3, 4}, 192, "384 rows", 4300);
}
TEST_F(PublishedRearranged, LongerRowsOtherwise) {
  permute_rows({1, 2, 3, 64, 96}, {2, 3, 1, 0, 4}, 192, "384 rows otherwise", 4540);
}
TEST_F(PublishedRearranged, RowsOfFourDimensions) {
  permute_rows({1, 4, 96, 128}, {0, 2, 1, 3}, 256, "384 rows of four dimensions", 4217);
}

void PublishedRearranged::tilize(Word high, Word wide, const std::string& name, double silicon,
                                 double share) {
  const Word row_bytes = 64 * wide;
  const Words a = random(high, wide, -4, 4).words();
  const auto rows = bench_->tensor(a, row_bytes);
  const auto tiles = bench_->result(high * wide, 2048);
  const Split split(high, kGrid, true);
  kLaunches.run(*bench_, "tilize", TVP_VALUES(split, wide, row_bytes, rows, tiles));
  expect_as_on_silicon(name, silicon, share);
  const Numbers got = read(tiles, wide, {false});
  for (std::size_t row = 0; row < got.rows(); ++row)
    for (std::size_t column = 0; column < got.columns(); ++column)
      ASSERT_EQ(got.bits(row, column), datum16(a, row * got.columns() + column))
          << row << ", " << column;
}

TEST_F(PublishedRearranged, RowsBecomeTiles) {
  tilize(32, 32, "1024 x 1024 numbers become tiles", 30760, 0.9);
}
TEST_F(PublishedRearranged, FewRowsBecomeTiles) {
  tilize(3, 3, "96 x 96 numbers become tiles", 3906, 0.9);
  tilize(5, 6, "160 x 192 numbers become tiles", 4751, 0.87);
}

/// Untilizes 128 x 256 numbers, a row of eight tiles per core.
TEST_F(PublishedRearranged, TilesBecomeRows) {
  constexpr Word kHigh = 4, kWide = 8;
  const Words a = random(kHigh, kWide, -4, 4).words();
  const auto tiles = bench_->tensor(a, 2048);
  const auto rows = bench_->result(32 * kHigh, 64 * kWide);
  const Split split(kHigh, kGrid, true);
  kLaunches.run(*bench_, "tiles_become_rows", TVP_VALUES(split, kWide, tiles, rows));
  expect_as_on_silicon("tiles become rows", 7575);
  const Words got = bench_->words(rows);
  for (std::size_t row = 0; row < 32 * kHigh; ++row)
    for (std::size_t column = 0; column < 32 * kWide; ++column)
      ASSERT_EQ(datum16(got, row * 32 * kWide + column),
                datum16(a, (row / 32 * kWide + column / 32) * 1024 +
                               place_in_tile(row % 32, column % 32)))
          << row << ", " << column;
}

/// Tiles from DRAM to DRAM through the vector unit. Silicon ran a silu with a slope table, which
/// takes less time than DRAM. It first loads the table, and its cores start one after the other: a
/// single tile takes 1561 cycles here and 2035 there.
TEST_F(PublishedRearranged, Copies) {
  for (const auto& [high, silicon] : {std::pair{32U, 25477.}, {64U, 93998.}}) {
    const Numbers numbers = random(high, high, -4, 4);
    const auto in = bench_->tensor(numbers.words(), 2048), out = bench_->result(high * high, 2048);
    const Split split(high * high, kGrid, false);
    const std::string kernels = operations() + "eltwise/unary/device/kernels/";
    Operation operation(*bench_);
    operation.on(split.cores());
    kLaunches.describe(operation, "copies", TVP_VALUES(split, in, out));
    for (const auto& [each, cores] : split.groups())
      operation.on(cores).compute(
          kernels + "compute/eltwise_sfpu.cpp",
          {.compile = {each, 1},
           .defines = {{"SFPU_OP_CHAIN_0", "relu_tile_init();relu_tile(0);"},
                       {"SFPU_OP_RELU_FAMILY_INCLUDE", "1"}}});
    operation.run();
    expect_as_on_silicon("copy of " + std::to_string(high * high), silicon);
    check(read(out, high, {false}), 0,
          [&](std::size_t row, std::size_t column) { return std::max(numbers(row, column), 0.0); });
  }
}

}  // namespace
}  // namespace tvp::test
