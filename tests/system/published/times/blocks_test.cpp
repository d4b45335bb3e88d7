// Time in which 64 cores read blocks of an FP32 tensor from DRAM to L1, compared with tt-metal
// issue 6729 (April 2024, `DEVICE FW DURATION`). The run with 2048 rows had 1 GHz, the others 800
// MHz, where 2048 rows took 195419 cycles.

#include <gtest/gtest.h>

#include <string>

#include "tests/system/benches/launch_file.h"
#include "tests/system/published/times/published_times.h"

namespace tvp::test {
namespace {

const LaunchFile kLaunches("times/blocks.toml");

constexpr Grid kGrid{8, 8};
constexpr Word kTileBytes = 4096;
/// Tiles of a row.
constexpr Word kWide = 144, kBlockWide = kWide / kGrid.wide;

class PublishedBlocks : public PublishedTimes {
 protected:
  static void SetUpTestSuite() { set_up("n300_chip"); }

  void read_blocks(Word high, const std::string& name, double silicon, double share = 1) {
    const Word block_high = high / kGrid.high, each = block_high * kBlockWide;
    Words words(std::size_t{high} * kWide * kTileBytes / 4);
    for (Word& word : words) word = static_cast<Word>(random_());
    const Split split(kGrid.wide * kGrid.high, kGrid, true);
    const auto in = bench_->tensor(words, kTileBytes);
    const auto out = bench_->local(Words(words.size(), 0), split.cores());
    kLaunches.run(
        *bench_, "read_blocks",
        TVP_VALUES(split, out, kGrid.wide, kGrid.high, in, block_high, kBlockWide, kWide, each));
    expect_as_on_silicon(name, silicon, share);
    const Words got = bench_->local_words(out);
    constexpr std::size_t kTile = kTileBytes / 4;
    for (Word tile = 0; tile < high * kWide; ++tile) {
      const Word row = tile / kWide, column = tile % kWide;
      const Word core = row / block_high * kGrid.wide + column / kBlockWide;
      const Word place = core * each + row % block_high * kBlockWide + column % kBlockWide;
      for (std::size_t i = 0; i < kTile; ++i)
        ASSERT_EQ(got[place * kTile + i], words[tile * kTile + i]) << tile << " " << i;
    }
  }
};

TEST_F(PublishedBlocks, Of512Rows) { read_blocks(16, "blocks of 512 rows", 53728, 0.88); }
TEST_F(PublishedBlocks, Of1024Rows) { read_blocks(32, "blocks of 1024 rows", 104710, 0.87); }
TEST_F(PublishedBlocks, Of2048Rows) { read_blocks(64, "blocks of 2048 rows", 198611, 0.90); }

}  // namespace
}  // namespace tvp::test
