#include "platform/checks/noc/overtaken_writes.h"

#include <gtest/gtest.h>

#include "foundation/regs/noc.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

constexpr BusMaster kThis = BusMaster::kNoc0, kOther = BusMaster::kNoc1;

struct OvertakenWritesTest : testing::Test, CheckTest<OvertakenWrites> {
  /// To tile (5, 3): data, or a signal of 4 bytes.
  static ProbeEvent command(BusMaster niu, std::uint8_t vc, std::uint32_t pc, std::uint32_t bytes) {
    return {.kind = ProbeEvent::Kind::kCommand,
            .agent = niu,
            .core = BusMaster::kB,
            .request = ProbeEvent::Request::kWrite,
            .remote = ProbeEvent::Place::kTensix,
            .x0 = 5,
            .y0 = 3,
            .x1 = 5,
            .y1 = 3,
            .vc = vc,
            .pc = pc,
            .bytes = bytes};
  }
  static ProbeEvent data(BusMaster niu, std::uint8_t vc, std::uint32_t pc) {
    return command(niu, vc, pc, 17);
  }
  static ProbeEvent signal(BusMaster niu, std::uint8_t vc, std::uint32_t pc) {
    return command(niu, vc, pc, 16);
  }
  void looks_at(BusMaster niu, std::uint32_t counter = regs::noc::kMstWrAckReceived) {
    feed({.kind = ProbeEvent::Kind::kCounterRead, .agent = niu, .index = counter});
  }
};

TEST_F(OvertakenWritesTest, ASignalOnAnotherWayIsReportedAtTheNextWrite) {
  feed(data(kThis, 2, 0x10));
  feed(signal(kOther, 2, 0x20));
  EXPECT_TRUE(warnings.empty());
  feed(data(kThis, 2, 0x14));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(
      warnings[0],
      "chip0.tensix(1,2).BRISC: signals to tile (5,3) of NoC 0 on NoC 1, channel 1, which may "
      "arrive before the data that it has written there on NoC 0, channel 1. Expected a "
      "noc_async_write_barrier before the signal. Add one.\n  in line 0x20 of core 0\n  The "
      "write:\n  in "
      "line 0x10 of core 0");
}

TEST_F(OvertakenWritesTest, OneIsReportedAtTheEndOnceForEachTwoPlaces) {
  std::uint32_t pc = 0x20;
  for (const auto& [niu, vc] : {std::pair{kOther, std::uint8_t{2}},
                                {kThis, std::uint8_t{4}},
                                {kThis, ProbeEvent::kDynamicVc}}) {
    warnings.clear();
    for (int round = 0; round < 2; ++round) {
      feed(data(kThis, 2, 0x10));
      feed(signal(niu, vc, pc));
      EXPECT_EQ(warnings.size(), round == 0 ? 0U : 1U);
      feed({.kind = ProbeEvent::Kind::kProgramEnds});
      EXPECT_EQ(warnings.size(), 1U);
    }
    feed({.kind = ProbeEvent::Kind::kProgramEnds});
    EXPECT_EQ(warnings.size(), 1U);
    pc += 4;
  }
}

TEST_F(OvertakenWritesTest, OneOnTheSameWayIsBehindTheWrite) {
  feed(data(kThis, 2, 0x10));
  feed(signal(kThis, 2, 0x20));
  feed(signal(kOther, 2, 0x24));
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  EXPECT_TRUE(warnings.empty());
}

TEST_F(OvertakenWritesTest, OneThatComesWhenTheWriteHasArrivedIsRight) {
  for (const std::uint32_t counter :
       {regs::noc::kMstWrAckReceived, regs::noc::kMstReqsOutstandingId + 3}) {
    feed(data(kThis, 2, 0x10));
    looks_at(kOther);
    looks_at(kThis, regs::noc::kMstRdRespReceived);
    looks_at(kThis, counter);
    feed(signal(kOther, 2, 0x20));
    feed({.kind = ProbeEvent::Kind::kProgramEnds});
    EXPECT_TRUE(warnings.empty());
  }
}

TEST_F(OvertakenWritesTest, ASignalAboutSomethingElseIsFollowedByTheRightOne) {
  for (const BusMaster niu : {kThis, kOther}) {
    feed(data(kThis, 2, 0x10));
    feed(signal(kOther, 2, 0x20));
    if (niu == kOther) looks_at(kThis);
    feed(signal(niu, 2, 0x24));
    feed({.kind = ProbeEvent::Kind::kProgramEnds});
    EXPECT_TRUE(warnings.empty());
  }
}

TEST_F(OvertakenWritesTest, OfAnotherCoreToAnotherPlaceOrPostedNothingIsReported) {
  ProbeEvent elsewhere = signal(kOther, 2, 0x20), of_other = signal(kOther, 2, 0x20);
  elsewhere.x0 = elsewhere.x1 = 6;
  of_other.core = BusMaster::kNc;
  ProbeEvent to_dram = signal(kOther, 2, 0x20), reads = signal(kOther, 2, 0x20);
  to_dram.remote = ProbeEvent::Place::kDram;
  reads.request = ProbeEvent::Request::kRead;
  feed(data(kThis, 2, 0x10));
  for (const ProbeEvent& event : {elsewhere, of_other, to_dram, reads}) feed(event);
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  ProbeEvent posted = data(kThis, 2, 0x10);
  posted.is_posted = true;
  feed(posted);
  feed(signal(kOther, 2, 0x20));
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  ProbeEvent own = data(kThis, 2, 0x10);
  own.x0 = own.x1 = 1;
  own.y0 = own.y1 = 2;
  ProbeEvent own_signal = own;
  own_signal.agent = kOther;
  own_signal.bytes = 4;
  feed(own);
  feed(own_signal);
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  EXPECT_TRUE(warnings.empty());
  // The signal is a multicast to a rectangle that contains the tile.
  ProbeEvent to_many = signal(kOther, 10, 0x20);
  to_many.x0 = 1;
  to_many.is_broadcast = true;
  feed(data(kThis, 2, 0x10));
  feed(to_many);
  feed({.kind = ProbeEvent::Kind::kProgramEnds});
  EXPECT_EQ(warnings.size(), 1U);
}

}  // namespace
}  // namespace tvp::checks
