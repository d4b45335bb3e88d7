#include "platform/checks/memory/left_state.h"

#include <gtest/gtest.h>

#include "foundation/regs/overlay.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct LeftStateTest : testing::Test, CheckTest<LeftState> {
  using Kind = ProbeEvent::Kind;
  void sends(bool is_linked, BusMaster niu = BusMaster::kNoc1) {
    feed({.kind = Kind::kCommand,
          .agent = niu,
          .core = BusMaster::kNc,
          .is_linked = is_linked,
          .pc = 0x5000});
  }
  void mails(bool is_written, std::uint32_t words) {
    feed({.kind = Kind::kMailbox,
          .agent = BusMaster::kT2,
          .core = BusMaster::kT0,
          .pc = 0x6000,
          .packets = words,
          .is_written = is_written});
  }
  void buffer(bool is_tensor = false) {
    feed({.kind = Kind::kBuffer, .is_own = is_tensor, .bytes = 1024, .packets = 4, .index = 7});
  }
  void counts(BusMaster agent, std::uint32_t pushed, std::uint32_t popped) {
    feed({.kind = Kind::kStreamWritten,
          .agent = agent,
          .pc = 0x7000,
          .stream = 7,
          .pushed = pushed,
          .popped = popped});
  }
  void waits(BusMaster core, std::uint32_t count) {
    feed({.kind = Kind::kStreamRead,
          .agent = core,
          .pc = 0x7100,
          .packets = 1 + count,
          .index = regs::overlay::kRemoteDestBufSize,
          .stream = 7});
  }
  void ends() { feed({.kind = Kind::kProgramEnds}); }
};

TEST_F(LeftStateTest, ALinkedLastRequestIsReported) {
  sends(true);
  sends(false, BusMaster::kNoc0);
  ends();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: the last request of NIU 1 is linked, so its path stays "
            "reserved after the program, and the NIU starts no other request. Expected a last "
            "request without `linked`.\n  in line 0x5000 of core 1");
  ends();
  sends(true);
  sends(false);
  ends();
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(LeftStateTest, WordsInAMailboxAreReportedOnce) {
  mails(true, 1);
  mails(true, 2);
  mails(false, 1);
  ends();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(
      warnings[0],
      "chip0.tensix(1,2).TRISC0: leaves 1 word in the mailbox to TRISC2 at the end of the "
      "program, so the next read there gets a word of an earlier call. Expected as many reads "
      "of TRISC2 as words. Make all threads call the functions that exchange words, e.g. "
      "read_tile_value.\n  in line 0x6000 of core 2");
  ends();
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(LeftStateTest, APageThatStaysIsReportedOnce) {
  for (const bool firmware_resets : {false, true}) {
    buffer();
    counts(BusMaster::kNc, 1, 0);
    counts(BusMaster::kThcon, 1, 1);
    counts(BusMaster::kNc, 3, 1);
    if (firmware_resets) counts(BusMaster::kB, 3, 0);
    ends();
  }
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], warnings[1]);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).NCRISC: circular buffer 7 still holds 2 pages at the end of the "
            "program: 3 were pushed, and TRISC0 has popped 1. Expected a cb_pop_front for each "
            "pushed page. Check the numbers of pages of both kernels.\n  in line 0x7000 of core 1\n"
            "  The last pop was\n  in line 0x7000 of core 2");
}

TEST_F(LeftStateTest, ConstantsTensorsAndEmptyBuffersMayStay) {
  buffer();
  counts(BusMaster::kNc, 2, 0);
  ends();
  buffer(true);
  counts(BusMaster::kNc, 2, 0);
  counts(BusMaster::kB, 2, 1);
  ends();
  buffer();
  counts(BusMaster::kNc, 0xFFFF, 1);
  counts(BusMaster::kB, 0x10001, 0x10001);
  ends();
  counts(BusMaster::kNc, 5, 1);
  ends();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(LeftStateTest, PagesThatNoCoreWaitsForAreReported) {
  buffer();
  waits(BusMaster::kT0, 1);
  counts(BusMaster::kNc, 3, 0);
  waits(BusMaster::kT0, 2);
  waits(BusMaster::kB, 1);
  ends();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).TRISC0: waits for 2 pages of circular buffer 7 and pops none, but 3 "
            "are pushed. Expected a cb_pop_front for each pushed page. Add one, or wait for all "
            "pages.\n  in line 0x7100 of core 2\n  The last push was\n  in line 0x7000 of core 1");
  buffer();
  counts(BusMaster::kNc, 3, 0);
  waits(BusMaster::kT0, 3);
  ends();
  EXPECT_EQ(warnings.size(), 1U) << "constants";
}

}  // namespace
}  // namespace tvp::checks
