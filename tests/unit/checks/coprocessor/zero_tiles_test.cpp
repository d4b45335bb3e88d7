#include "platform/checks/coprocessor/zero_tiles.h"

#include <gtest/gtest.h>

#include "foundation/regs/tensix_opcodes.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks::zero_tiles_test {
namespace {

namespace op = regs::tensix;

struct ZeroTilesTest : testing::Test, CheckTest<ZeroTiles> {
  /// Feeds a PACR: `units` packers of the mask, from `first` on, read rows.
  void pack(unsigned mask, bool last, unsigned first, unsigned units, unsigned row, bool is_written,
            unsigned rows = 4) {
    const std::uint32_t instruction = op::encode_pacr(0, 0, mask, 0, 0, 0, last ? 1 : 0);
    feed({.kind = ProbeEvent::Kind::kDstRead,
          .agent = static_cast<BusMaster>(static_cast<unsigned>(BusMaster::kPacker0) + first),
          .index = row,
          .instruction = instruction,
          .thread = 2,
          .is_written = is_written,
          .rows = static_cast<std::uint16_t>(rows),
          .units = static_cast<std::uint16_t>(units),
          .offered = {.instruction = instruction, .pc = 0x20, .thread = 2}});
  }
};

TEST_F(ZeroTilesTest, ATileOfWhichNothingWasWritten) {
  pack(0xF, false, 0, 4, 60, false);
  EXPECT_TRUE(warnings.empty());
  pack(0xF, true, 0, 4, 64, false);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].find("chip0.tensix(1,2).coprocessor.PACK0: PACR packs a tile of zeros, to "
                             "row 64 of Dst: nothing has written any of its rows since ZEROACC. A "
                             "packed tile should hold results. Check the index of the tile in "
                             "pack_tile, and call tile_regs_wait before it; thread T2, PACR"),
            0U)
      << warnings[0];
  EXPECT_NE(warnings[0].find("which its core pushed at pc 0x20"), std::string::npos);
}

TEST_F(ZeroTilesTest, SomeRowsMayBeZeros) {
  pack(0xF, false, 0, 4, 0, true);
  pack(0xF, true, 0, 4, 4, false);
  EXPECT_TRUE(warnings.empty());
  pack(0xF, true, 0, 4, 8, false);  // the next tile
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ZeroTilesTest, TheLastPackerOfAnInstructionEndsTheTile) {
  pack(0x3, true, 0, 1, 16, false);
  EXPECT_TRUE(warnings.empty());
  pack(0x3, true, 1, 1, 32, true);
  EXPECT_TRUE(warnings.empty());
  pack(0x0, true, 0, 1, 16, false);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ZeroTilesTest, ZerosThatAreMeantAreNoTile) {
  pack(0xF, true, 0, 4, 0, false, 0);
  EXPECT_TRUE(warnings.empty());
  pack(0xF, false, 0, 4, 0, false);
  pack(0xF, true, 0, 4, 0, false, 0);  // ends the tile
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ZeroTilesTest, WantsNoEventsIfMissingWaitsAreOff) {
  tile.waits = TileContext::Waits::kOff;
  EXPECT_EQ(check.kinds(), 0U);
}

}  // namespace
}  // namespace tvp::checks::zero_tiles_test
