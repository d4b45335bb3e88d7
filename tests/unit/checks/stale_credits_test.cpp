#include "platform/checks/noc/stale_credits.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

constexpr std::uint32_t kWord = 0x8000;

struct StaleCreditsTest : testing::Test, CheckBench {
  using Kind = ProbeEvent::Kind;
  using Request = ProbeEvent::Request;

  StaleCreditsTest() {
    tile.l1 = l1;
    check = std::make_unique<StaleCredits>(tile);
  }
  void set(std::uint32_t word) { std::memcpy(l1.data() + kWord, &word, sizeof word); }
  /// The event precedes the change.
  void increments(Cycle cycle) {
    check->on({.kind = Kind::kRequest,
               .agent = BusMaster::kNoc0,
               .core = BusMaster::kNc,
               .request = Request::kAtomic,
               .is_local = true,
               .x0 = 3,
               .y0 = 4,
               .pc = 0x5120,
               .address = kWord,
               .cycle = cycle});
    set(++value);
  }
  void loads(Cycle cycle) {
    check->on({.kind = Kind::kRead,
               .agent = BusMaster::kB,
               .pc = 0x6000,
               .bytes = 4,
               .address = kWord,
               .cycle = cycle});
  }
  void resets(BusMaster agent) {
    value = 0;
    set(value);
    check->on({.kind = Kind::kWritten, .agent = agent, .bytes = 4, .address = kWord});
  }
  void ends() { check->on({.kind = Kind::kProgramEnds}); }

  std::uint32_t value = 0;
  std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(0x9000);
  std::unique_ptr<StaleCredits> check;
};

TEST_F(StaleCreditsTest, AWaitThatPassesByAnEarlierIncrementIsReportedOnce) {
  increments(70);
  loads(80);
  ends();
  EXPECT_TRUE(warnings.empty());
  for (int program = 0; program < 2; ++program) {
    loads(90);
    increments(95);
    ends();
  }
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: went on in cycle 90 because the word at 0x8000 of L1 still "
            "held an increment of an earlier program. In this program, tile (3,4) of NoC 0 "
            "increments it only in cycle 95, and no core looks again. Expected a reset of the word "
            "between the programs. Reset it, or wait for a value that grows with each program.\n  "
            "in line 0x6000 of core 0\n  The increment:\n  in line 0x5120 of core 1");
}

TEST_F(StaleCreditsTest, TheIncrementMayComeAfterTheTilesProgram) {
  increments(70);
  ends();
  loads(90);
  ends();
  increments(95);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(StaleCreditsTest, AnIncrementOfTheNextProgramIsAnother) {
  increments(70);
  ends();
  loads(90);
  ends();
  ends();  // the next program
  increments(95);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(StaleCreditsTest, WordsThatAreResetOrLoadedAgainAreNotReported) {
  for (const BusMaster who : {BusMaster::kDebug, BusMaster::kNc}) {
    increments(70);
    ends();
    resets(who);
    loads(90);
    increments(95);
    ends();
    resets(BusMaster::kDebug);
  }
  increments(70);
  ends();
  loads(90);
  increments(95);
  loads(97);
  ends();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(StaleCreditsTest, CreditsThatHaveComeBackAreNotStale) {
  set(value = 2);
  value = 1;  // one is taken, and it comes back
  increments(70);
  ends();
  loads(90);
  increments(95);
  ends();
  EXPECT_TRUE(warnings.empty());
}

TEST_F(StaleCreditsTest, IncrementsWithoutALoadAreNotReported) {
  increments(70);
  ends();
  increments(95);
  ends();
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
