#include "platform/checks/coprocessor/dst_bounds.h"

#include "tests/unit/checks/coprocessor/dst_bench.h"

namespace tvp::checks::dst_bounds_test {
namespace {

struct DstBoundsTest : DstBench<DstBounds> {
  void start(unsigned parts) {
    init(parts);
    synchronize(kWaitForRoom, 1);
  }
  /// True if the check reports a result at this row.
  bool outside(unsigned row, bool is_32_bit = false, unsigned thread = 1) {
    feed({.kind = Kind::kDstSelected,
          .layout = is_32_bit ? ProbeEvent::Layout::kRows32 : ProbeEvent::Layout::kRows16,
          .index = row,
          .thread = static_cast<std::uint8_t>(thread)});
    result(kResult, 0);
    result(op::encode_zeroacc(0, 3, 0, 0, 0));
    EXPECT_TRUE(warnings.empty());
    result();
    return !found().empty();
  }
};

TEST_F(DstBoundsTest, HalvesTakeTurnsWithCommits) {
  start(2);
  EXPECT_FALSE(outside(0));
  EXPECT_FALSE(outside(7 * 64));
  EXPECT_TRUE(outside(8 * 64));
  synchronize(kPost, 1);
  EXPECT_TRUE(outside(0));
  EXPECT_FALSE(outside(512));
  EXPECT_FALSE(outside(512 + 7 * 64));
  EXPECT_TRUE(outside(512 + 8 * 64));
  start(2);
  EXPECT_FALSE(outside(0));
}

TEST_F(DstBoundsTest, SaysWhereAndOnce) {
  start(2);
  feed({.kind = Kind::kDstSelected, .index = 512, .thread = 1});
  EXPECT_TRUE(result());
  EXPECT_EQ(found(), "chip0.tensix(1,2).coprocessor: " + op::disassemble(kResult) +
                         " of T1 writes Dst at row 512, outside the half that T1 owns now, where "
                         "T2 may be packing. A half has 8 tiles of 16 bits or 4 of 32 bits, all of "
                         "Dst (dst_full_sync_en) has 16 or 8. Use a smaller index of a tile; "
                         "thread T1, " +
                         op::disassemble(kResult) + ", which its core pushed at pc 0x30\n");
  EXPECT_FALSE(result());
  start(1);
  feed({.kind = Kind::kDstSelected, .index = 1024, .thread = 1});
  EXPECT_TRUE(result());
  EXPECT_NE(found().find("beyond its last row"), std::string::npos);
}

TEST_F(DstBoundsTest, RowsOf32BitsTakeTwice) {
  start(2);
  EXPECT_FALSE(outside(3 * 64, true));
  EXPECT_TRUE(outside(4 * 64, true));
  synchronize(kPost, 1);
  EXPECT_FALSE(outside(256, true));
  EXPECT_FALSE(outside(512, true));  // tt-metal's second half begins there
  EXPECT_TRUE(outside(0, true));
}

TEST_F(DstBoundsTest, AllOfDst) {
  start(1);
  synchronize(kPost, 1);
  EXPECT_FALSE(outside(15 * 64));
  EXPECT_TRUE(outside(16 * 64));
  EXPECT_FALSE(outside(7 * 64, true));
  EXPECT_TRUE(outside(8 * 64, true));
}

TEST_F(DstBoundsTest, FirmwareThatDoesNotWaitForPartsMayDoAsItLikes) {
  EXPECT_FALSE(outside(1024));
  init(2);
  EXPECT_FALSE(outside(512));
  synchronize(kWaitForRoom, 2);
  EXPECT_FALSE(outside(512));
  start(4);
  EXPECT_FALSE(outside(512));
}

TEST_F(DstBoundsTest, OtherSemaphoresAndThreadsChangeNoTurn) {
  start(2);
  synchronize(op::encode_sempost(kMask << 1), 1, 2);
  synchronize(kPost, 0);
  synchronize(op::encode_seminit(1, 0, kMask << 1), 1, 2);
  EXPECT_FALSE(outside(512, false, 0));
  EXPECT_TRUE(outside(512));
  EXPECT_FALSE(outside(0));
}

}  // namespace
}  // namespace tvp::checks::dst_bounds_test
