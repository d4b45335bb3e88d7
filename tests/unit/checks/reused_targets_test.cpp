#include "platform/checks/noc/reused_targets.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct ReusedTargetsTest : testing::Test, CheckTest<ReusedTargets> {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;
  static constexpr std::uint32_t kCount = 0x100, kRing = 0x9000;

  void commands(Request request, std::uint64_t there, std::uint32_t bytes, std::uint8_t x = 4) {
    feed({.kind = Kind::kCommand,
          .agent = BusMaster::kNoc0,
          .core = BusMaster::kB,
          .request = request,
          .remote = ProbeEvent::Place::kTensix,
          .is_local = true,
          .x0 = x,
          .y0 = 5,
          .pc = request == Request::kWrite ? 0x5000U : 0x5010U,
          .bytes = bytes,
          .packets = 1,
          .address = 0x400,
          .remote_address = there,
          .cycle = 70});
  }
  void pushes(std::uint32_t page) {
    commands(Request::kWrite, kRing + page * 1024, 1024);
    commands(Request::kAtomic, 0x8000, 0);
  }
  void gives_back(std::uint8_t x = 4) {
    feed({.kind = Kind::kRequest,
          .agent = BusMaster::kNoc0,
          .request = Request::kAtomic,
          .is_local = true,
          .x0 = x,
          .y0 = 5,
          .address = kCount});
  }
  void loads(std::uint32_t address = kCount) {
    feed({.kind = Kind::kRead,
          .agent = BusMaster::kNc,
          .core = BusMaster::kNc,
          .bytes = 4,
          .address = address});
  }
};

TEST_F(ReusedTargetsTest, APageThatIsWrittenAgainWithoutALookIsReportedOnce) {
  pushes(0);
  gives_back();
  pushes(1);
  EXPECT_TRUE(warnings.empty());
  pushes(0);
  pushes(0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(
      warnings[0],
      "chip0.tensix(1,2).BRISC: writes 1024 bytes to address 0x9000 of tile (4,5) over data "
      "that it announced there in cycle 70. No core of this tile has loaded since then the "
      "count by which tile (4,5) gives room back, so that tile may still need the data. "
      "Call remote_cb_reserve_back, or wait for that count, before\n  in line 0x5000 of core 0");
}

TEST_F(ReusedTargetsTest, ALookOfAnyCoreAtTheCountIsEnough) {
  pushes(0);
  gives_back();
  loads();
  pushes(0);
  EXPECT_TRUE(warnings.empty());
  loads(kCount + 4);
  pushes(0);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ReusedTargetsTest, ATileThatGivesNothingBackMayBeWrittenAgain) {
  pushes(0);
  gives_back(6);
  pushes(0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ReusedTargetsTest, DataThatIsNotAnnouncedMayBeWrittenAgain) {
  gives_back();
  commands(Request::kWrite, kRing, 1024);
  commands(Request::kWrite, kRing, 1024);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ReusedTargetsTest, AProgramBeginsAnew) {
  pushes(0);
  gives_back();
  feed({.kind = Kind::kProgramEnds});
  pushes(0);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
