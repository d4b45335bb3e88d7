#include "platform/checks/memory/unreserved_pushes.h"

#include <gtest/gtest.h>

#include "foundation/regs/overlay.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;

/// Circular buffer 3 has four pages.
struct UnreservedPushesTest : testing::Test, CheckTest<UnreservedPushes> {
  UnreservedPushesTest() { begin(false); }
  void begin(bool is_tensor) {
    pushed = popped = 0;
    feed({.kind = Kind::kProgramEnds});
    feed({.kind = Kind::kBuffer, .is_own = is_tensor, .bytes = 2048, .packets = 4, .index = 3});
  }
  void stream(Kind kind, std::uint32_t index, BusMaster agent, std::uint32_t pc) {
    feed({.kind = kind,
          .agent = agent,
          .pc = pc,
          .index = index,
          .stream = 3,
          .pushed = pushed,
          .popped = popped});
  }
  void reserve(BusMaster core) {
    stream(Kind::kStreamRead, regs::overlay::kRemoteDestBufStart, core, 0);
  }
  /// In a loop that ends when there is room for so many pages.
  void reserve(BusMaster core, std::uint32_t pages, std::uint32_t pc) {
    feed({.kind = Kind::kStreamRead,
          .agent = core,
          .pc = pc,
          .packets = 1 + ((pushed + pages - 4) & 0xFFFF),
          .index = regs::overlay::kRemoteDestBufStart,
          .stream = 3,
          .pushed = pushed,
          .popped = popped});
  }
  void push(std::uint32_t pages, BusMaster agent, std::uint32_t pc = 0x5000) {
    pushed += pages;
    stream(Kind::kStreamWritten, regs::overlay::kRemoteDestBufSize, agent, pc);
  }
  void pop(std::uint32_t pages, BusMaster agent, std::uint32_t pc = 0x6000) {
    popped += pages;
    stream(Kind::kStreamWritten, regs::overlay::kRemoteDestBufStart, agent, pc);
  }
  std::uint32_t pushed = 0, popped = 0;
};

TEST_F(UnreservedPushesTest, APushWithoutAReserveIsReportedOnce) {
  push(1, BusMaster::kB);
  EXPECT_TRUE(warnings.empty()) << "a table may be pushed once";
  push(1, BusMaster::kB);
  push(1, BusMaster::kB);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: pushes 1 page of circular buffer 3 without a "
            "cb_reserve_back. Expected one for each of these pages. Add it, or let it ask for more "
            "pages.\n  in line 0x5000 of core 0");
}

TEST_F(UnreservedPushesTest, OneLookCoversAllPagesThatItShows) {
  reserve(BusMaster::kB);
  for (int i = 0; i < 4; ++i) push(1, BusMaster::kB);
  push(1, BusMaster::kB);
  EXPECT_TRUE(warnings.empty());
  push(1, BusMaster::kB, 0x5100);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("line 0x5100"), std::string::npos) << warnings[0];
}

TEST_F(UnreservedPushesTest, ALookAtAnotherBufferMayGiveRoom) {
  for (int i = 0; i < 3; ++i) {
    feed({.kind = Kind::kStreamRead,
          .agent = BusMaster::kB,
          .index = regs::overlay::kRemoteDestBufStart,
          .stream = 4});
    push(1, BusMaster::kB);
  }
  EXPECT_TRUE(warnings.empty());
  push(1, BusMaster::kB);
  push(1, BusMaster::kB);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(UnreservedPushesTest, ALookAtABufferOfAnotherPopperGivesNoRoom) {
  const auto other = [&](Kind kind, BusMaster agent) {
    feed({.kind = kind,
          .agent = agent,
          .index = regs::overlay::kRemoteDestBufStart,
          .stream = 4,
          .pushed = 1,
          .popped = 1});
  };
  feed({.kind = Kind::kBuffer, .bytes = 2048, .packets = 4, .index = 4});
  for (int i = 0; i < 3; ++i) {
    other(Kind::kStreamRead, BusMaster::kNc);
    push(1, BusMaster::kNc);
  }
  pop(1, BusMaster::kB);
  EXPECT_TRUE(warnings.empty());
  other(Kind::kStreamWritten, BusMaster::kThcon);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(UnreservedPushesTest, AReserveAfterTheFirstPushComesTooLate) {
  push(1, BusMaster::kB, 0x5100);
  EXPECT_TRUE(warnings.empty());
  reserve(BusMaster::kB);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("line 0x5100"), std::string::npos) << warnings[0];
}

TEST_F(UnreservedPushesTest, PackPushesThroughTheScalarUnit) {
  reserve(BusMaster::kT2);
  push(4, BusMaster::kThcon);
  EXPECT_TRUE(warnings.empty());
  push(1, BusMaster::kThcon);
  push(1, BusMaster::kThcon, 0x5100);
  EXPECT_TRUE(warnings.empty()) << "UNPACK may pop it";
  pop(1, BusMaster::kB);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("chip0.tensix(1,2).TRISC2: pushes 1 page")) << warnings[0];
  EXPECT_NE(warnings[0].find("line 0x5100"), std::string::npos) << warnings[0];
}

