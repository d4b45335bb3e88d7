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

TEST(Equivalence, EachProgramNeedsRoomForItsOwnPages) {
  const auto of_two_programs = [](std::uint32_t first, unsigned looks) {
    Events events = pushes(first, looks);
    events.add(kTile, {.kind = Kind::kBuffer, .packets = 1, .index = 3});
    return events;
  };
  EXPECT_TRUE(of_two_programs(2, 2).has_room_without(of_two_programs(2, 1)));
  EXPECT_FALSE(of_two_programs(3, 2).has_room_without(of_two_programs(3, 1)));
}

std::string proof_of_swap(const std::string& one, const std::string& other) {
  KernelMutation change;
  change.change.rule = "swap";
  change.change.from = one + "; " + other + ";";
  change.call = one.substr(0, one.find('('));
  change.other = other.substr(0, other.find('('));
  return order_proof(change).substr(0, 5);
}

TEST(Equivalence, SwappedCallsThatOrderTheSameNeedNoReport) {
  EXPECT_EQ(proof_of_swap("cb_pop_front(kA, 1)", "cb_wait_front(kB, 1)"), "order");
  EXPECT_EQ(proof_of_swap("cb_wait_front(kA, 1)", "cb_reserve_back(kB, 1)"), "order");
  EXPECT_EQ(proof_of_swap("cb_push_back(kA, 1)", "noc_async_write_barrier()"), "order");
  EXPECT_EQ(proof_of_swap("cb_wait_front(kA, 1)", "cb_pop_front(kB, 1)"), "");
  EXPECT_EQ(proof_of_swap("cb_pop_front(kA, 1)", "cb_wait_front(kA, 1)"), "");
  EXPECT_EQ(proof_of_swap("cb_push_back(kA, 1)", "noc_semaphore_wait(ready, 1)"), "");
  EXPECT_EQ(proof_of_swap("noc_semaphore_inc(to, 1)", "noc_async_atomic_barrier()"), "");
  EXPECT_EQ(proof_of_swap("mm_init(kA, kB)", "reconfig_data_format_srca(kA)"), "set-u");
  EXPECT_EQ(proof_of_swap("pack_reconfig_data_format(kA)", "tile_regs_release()"), "set-u");
  EXPECT_EQ(proof_of_swap("mm_init(kA, kB)", "cb_wait_front(kA, 1)"), "set-u");
  EXPECT_EQ(proof_of_swap("mm_init(kA, kB)", "cb_push_back(kA, 1)"), "");
  EXPECT_EQ(proof_of_swap("tile_regs_commit()", "tile_regs_wait()"), "order");
  EXPECT_EQ(proof_of_swap("tile_regs_commit()", "tile_regs_acquire()"), "");
  EXPECT_EQ(proof_of_swap("tile_regs_release()", "cb_push_back(kA, 1)"), "");
  EXPECT_EQ(proof_of_swap("noc_send(noc, kBuf)", "noc_count_writes(noc, one)"), "order");
  EXPECT_EQ(proof_of_swap("noc_send(noc, kBuf)", "noc_wait_cmd_buf(noc, kBuf)"), "");
  EXPECT_EQ(proof_of_swap("tile_regs_wait()", "pack_tile(0, kA)"), "");
}

TEST(Equivalence, ASetUpHasNoTiming) {
  KernelMutation change;
  change.call = "pack_reconfig_data_format";
  change.change.rule = "delete";
  EXPECT_FALSE(order_proof(change).empty());
  change.call = "cb_wait_front";
  EXPECT_TRUE(order_proof(change).empty());
}

/// Circular buffer 3 with two pages, of which a core takes some.
Events pops(std::uint32_t pages, bool waits_after_pop) {
  Events events = pushes(2, 0);
  for (std::uint32_t i = 0; i <= pages; ++i) {
    if (i == 0 || waits_after_pop)
      events.add(
          kTile,
          {.kind = Kind::kStreamRead, .index = regs::overlay::kRemoteDestBufSize, .stream = 3});
    if (i != 0)
      events.add(kTile, {.kind = Kind::kStreamWritten,
                         .index = regs::overlay::kRemoteDestBufStart,
                         .stream = 3,
                         .pushed = 2,
                         .popped = i});
  }
  return events;
}

TEST(Equivalence, APopAfterTheLastWaitChangesNothing) {
  EXPECT_TRUE(pops(2, false).has_idle_pops(pops(0, false)));
  EXPECT_FALSE(pops(2, true).has_idle_pops(pops(0, false)));
  EXPECT_FALSE(pops(2, false).has_idle_pops(pops(2, false)));
}

TEST(Equivalence, PlacesThatAreWrittenOnceNeedNoRoom) {
  Events events;
  const auto arrives = [&](std::uint64_t address, std::uint8_t x) {
    events.add(kTile, {.kind = Kind::kRequest,
                       .request = Request::kWrite,
                       .is_local = true,
                       .x0 = x,
                       .bytes = 64,
                       .address = address});
  };
  arrives(0x1000, 1);
  arrives(0x1040, 1);
  arrives(0x1000, 2);
  EXPECT_TRUE(events.writes_targets_once());
  arrives(0x1020, 1);
  EXPECT_FALSE(events.writes_targets_once());
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
