#include "platform/checks/memory/page_counts.h"

#include <gtest/gtest.h>

#include "foundation/regs/overlay.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

namespace overlay = regs::overlay;

/// A buffer of two pages that the host has announced.
struct PageCountsTest : testing::Test, CheckTest<PageCounts> {
  static constexpr std::uint32_t kBuffer = 16;
  PageCountsTest() { hold(); }
  void hold(std::uint32_t pages = 2) {
    feed({.kind = ProbeEvent::Kind::kProgramEnds});
    feed({.kind = ProbeEvent::Kind::kBuffer, .packets = pages, .index = kBuffer});
  }
  void count(std::uint32_t index, BusMaster by) {
    feed({.kind = ProbeEvent::Kind::kStreamWritten,
          .agent = by,
          .index = index,
          .stream = kBuffer,
          .pushed = pushed,
          .popped = popped});
  }
  /// The fault, or "".
  std::string push(std::uint32_t to, BusMaster by = BusMaster::kNc) {
    faults.clear();
    pushed = to;
    count(overlay::kRemoteDestBufSize, by);
    return faults.empty() ? "" : faults[0];
  }
  std::string pop(std::uint32_t to, BusMaster by = BusMaster::kB) {
    faults.clear();
    popped = to;
    count(overlay::kRemoteDestBufStart, by);
    return faults.empty() ? "" : faults[0];
  }
  std::uint32_t pushed = 0, popped = 0;
};

TEST_F(PageCountsTest, APushOfMoreThanABufferHoldsIsAFault) {
  const std::string fault = push(3);
  EXPECT_NE(fault.find("circular buffer 16 holds 2 pages, and 3 are pushed"), std::string::npos)
      << fault;
  EXPECT_NE(fault.find("Expected a cb_reserve_back in NCRISC"), std::string::npos) << fault;
}

TEST_F(PageCountsTest, PagesThatComputeCoresCannotAddressAreReportedOnce) {
  for (const std::uint32_t bytes : {4U, 24U, 32U}) {
    warnings.clear();
    feed({.kind = ProbeEvent::Kind::kBuffer, .bytes = bytes, .packets = 4, .index = kBuffer});
    push(1);
    EXPECT_TRUE(warnings.empty()) << "data movement cores address bytes";
    pop(1, BusMaster::kThcon);
    push(2);
    pop(2, BusMaster::kThcon);
    ASSERT_EQ(warnings.size(), bytes == 32 ? 0U : 1U) << bytes;
    if (bytes == 4) {
      EXPECT_EQ(warnings[0].find("chip0.tensix(1,2).TRISC0: counts pages of 4 bytes of circular "
                                 "buffer 16, but compute cores address L1 in units of 16 bytes"),
                0U)
          << warnings[0];
    }
    pushed = popped = 0;
  }
}

/// tt-metal's sort pushes the page of its table again as its last action.
TEST_F(PageCountsTest, APageTooManyIsAFaultOnceTheBufferIsUsedFurther) {
  push(2);
  EXPECT_EQ(push(3), "");
  const std::string again = push(4, BusMaster::kThcon);
  EXPECT_NE(again.find("holds 2 pages, and 4 are pushed"), std::string::npos) << again;
  EXPECT_NE(again.find("Expected a cb_reserve_back in PACK"), std::string::npos) << again;
  const std::string fault = pop(1);
  EXPECT_NE(fault.find("a core pops although circular buffer 16 holds 2 pages, and 4 are pushed"),
            std::string::npos)
      << fault;
  EXPECT_EQ(pop(3), "");
  EXPECT_EQ(push(5), "");
  feed({.kind = ProbeEvent::Kind::kProgramEnds});  // without buffers any count is right
  EXPECT_EQ(push(1000), "");
}

TEST_F(PageCountsTest, CountsGoRoundAndBeginAnew) {
  push(0xFFFF);
  hold();
  pop(0xFFFF);
  EXPECT_EQ(push(0x10000), "");
  EXPECT_EQ(push(0x10001), "");  // two pages more
  EXPECT_EQ(push(0x10002), "");
  EXPECT_NE(push(0x10003), "");
  pop(0);
  EXPECT_EQ(push(0), "");
  EXPECT_EQ(pop(1), "");  // the extra page no longer counts
}

TEST_F(PageCountsTest, APushAfterThePopOfItsPageIsAFault) {
  EXPECT_EQ(pop(1, BusMaster::kThcon), "");  // alone no fault: some kernels end so
  const std::string fault = push(1);
  EXPECT_NE(fault.find("UNPACK has popped a page of circular buffer 16"), std::string::npos)
      << fault;
  pop(2);
  EXPECT_NE(push(2, BusMaster::kThcon).find("BRISC has popped"), std::string::npos);
  // A compute kernel pops, unread, pages that it makes later, as tt-metal's RMS norm does.
  pop(3, BusMaster::kThcon);
  EXPECT_EQ(push(3, BusMaster::kThcon), "");
  // Another program begins.
  pop(4);
  hold();
  EXPECT_EQ(push(4), "");
}

TEST_F(PageCountsTest, OtherStreamsAreNoBuffersOfTheProgram) {
  for (const std::uint16_t stream : {std::uint16_t{17}, std::uint16_t{40}})
    feed({.kind = ProbeEvent::Kind::kStreamWritten,
          .index = overlay::kRemoteDestBufSize,
          .stream = stream,
          .pushed = 100});
  EXPECT_TRUE(faults.empty());
}

}  // namespace
}  // namespace tvp::checks