TEST_F(UnreservedPushesTest, AComputeKernelMayUseItsOwnBufferWithoutALook) {
  push(2, BusMaster::kThcon);
  pop(2, BusMaster::kThcon);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnreservedPushesTest, ACoreKnowsItsOwnPages) {
  reserve(BusMaster::kNc);
  push(1, BusMaster::kNc);
  pop(1, BusMaster::kNc);
  push(4, BusMaster::kNc);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnreservedPushesTest, ATensorNeedsNoRoom) {
  begin(true);
  push(2, BusMaster::kB);
  push(2, BusMaster::kB);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnreservedPushesTest, TheNextProgramBeginsWithoutALook) {
  reserve(BusMaster::kB);
  begin(false);
  push(1, BusMaster::kB);
  push(1, BusMaster::kB);
  EXPECT_EQ(warnings.size(), 1U);
}

// As in tt-metal's convolutions that reuse activations: the last image pushes all that remains.
TEST_F(UnreservedPushesTest, ALastBlockMayBeLonger) {
  reserve(BusMaster::kB, 1, 0x5200);
  push(1, BusMaster::kB);
  reserve(BusMaster::kB, 1, 0x5200);
  push(2, BusMaster::kB);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnreservedPushesTest, APushBeyondTheAskedPagesIsReportedOnce) {
  reserve(BusMaster::kB, 1, 0x5200);
  push(2, BusMaster::kB);
  push(1, BusMaster::kB);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: pushes 1 page of circular buffer 3 more than its "
            "cb_reserve_back asks for. Expected a cb_reserve_back for each of these pages. Let it "
            "ask for more pages.\n  in line 0x5000 of core 0\n  The last cb_reserve_back was\n"
            "  in line 0x5200 of core 0");
}

TEST_F(UnreservedPushesTest, PagesMayBePushedOneByOneAfterAReserve) {
  for (int i = 0; i < 2; ++i) {
    reserve(BusMaster::kT2, 2, 0x5200);
    push(1, BusMaster::kThcon);
    push(1, BusMaster::kThcon);
    pop(2, BusMaster::kB);
  }
  begin(false);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnreservedPushesTest, ReservedPagesThatAreNeverPushedAreReported) {
  for (int i = 0; i < 2; ++i) {
    reserve(BusMaster::kNc, 2, 0x5200);
    push(1, BusMaster::kNc);
    pop(1, BusMaster::kB);
  }
  EXPECT_TRUE(warnings.empty()) << "it may push more";
  begin(false);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: reserves 1 page of circular buffer 3 more than it pushes. "
            "Expected as many pushed pages as its cb_reserve_back asks for. Check the numbers of "
            "pages.\n  in line 0x5200 of core 1");
}

TEST_F(UnreservedPushesTest, ScratchMemoryAndRoomForOtherTilesMayStayReserved) {
  reserve(BusMaster::kNc, 2, 0x5200);
  begin(false);
  reserve(BusMaster::kNc, 2, 0x5200);
  feed({.kind = Kind::kCommand,
        .agent = BusMaster::kNoc0,
        .core = BusMaster::kNc,
        .request = ProbeEvent::Request::kAtomic});
  push(1, BusMaster::kNc);
  begin(false);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
