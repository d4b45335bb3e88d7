#include "platform/checks/noc/lost_updates.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct LostUpdatesTest : testing::Test, CheckTest<LostUpdates> {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;
  void arrives(Request request, std::uint64_t address) {
    feed({.kind = Kind::kRequest,
          .agent = BusMaster::kNoc0,
          .core = BusMaster::kNc,
          .request = request,
          .is_local = true,
          .x0 = 3,
          .y0 = 4,
          .pc = 0x5120,
          .bytes = 4,
          .address = address,
          .cycle = 70});
  }
  void accesses(Kind kind, BusMaster agent, std::uint64_t address) {
    feed({.kind = kind, .agent = agent, .pc = 0x6000, .bytes = 4, .address = address, .cycle = 90});
  }
};

TEST_F(LostUpdatesTest, AStoreOverAnUnseenIncrementIsReportedOnce) {
  accesses(Kind::kRead, BusMaster::kB, 0x8000);
  for (int round = 0; round < 2; ++round) {
    arrives(Request::kAtomic, 0x8000);
    accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  }
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: a store in cycle 90 to the word at 0x8000 of L1 overwrites "
            "the increment by tile (3,4) of NoC 0, which came in cycle 70 and which no core has "
            "seen. Expected a load of the word between the increment and the store, or no store. "
            "Subtract by an atomic, or reset the word before its senders may increment it.\n  in "
            "line 0x6000 of core 0\n  The increment:\n  in line 0x5120 of core 1");
}

TEST_F(LostUpdatesTest, ALoadOfAnyCoreHasSeenIt) {
  arrives(Request::kAtomic, 0x8002);
  accesses(Kind::kRead, BusMaster::kNc, 0x8000);
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  EXPECT_TRUE(warnings.empty());
}

/// The program's semaphore at 0x8000.
struct SharedWords : testing::Test, RecordTest<LostUpdates> {
  SharedWords() : RecordTest(Waits::kFault, l1) {
    checks->give({.what = "semaphore 0", .use = TileContext::Given::Use::kShared}, 0x8000, 4);
  }
  void accesses(ProbeEvent::Kind kind, BusMaster agent, Cycle cycle) {
    feed({.kind = kind,
          .agent = agent,
          .pc = 0x6000 + 0x10 * static_cast<unsigned>(agent),
          .bytes = 4,
          .address = 0x8000,
          .cycle = cycle});
  }
  static constexpr auto kRead = ProbeEvent::Kind::kRead, kWritten = ProbeEvent::Kind::kWritten;
  static inline const std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(0x9000);
};

TEST_F(SharedWords, AStoreOverAnotherCoresStoreIsReported) {
  accesses(kRead, BusMaster::kB, 70);
  accesses(kRead, BusMaster::kNc, 71);
  accesses(kWritten, BusMaster::kNc, 75);
  accesses(kWritten, BusMaster::kB, 76);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: a store in cycle 76 to the word at 0x8000 of L1 overwrites "
            "the store of NCRISC in cycle 75, which BRISC has not seen: it loaded the word in "
            "cycle 70. Expected that one core changes the word, or that others wait meanwhile. "
            "Give each core a word of its own, or use atomics.\n  in line 0x6000 of core 0\n  The "
            "other store:\n  in line 0x6010 of core 1");
}

TEST_F(SharedWords, CoresThatLoadInBetweenOrOnlyStoreAreNotReported) {
  for (const BusMaster core : {BusMaster::kB, BusMaster::kNc, BusMaster::kB}) {
    accesses(kRead, core, 70);
    accesses(kWritten, core, 75);
  }
  accesses(kWritten, BusMaster::kNc, 80);
  accesses(kRead, BusMaster::kB, 81);
  accesses(kWritten, BusMaster::kNc, 82);
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  accesses(kWritten, BusMaster::kB, 90);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(LostUpdatesTest, OtherWordsAndAccessesOfNiusDoNotCount) {
  arrives(Request::kAtomic, 0x8000);
  arrives(Request::kAtomic, 0x8010);
  accesses(Kind::kWritten, BusMaster::kNoc0, 0x8000);
  accesses(Kind::kWritten, BusMaster::kB, 0x8004);
  accesses(Kind::kWritten, BusMaster::kB, 0x7FFC);
  EXPECT_TRUE(warnings.empty());
  accesses(Kind::kWritten, BusMaster::kB, 0x8010);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(LostUpdatesTest, AResetAfterTheSignalToTheIncrementingTileIsReported) {
  const auto signals = [&](std::uint8_t x, std::uint8_t y) {
    feed({.kind = Kind::kCommand, .request = Request::kAtomic, .x0 = x, .y0 = y});
  };
  const auto waits_and_resets = [&] {
    arrives(Request::kAtomic, 0x8000);
    accesses(Kind::kRead, BusMaster::kB, 0x8000);
    accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  };
  waits_and_resets();
  constexpr std::uint8_t x = 3, y = 4;
  signals(x, y);
  waits_and_resets();
  EXPECT_TRUE(warnings.empty());
  arrives(Request::kAtomic, 0x8000);
  accesses(Kind::kRead, BusMaster::kB, 0x8000);
  signals(x + 1, y);
  signals(x, y);
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  signals(x, y);
  arrives(Request::kAtomic, 0x8000);
  EXPECT_TRUE(warnings.empty());
  accesses(Kind::kRead, BusMaster::kB, 0x8000);
  signals(x, y);
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  arrives(Request::kAtomic, 0x8000);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("in time only by luck"), std::string::npos) << warnings[0];
}

TEST_F(LostUpdatesTest, TheHostAndOtherTilesMayResetAWord) {
  arrives(Request::kAtomic, 0x8000);
  accesses(Kind::kWritten, BusMaster::kDebug, 0x8000);
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  arrives(Request::kAtomic, 0x8000);
  arrives(Request::kInlineWrite, 0x8000);
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  arrives(Request::kAtomic, 0x8000);
  feed({.kind = Kind::kProgramEnds});
  accesses(Kind::kWritten, BusMaster::kB, 0x8000);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
