#include "platform/checks/memory/unordered_messages.h"

#include <gtest/gtest.h>

#include "platform/checks/chip_checks.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

/// Three units with all checks. Each has a window of 1 KiB at 0x1000 for channel 0, and one of no
/// bytes for channel 1. They have met at a barrier since.
struct Units : testing::Test, CheckBench {
  Units() {
    for (unsigned i = 0; i < 3; ++i) {
      const std::string where = "unit" + std::to_string(i);
      units.push_back(&checks.add({.x = i,
                                   .where = where,
                                   .cores = {{BusMaster::kB, 0, where}},
                                   .kind = TileContext::Kind::kPimUnit,
                                   .names = *this,
                                   .faults = *this,
                                   .warnings = *this}));
    }
    for (unsigned i = 0; i < 3; ++i) {
      feed(i, {.kind = Kind::kReset});
      sets_window(i);
    }
    meet();
  }
  void feed(unsigned unit, const ProbeEvent& event) { units[unit]->report(event); }
  void sets_window(unsigned unit, std::uint32_t bytes = 0x400) {
    feed(unit, {.kind = Kind::kBuffer, .pc = 0x80, .bytes = bytes, .address = 0x1000});
  }
  void meet() {
    for (unsigned i = 0; i < 3; ++i)
      feed(i, {.kind = Kind::kBarrier, .pc = 0x90, .is_written = true, .value = met});
    ++met;
    for (unsigned i = 0; i < 3; ++i) feed(i, {.kind = Kind::kBarrier, .value = met});
  }
  void sends(unsigned from, unsigned to, std::uint32_t channel, std::uint32_t bytes,
             std::uint32_t source = 0x4000, std::uint32_t pc = 0x100) {
    feed(from, {.kind = Kind::kCommand,
                .agent = BusMaster::kPimStop,
                .core = BusMaster::kB,
                .memory = support::MemoryKind::kWram,
                .request = Request::kWrite,
                .is_local = true,
                .pc = pc,
                .bytes = bytes,
                .packets = 1,
                .index = channel,
                .value = to,
                .address = source});
    ++sent[from];
  }
  /// The message that unit `from` has sent last.
  void arrives(unsigned from, unsigned to, std::uint32_t channel, std::uint32_t bytes,
               std::uint32_t address = 0x1000, std::uint32_t word = 0) {
    feed(to, {.kind = Kind::kServed,
              .agent = BusMaster::kPimStop,
              .memory = support::MemoryKind::kWram,
              .bytes = bytes,
              .packets = sent[from],
              .index = channel,
              .value = from,
              .popped = word,
              .address = address});
  }
  void passes(unsigned from, unsigned to, std::uint32_t channel, std::uint32_t bytes = 64) {
    sends(from, to, channel, bytes);
    arrives(from, to, channel, bytes);
  }
  /// Waits in a loop until `awaited` messages have come, when there are `count`.
  void waits(unsigned unit, std::uint32_t channel, std::uint32_t awaited, std::uint32_t count) {
    feed(unit, {.kind = Kind::kCounterRead,
                .agent = BusMaster::kPimStop,
                .is_local = true,
                .index = channel + 1,
                .value = count,
                .pushed = awaited});
  }
  void stores_in_bank(unsigned unit) {
    feed(unit, {.kind = Kind::kCommand,
                .agent = BusMaster::kPimDma,
                .core = BusMaster::kB,
                .memory = support::MemoryKind::kWram,
                .request = Request::kWrite,
                .is_local = true,
                .pc = 0x200,
                .bytes = 64,
                .packets = 1,
                .address = 0x1000});
  }
  void sees(unsigned unit, BusMaster engine, std::uint32_t count) {
    feed(unit, {.kind = Kind::kAnswer, .agent = engine});
    feed(unit, {.kind = Kind::kCounterRead,
                .agent = engine,
                .is_local = true,
                .value = count,
                .pushed = count});
  }
  ChipChecks checks{*this};
  std::vector<TileChecks*> units;
  std::uint32_t met = 0;
  std::uint32_t sent[3] = {};
};

