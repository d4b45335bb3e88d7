#include "platform/checks/memory/left_state.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace tvp::checks
