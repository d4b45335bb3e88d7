#include "platform/checks/memory/unseen_messages.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;

struct UnitBench : CheckBench {
  UnitBench() {
    tile.kind = TileContext::Kind::kPimUnit;
    tile.where = "unit1";
    tile.probe = &probe;
  }
  Probe probe;
};

struct UnseenMessagesTest : testing::Test, UnitBench {
  void feed(const ProbeEvent& event) {
    if ((check.kinds() & Probe::bit(event.kind)) != 0) check.on(event);
  }
  void arrives(std::uint32_t address, std::uint32_t bytes) {
    feed({.kind = Kind::kServed,
          .agent = BusMaster::kPimStop,
          .bytes = bytes,
          .index = 3,
          .value = 7,
          .address = address});
  }
  void loads(std::uint32_t address, std::uint32_t pc = 0x100) {
    feed({.kind = Kind::kRead,
          .agent = BusMaster::kB,
          .core = BusMaster::kB,
          .pc = pc,
          .bytes = 4,
          .address = address});
  }
  /// Index 0 counts what the stop has sent.
  void reads_count(std::uint32_t index) {
    feed({.kind = Kind::kCounterRead, .agent = BusMaster::kPimStop, .index = index});
  }
  UnseenMessages check{tile};
};

TEST_F(UnseenMessagesTest, AUseBeforeTheCountIsReportedWithItsSource) {
  arrives(0x1000, 64);
  loads(0xFFC);
  loads(0x1040);
  reads_count(0);
  EXPECT_TRUE(warnings.empty());
  loads(0x103C);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "unit1: reads WRAM 0x103c at pc 0x100 before it has looked at the count that announces "
            "it: 64 bytes from unit 7 on channel 3, which have arrived in time only by luck. "
            "Expected a wait_arrivals(3, …) before. Add one.");
  arrives(0x1000, 64);
  loads(0x1000);  // the same place in the code
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(UnseenMessagesTest, AnyCountShowsAllMessages) {
  arrives(0x1000, 64);
  arrives(0x2000, 64);
  reads_count(1);
  loads(0x1000);
  loads(0x2000);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnseenMessagesTest, AShortMessageMayBeAFlag) {
  arrives(0x1000, 64);
  arrives(0x2000, 16);
  loads(0x2000);
  loads(0x1000);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(UnseenMessagesTest, AShortMessageOfACountedChannelIsNoFlag) {
  reads_count(1 + 3);
  arrives(0x2000, 4);
  loads(0x2000);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(UnseenMessagesTest, AUseBeforeTheMessageIsReportedUnlessItComesAgain) {
  const auto set_window = [&] {
    feed({.kind = Kind::kReset});
    feed({.kind = Kind::kBuffer, .bytes = 0x400, .index = 3, .address = 0x1000});
  };
  set_window();
  loads(0x1010, 0x100);
  arrives(0x1000, 64);
  reads_count(1 + 3);
  loads(0x1010, 0x200);
  feed({.kind = Kind::kProgramEnds});
  EXPECT_TRUE(warnings.empty());

  set_window();
  loads(0x1010, 0x100);
  loads(0x1200, 0x100);  // no message comes there
  arrives(0x1000, 64);
  EXPECT_TRUE(warnings.empty());
  feed({.kind = Kind::kProgramEnds});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "unit1: reads WRAM 0x1010 at pc 0x100 before the message of unit 7 on channel 3 "
            "arrives there, and never again. Expected a wait_arrivals(3, …) before. Add one, or "
            "let it wait for more.");

  set_window();
  loads(0x1010, 0x300);
  feed({.kind = Kind::kProgramEnds});
  arrives(0x1000, 64);  // after the end
  EXPECT_EQ(warnings.size(), 2U);
}

TEST_F(UnseenMessagesTest, TransfersFromAWindowAreUses) {
  arrives(0x1000, 64);
  ProbeEvent transfer{.kind = Kind::kCommand,
                      .agent = BusMaster::kPimDma,
                      .core = BusMaster::kB,
                      .request = ProbeEvent::Request::kRead,
                      .pc = 0x200,
                      .bytes = 512,
                      .address = 0xF00};
  feed(transfer);  // it overwrites the data
  EXPECT_TRUE(warnings.empty());
  transfer.request = ProbeEvent::Request::kWrite;
  feed(transfer);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with("unit1: sends WRAM 0xf00 at pc 0x200 before")) << warnings[0];
}

TEST_F(UnseenMessagesTest, AProgramBeginsWithoutMessages) {
  arrives(0x1000, 64);
  feed({.kind = Kind::kReset});
  loads(0x1000);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
