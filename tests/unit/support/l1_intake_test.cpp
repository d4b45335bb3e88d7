#include "models/support/l1_intake.h"

#include <gtest/gtest.h>

namespace tvp::support {
namespace {

/// All banks are occupied for some time.
struct AllBanks : L1Holders {
  Cycle from = 0;
  AllBanks(Cycle begin, Cycle end) : from(begin) { held_until_ = end; }
  void pass(Stream& stream, Cycle until) override {
    while (stream.words != 0 && stream.begin < until) {
      const bool waits = from <= stream.begin && stream.begin < held_until_;
      stream.pass(1, (waits ? held_until_ : stream.begin) + 1);
    }
  }
};

constexpr unsigned kWire = 5;

TEST(L1Intake, TakesAFlitACycle) {
  AllBanks nobody(0, 0);
  L1Intake intake;
  intake.meet(nobody);
  for (Cycle now = 100; now < 100 + 40 * Cycle{16}; now += 16) {
    ASSERT_GE(intake.room(now, kWire), 16u) << "a train never waits, at " << now;
    intake.send(0, 32, now + kWire, 0);
  }
  EXPECT_TRUE(intake.network_announces());
  const Cycle end = 100 + 40 * 16 + kWire;
  EXPECT_EQ(intake.arrived(end), 40u * 16);
  EXPECT_EQ(intake.arrived(end - 3), 40u * 16 - 3);
  EXPECT_EQ(intake.late(40 * 16, end), 0u);
}

TEST(L1Intake, NothingMoreComesWhileSomethingWaits) {
  AllBanks holder(110, 160);
  L1Intake intake;
  intake.meet(holder);
  intake.send(0, 32, 105, 0);  // five flits pass, the sixth one has its bank at 160
  EXPECT_EQ(intake.room(116, kWire), 0u);
  EXPECT_EQ(intake.has_room_at(116, kWire), 166u) << "the sixth, and five that wait behind it";
  EXPECT_EQ(intake.room(165, kWire), 0u);
  EXPECT_EQ(intake.has_room_at(165, kWire), 166u);
  // The last flit for which the wire is long enough.
  EXPECT_EQ(intake.room(166, kWire), 16u);
  intake.send(32, 20, 171, 0);
  // All arrived flits are taken by 160 + 11, and the next ten as they arrive.
  EXPECT_EQ(intake.arrived(181), 26u);
  EXPECT_EQ(intake.late(26, 181), 0u);
  EXPECT_EQ(intake.room(181, kWire), 21u);
}

TEST(L1Intake, APacketWaitsForThoseThatHaveComeBefore) {
  AllBanks holder(110, 160);
  L1Intake intake;
  intake.meet(holder);
  intake.send(0, 32, 105, 0);
  intake.send(32, 20, 121, 0);
  EXPECT_EQ(intake.arrived(131), 26u);
  EXPECT_EQ(intake.late(26, 131), 181u - 131);
  EXPECT_EQ(intake.late(16, 131), 171u - 131) << "without those of another packet";
}

// Data with gaps catch up within the gaps; data without gaps do not.
TEST(L1Intake, WhatIsHeldBackRegainsWhatItLost) {
  AllBanks holder(110, 112);
  L1Intake intake;
  intake.meet(holder);
  intake.send(0, 32, 105, 3);
  EXPECT_EQ(intake.arrived(121), 16u);
  EXPECT_EQ(intake.late(16, 121), 0u);
  AllBanks later(127, 130);
  intake.meet(later);
  intake.send(32, 20, 121, 1);
  EXPECT_EQ(intake.late(26, 131), 2u);
}

TEST(L1Intake, WhatIsNotToldIsTakenAsItCame) {
  AllBanks holder(110, 115);
  L1Intake intake;
  intake.meet(holder);
  intake.comes(0, 64, 100);
  EXPECT_FALSE(intake.network_announces());
  EXPECT_EQ(intake.late(intake.arrived(132), 132), 5u);
}

TEST(L1Intake, LaterHoldersCountWhenTheyAreKnown) {
  AllBanks holder(110, 115);
  L1Intake intake;
  intake.meet(holder);
  intake.comes(0, 64, 100);
  EXPECT_EQ(intake.late(32, 132), 5u);
  AllBanks later(134, 139);
  intake.meet(later);
  EXPECT_EQ(intake.late(32, 137), 5u);
}

// The NIU may be ahead of the network by the time of a flit between them.
TEST(L1Intake, WhatTheNiuAsksChangesNothingForTheNetwork) {
  AllBanks holder(110, 120);
  for (const bool asks : {false, true}) {
    L1Intake intake;
    intake.meet(holder);
    intake.send(0, 32, 105, 0);
    if (asks) {
      EXPECT_EQ(intake.late(intake.arrived(121), 121), 131u - 121);
    }
    EXPECT_EQ(intake.room(116, kWire), 0u);
    EXPECT_EQ(intake.has_room_at(116, kWire), 126u);
  }
}

TEST(L1Intake, HoldersHearWhileAPacketComesAndAWhileBehind) {
  AllBanks nobody(0, 0);
  EXPECT_FALSE(nobody.hears(0));
  nobody.packet_begins(300);
  nobody.packet_begins(310);
  nobody.packet_ends(500);
  EXPECT_TRUE(nobody.hears(100000));
  nobody.packet_ends(600);
  EXPECT_TRUE(nobody.hears(620));
  EXPECT_FALSE(nobody.hears(700));
}

}  // namespace
}  // namespace tvp::support
