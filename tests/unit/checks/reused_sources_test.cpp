#include "platform/checks/noc/reused_sources.h"

#include <gtest/gtest.h>

#include <array>

#include "foundation/regs/noc.h"
#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

struct ReusedSourcesTest : testing::Test, CheckBench {
  using Kind = ProbeEvent::Kind;
  ReusedSourcesTest() {
    l1[0x80] = 7;
    tile.l1 = l1;
  }
  void writes(BusMaster niu = BusMaster::kNoc0, std::uint32_t pc = 0x10) {
    check.on({.kind = Kind::kCommand,
              .agent = niu,
              .core = BusMaster::kB,
              .request = ProbeEvent::Request::kWrite,
              .is_local = true,
              .x0 = 0,
              .y0 = 2,
              .pc = pc,
              .bytes = 64,
              .address = 0x80,
              .cycle = 50});
  }
  void reads_counter(std::uint32_t index, BusMaster niu = BusMaster::kNoc0) {
    check.on({.kind = Kind::kCounterRead, .agent = niu, .index = index});
  }
  void changes(BusMaster agent, std::uint64_t address, std::uint32_t value, std::uint32_t pc = 0x20,
               Cycle cycle = 90) {
    check.on({.kind = Kind::kWritten,
              .agent = agent,
              .pc = pc,
              .bytes = 4,
              .thread = 2,
              .value = value,
              .address = address,
              .cycle = cycle});
  }
  std::array<std::uint8_t, 0x100> l1{};
  ReusedSources check{tile};
};

TEST_F(ReusedSourcesTest, AStoreWithoutAFlushNamesTheWrite) {
  writes();
  changes(BusMaster::kB, 0x80, 0);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "chip0.tensix(1,2).BRISC: a store in cycle 90 at 0x80 of L1 changes the source of a "
            "write of 64 bytes, which may not be sent yet: no core has read the write counters of "
            "NIU 0 since cycle 50. Expected noc_async_writes_flushed or a barrier in between. Add "
            "it behind the write.\n  in line 0x10 of core 0\n  The store:\n  in line 0x20 of core "
            "0");
  changes(BusMaster::kB, 0x80, 1);
  EXPECT_EQ(warnings.size(), 1U) << "each pair of places once";
}

TEST_F(ReusedSourcesTest, LateStoresAndOtherAgentsDoNotCount) {
  writes();
  changes(BusMaster::kPacker0, 0x84, 0, 0x24, 90);
  changes(BusMaster::kNoc1, 0x88, 1, 0x28, 90);
  changes(BusMaster::kB, 0x80, 0, 0x2C, 551);
  EXPECT_TRUE(warnings.empty());
  changes(BusMaster::kB, 0x80, 0, 0x2C, 550);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ReusedSourcesTest, ATileThatWasSignalledMayNotWriteThere) {
  const auto requests = [&](ProbeEvent::Request request, std::uint8_t x) {
    check.on({.kind = Kind::kRequest,
              .request = request,
              .is_local = true,
              .x0 = x,
              .y0 = 2,
              .bytes = 64,
              .address = request == ProbeEvent::Request::kWrite ? 0xA0U : 0x40U});
  };
  const auto signals = [&](std::uint8_t x) {
    check.on({.kind = Kind::kCommand,
              .agent = BusMaster::kNoc0,
              .core = BusMaster::kB,
              .request = ProbeEvent::Request::kAtomic,
              .x0 = x,
              .y0 = 2});
  };
  writes();
  requests(ProbeEvent::Request::kWrite, 3);
  signals(0);  // the target of the write
  requests(ProbeEvent::Request::kWrite, 0);
  reads_counter(regs::noc::kMstWrAckReceived);
  signals(3);
  requests(ProbeEvent::Request::kWrite, 3);
  writes();
  requests(ProbeEvent::Request::kAtomic, 0);
  signals(3);
  requests(ProbeEvent::Request::kWrite, 3);
  EXPECT_TRUE(warnings.empty());
  writes();
  signals(3);
  requests(ProbeEvent::Request::kWrite, 3);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "chip0.tensix(1,2).BRISC: a write of tile (3,2) of NoC 0, which this tile has signalled"))
      << warnings[0];
}

TEST_F(ReusedSourcesTest, AStoreOfTheSameValueChangesNothing) {
  writes();
  changes(BusMaster::kB, 0x80, 7);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(ReusedSourcesTest, ACounterOfWritesOfThisNiuEndsTheUse) {
  for (const std::uint32_t index :
       {regs::noc::kMstWrAckReceived, regs::noc::kMstNonpostedWrReqSent,
        regs::noc::kMstPostedWrReqSent, regs::noc::kMstWriteReqsOutgoingId + 3}) {
    writes();
    reads_counter(index);
    changes(BusMaster::kB, 0x80, 0);
  }
  EXPECT_TRUE(warnings.empty());
  writes();
  reads_counter(regs::noc::kMstWrAckReceived, BusMaster::kNoc1);
  reads_counter(regs::noc::kMstRdRespReceived);
  changes(BusMaster::kB, 0x80, 0);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(ReusedSourcesTest, OtherPlacesAndLaterProgramsDoNotCount) {
  writes();
  changes(BusMaster::kB, 0x7C, 1);
  changes(BusMaster::kB, 0xC0, 1);
  check.on({.kind = Kind::kProgramEnds});
  changes(BusMaster::kB, 0x80, 0);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
