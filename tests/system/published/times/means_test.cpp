// Means of columns of tiles, compared with tt-metal pull request 54349 (September 2026, N300, 8 x 8
// cores, state before that request). Each column of tiles has a core, which reads its tiles in
// turn.

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/means.toml");

using runtime::DataFormat;

constexpr Grid kGrid{8, 8};

class PublishedMeans : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }

  /// The mean of each of `wide` columns of `high` tiles; all numbers of a column are equal.
  void means(Word high, Word wide, DataFormat format, const std::string& name, double silicon,
             double share = 1);
};

/// The number in a column of tiles.
float number_of(Word column) { return 1 + static_cast<float>(column % 8) / 8; }

void PublishedMeans::means(Word high, Word wide, DataFormat format, const std::string& name,
                           double silicon, double share) {
  const bool whole = format == DataFormat::Float32, blocks = format == DataFormat::Bfp8_b;
  const Word bytes = whole ? 4096 : blocks ? 1088 : 2048;
  Words words;
  for (Word row = 0; row < high; ++row) {
    for (Word column = 0; column < wide; ++column) {
      const float number = number_of(column);
      if (blocks) {
        const Words tile =
            runtime::pack_as_bfp8_tiles(std::vector<float>(1024, number), false, false);
        words.insert(words.end(), tile.begin(), tile.end());
        continue;
      }
      const Word half = to_bf16(number);
      words.insert(words.end(), bytes / 4, whole ? std::bit_cast<Word>(number) : half << 16 | half);
    }
  }
  const auto in = bench_->tensor(words, bytes), out = bench_->result(wide, bytes);
  const Word part = to_bf16(1.0F / static_cast<float>(32 * high)), scaler = part << 16 | part;
  const Split split(wide, kGrid, false);
  const std::string kernels = operations() + "reduction/generic/device/kernels/";
  Operation operation(*bench_);
  operation.on(split.cores());
  kLaunches.describe(operation, "means",
                     TVP_VALUES(split, format, bytes, high, wide, scaler, in, out));
  for (const auto& [each, cores] : split.groups())
    operation.on(cores).compute(
        kernels + "compute/reduce_h.cpp",
        {.compile = {high, each, 1, 4},
         .defines = {{"REDUCE_OP", "PoolType::SUM"}, {"REDUCE_DIM", "ReduceDim::REDUCE_COL"}},
         .fp32_dst = true});
  operation.run();
  expect_as_on_silicon(name, silicon, share);

  const Words got = bench_->words(out);
  for (Word column = 0; column < wide; ++column) {
    float mean = 0;
    if (whole) mean = std::bit_cast<float>(got[column * bytes / 4]);
    if (blocks) mean = f(from_bf16(datum16(Stored{true}.load(got, wide).words(), column * 1024)));
    if (!whole && !blocks) mean = f(from_bf16(datum16(got, column * 1024)));
    EXPECT_NEAR(mean, number_of(column), 0.02) << column;
  }
}

TEST_F(PublishedMeans, OneColumn) {
  means(392, 1, DataFormat::Float16_b, "392 tiles of BF16", 200700);
  means(392, 1, DataFormat::Bfp8_b, "392 tiles of BFP8", 185800);
  means(392, 1, DataFormat::Float32, "392 tiles of FP32", 233500);
}
TEST_F(PublishedMeans, EightColumns) {
  means(256, 8, DataFormat::Float16_b, "eight columns of BF16", 152800);
  means(256, 8, DataFormat::Bfp8_b, "eight columns of BFP8", 129200);
  means(256, 8, DataFormat::Float32, "eight columns of FP32", 202000);
}
TEST_F(PublishedMeans, ManyColumns) {
  means(128, 32, DataFormat::Float16_b, "32 columns of BF16", 81600);
}

/// Absolute values of 256 tiles from DRAM to DRAM, four per core (tt-metal pull request 57030,
/// September 2026, Wormhole, state before that request). Here all cores start at the same time and
/// at three of twelve channels.
TEST_F(PublishedMeans, SizesOfNumbers) {
  const Numbers numbers = random(16, 16, -4, 4);
  const auto in = bench_->tensor(numbers.words(), 2048), out = bench_->result(256, 2048);
  const Split split(256, kGrid, false);
  kLaunches.run(*bench_, "sizes_of_numbers", TVP_VALUES(split, in, out));
  expect_as_on_silicon("sizes of 256 tiles", 6682, 1.1);
  check(read(out, 16, {false}), 0,
        [&](std::size_t row, std::size_t column) { return std::abs(numbers(row, column)); });
}

}  // namespace
}  // namespace tvp::test