TEST_F(Units, AMessageOverOneThatIsNotTakenIsReportedAtItsSender) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  passes(0, 1, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("unit0: sends 64 bytes to unit1, channel 0, at pc 0x100 over the "
                             "message of unit 0 at WRAM 0x1000, and does not know that unit1 has "
                             "finished with it. The place was free in time only by luck. Expected "
                             "a wait_arrivals for a later message of unit1, or a barrier, before "
                             "the send. Add one, or let it wait for more."),
            std::string::npos)
      << warnings[0];
  passes(0, 1, 0);  // the same place in the code
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(Units, ACreditAllowsTheNextMessage) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  passes(1, 0, 1, 0);
  waits(0, 1, 1, 1);
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, ACreditForWhichTheCoreDoesNotWaitIsLuck) {
  for (std::uint32_t i = 1; i <= 2; ++i) {
    passes(1, 0, 1, 0);
    if (i == 2) break;
    passes(0, 1, 0);
    waits(1, 0, 1, 1);
  }
  waits(0, 1, 1, 2);  // two are there; the second is the credit
  passes(0, 1, 0);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(Units, AWaitThatGoesOnShowsNothing) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  passes(1, 0, 1, 0);
  waits(0, 1, 2, 1);
  passes(0, 1, 0);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(Units, ACreditOverAThirdUnitAllowsTheNextMessage) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  passes(1, 2, 1, 0);
  waits(2, 1, 1, 1);
  passes(2, 0, 1, 0);
  waits(0, 1, 1, 1);
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, ABarrierAllowsTheNextMessage) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  meet();
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, ABarrierBeforeTheReceiverHasCountedIsNotEnough) {
  passes(0, 1, 0);
  meet();
  passes(2, 1, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("or a wait_arrivals in unit1 before it lets unit2 go on"),
            std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[0].find("unit1: lets others go on in line 0x90 of core 0"), std::string::npos)
      << warnings[0];
}

TEST_F(Units, ACreditBeforeTheTransferIsOverIsReported) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  stores_in_bank(1);
  passes(1, 0, 1, 0);
  waits(0, 1, 1, 1);
  passes(0, 1, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("over a DMA of unit1 at WRAM 0x1000"), std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[0].find("or a dma_wait in unit1 before it lets unit0 go on"),
            std::string::npos)
      << warnings[0];
}

TEST_F(Units, ACreditAfterTheTransferIsSilent) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  stores_in_bank(1);
  sees(1, BusMaster::kPimDma, 1);
  passes(1, 0, 1, 0);
  waits(0, 1, 1, 1);
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, ACreditBehindAForwardedMessageShowsThatItHasLeft) {
  passes(0, 1, 0);
  waits(1, 0, 1, 1);
  sends(1, 2, 0, 64, 0x1000);  // stops send in order
  passes(1, 0, 1, 0);
  waits(0, 1, 1, 1);
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, FlagsMayBeReplaced) {
  passes(0, 1, 0, 4);
  passes(0, 1, 0, 4);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(Units, AFlagIsACreditIfTheLoopWaitsForItsCount) {
  for (const std::uint32_t awaited : {1U, 2U}) {
    passes(0, 1, 0);
    waits(1, 0, awaited, awaited);
    sends(1, 0, 0, 4);
    arrives(1, 0, 0, 4, 0x1200, awaited);
    feed(0, {.kind = Kind::kRead,
             .agent = BusMaster::kB,
             .core = BusMaster::kB,
             .is_local = true,
             .bytes = 4,
             .pushed = 1,
             .address = 0x1200});
  }
  EXPECT_TRUE(warnings.empty());
  passes(0, 1, 0);  // the loop has waited for 1 twice
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(Units, AWindowThatIsSetAfterTheBarrierIsReported) {
  sets_window(1);
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());  // it was there before
  waits(1, 0, 1, 1);
  meet();
  sets_window(1, 0x200);
  passes(0, 1, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "unit0: sends 64 bytes to unit1, channel 0, at pc 0x100, and does not know whether the "
            "window there is set. It was set in time only by luck. Expected a barrier between the "
            "set_window of unit1 and the send. Add one.\n  unit1: set_window in line 0x80 of core "
            "0");
}

TEST_F(Units, AnotherProgramStartsAnew) {
  passes(0, 1, 0);
  for (unsigned i = 0; i < 3; ++i) {
    feed(i, {.kind = Kind::kReset});
    sent[i] = 0;
    sets_window(i);
  }
  met = 0;
  meet();
  passes(0, 1, 0);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
