#include "tests/mutation/equivalence.h"

#include <gtest/gtest.h>

#include "foundation/regs/noc.h"
#include "foundation/regs/overlay.h"

namespace tvp::mutation {
namespace {

using support::BusMaster;
using support::ProbeEvent;
using Kind = ProbeEvent::Kind;
using Request = ProbeEvent::Request;

constexpr const char* kTile = "chip0.tensix(1,1)";

/// Circular buffer 3 with two pages, of which the program pushes some.
Events pushes(std::uint32_t pages, unsigned looks) {
  Events events;
  events.add(kTile, {.kind = Kind::kBuffer, .packets = 2, .index = 3});
  for (unsigned i = 0; i < looks; ++i)
    events.add(
        kTile,
        {.kind = Kind::kStreamRead, .index = regs::overlay::kRemoteDestBufStart, .stream = 3});
  for (std::uint32_t i = 1; i <= pages; ++i)
    events.add(kTile, {.kind = Kind::kStreamWritten,
                       .index = regs::overlay::kRemoteDestBufSize,
                       .stream = 3,
                       .pushed = i});
  return events;
}

TEST(Equivalence, ABufferWithRoomForAllPagesNeedsNoReserve) {
  EXPECT_TRUE(pushes(2, 2).has_room_without(pushes(2, 0)));
  EXPECT_FALSE(pushes(3, 3).has_room_without(pushes(3, 0)));
  // The other run looks as often, so the buffer of the missing call is not known.
  EXPECT_FALSE(pushes(2, 2).has_room_without(pushes(2, 2)));
}

struct Sources : testing::Test {
  void sends(std::uint64_t address) {
    events.add(kTile, {.kind = Kind::kCommand,
                       .agent = BusMaster::kNoc0,
                       .core = BusMaster::kB,
                       .request = Request::kWrite,
                       .is_local = true,
                       .bytes = 64,
                       .address = address});
  }
  void looks() {
    events.add(kTile, {.kind = Kind::kCounterRead,
                       .agent = BusMaster::kNoc0,
                       .index = regs::noc::kMstNonpostedWrReqSent});
  }
  void pops() {
    events.add(
        kTile,
        {.kind = Kind::kStreamWritten, .index = regs::overlay::kRemoteDestBufStart, .stream = 3});
  }
  void writes(std::uint64_t address) {
    events.add(kTile,
               {.kind = Kind::kWritten, .agent = BusMaster::kB, .bytes = 4, .address = address});
  }
  Events events;
};

TEST_F(Sources, ThatNothingWritesNeedNoFlush) {
  sends(0x1000);
  writes(0xFFC);
  writes(0x1040);
  pops();
  EXPECT_TRUE(events.keeps_sources());
  writes(0x103C);
  EXPECT_FALSE(events.keeps_sources());
}

TEST_F(Sources, MayChangeAfterALookBeforeThePop) {
  sends(0x1000);
  looks();
  pops();
  writes(0x1000);
  EXPECT_TRUE(events.keeps_sources());
  sends(0x1000);
  pops();
  looks();  // only luck has made it come before the write
  writes(0x1000);
  EXPECT_FALSE(events.keeps_sources());
}

}  // namespace
}  // namespace tvp::mutation
