#include "models/support/overtaken_writes.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tvp::support {
namespace {

using Way = OvertakenWrites::Request;

struct OvertakenWritesTest : testing::Test, OvertakenWrites::Listener {
  OvertakenWritesTest() { writes.set_listener(this); }
  void may_overtake(const Way& signal, const Way& write) override {
    told.emplace_back(signal.pc, write.pc);
  }
  /// To tile (5, 3).
  static Way way(BusMaster niu, std::uint32_t vc, std::uint32_t pc) {
    return {
        .niu = niu, .core = BusMaster::kB, .pc = pc, .x0 = 5, .y0 = 3, .x1 = 5, .y1 = 3, .vc = vc};
  }
  OvertakenWrites writes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> told;
};

constexpr BusMaster kThis = BusMaster::kNoc0, kOther = BusMaster::kNoc1;

TEST_F(OvertakenWritesTest, ASignalOnAnotherWayIsToldAtTheNextWriteOrTheEnd) {
  for (const Way& signal :
       {way(kOther, 2, 0x20), way(kThis, 4, 0x20), way(kThis, OvertakenWrites::kDynamic, 0x20)}) {
    told.clear();
    writes.writes(way(kThis, 2, 0x10));
    writes.signals(signal);
    EXPECT_TRUE(told.empty());
    writes.writes(way(kThis, 2, 0x14));
    EXPECT_EQ(told, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0x20, 0x10}}));
    writes.signals(signal);
    writes.end();
    EXPECT_EQ(told.size(), 2U);
    writes.end();
    EXPECT_EQ(told.size(), 2U);
  }
}

TEST_F(OvertakenWritesTest, OneOnTheSameWayIsBehindTheWrite) {
  writes.writes(way(kThis, 2, 0x10));
  writes.signals(way(kThis, 2, 0x20));
  writes.signals(way(kOther, 2, 0x24));
  writes.end();
  EXPECT_TRUE(told.empty());
}

TEST_F(OvertakenWritesTest, OneThatComesWhenTheWriteHasArrivedIsNot) {
  writes.writes(way(kThis, 2, 0x10));
  writes.looked_at(kOther);
  writes.looked_at(kThis);
  writes.signals(way(kOther, 2, 0x20));
  writes.end();
  EXPECT_TRUE(told.empty());
}

TEST_F(OvertakenWritesTest, ASignalAboutSomethingElseIsFollowedByTheRightOne) {
  for (const BusMaster niu : {kThis, kOther}) {
    writes.writes(way(kThis, 2, 0x10));
    writes.signals(way(kOther, 2, 0x20));
    if (niu == kOther) writes.looked_at(kThis);
    writes.signals(way(niu, 2, 0x24));
    writes.end();
    EXPECT_TRUE(told.empty());
  }
}

TEST_F(OvertakenWritesTest, OfAnotherCoreOrToAnotherTileNothingIsTold) {
  Way elsewhere = way(kOther, 2, 0x20), of_other = way(kOther, 2, 0x20);
  elsewhere.x0 = elsewhere.x1 = 6;
  of_other.core = BusMaster::kNc;
  writes.writes(way(kThis, 2, 0x10));
  writes.signals(elsewhere);
  writes.signals(of_other);
  writes.end();
  EXPECT_TRUE(told.empty());
  // To a rectangle of which it is one.
  Way to_many = way(kOther, 10, 0x20);
  to_many.x0 = 1;
  writes.writes(way(kThis, 2, 0x10));
  writes.signals(to_many);
  writes.end();
  EXPECT_EQ(told.size(), 1U);
}

}  // namespace
}  // namespace tvp::support
