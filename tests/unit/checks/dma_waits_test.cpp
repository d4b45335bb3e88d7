#include "platform/checks/memory/dma_waits.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;

struct DmaBench : CheckBench {
  DmaBench() {
    tile.kind = TileContext::Kind::kPimUnit;
    tile.where = "unit1";
    tile.probe = &probe;
  }
  Probe probe;
};

struct DmaWaitsTest : testing::Test, DmaBench {
  void starts(BusMaster engine, ProbeEvent::Request request, std::uint32_t address,
              std::uint8_t thread = 0) {
    check.on({.kind = Kind::kCommand,
              .agent = engine,
              .core = BusMaster::kB,
              .memory = support::MemoryKind::kWram,
              .request = request,
              .is_local = true,
              .pc = address / 16,
              .bytes = 64,
              .packets = 1,
              .thread = thread,
              .address = address,
              .cycle = ++now});
  }
  void sends(std::uint32_t address) {
    starts(BusMaster::kPimStop, ProbeEvent::Request::kWrite, address);
  }
  void reads_bank(std::uint32_t address, std::uint8_t thread = 0) {
    starts(BusMaster::kPimDma, ProbeEvent::Request::kRead, address, thread);
  }
  void waits_for_message() {
    check.on({.kind = Kind::kAnswer, .agent = BusMaster::kPimStop, .cycle = ++now});
    counts(1, 1);
  }
  /// The core has loaded `value`, and goes on if it is `awaited`.
  void counts(std::uint32_t value, std::uint32_t awaited) {
    check.on({.kind = Kind::kCounterRead,
              .agent = BusMaster::kPimStop,
              .value = value,
              .pushed = awaited,
              .cycle = ++now});
  }
  Cycle now = 0;
  DmaWaits check{tile};
};

TEST_F(DmaWaitsTest, ATransferIntoAMessageIsReported) {
  sends(0x1000);
  reads_bank(0x2000);
  EXPECT_TRUE(warnings.empty());
  reads_bank(0x1020);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(
      warnings[0].find("unit1: starts a DMA into WRAM 0x1020 at pc 0x102, from which a message "
                       "takes 64 bytes that it started at pc 0x100. The message is not over. "
                       "Expected a send_wait between the two. Add one."),
      std::string::npos)
      << warnings[0];
}

TEST_F(DmaWaitsTest, ATransferAfterTheWaitIsSilent) {
  sends(0x1000);
  waits_for_message();
  reads_bank(0x1020);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DmaWaitsTest, ALoopKnowsOnlyTheCountForWhichItWaits) {
  sends(0x1000);
  sends(0x2000);
  counts(2, 1);
  reads_bank(0x1020);
  EXPECT_TRUE(warnings.empty());
  counts(2, 3);  // it waits on
  reads_bank(0x2020);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(DmaWaitsTest, TransfersAreOrderedAmongThemselves) {
  starts(BusMaster::kPimDma, ProbeEvent::Request::kWrite, 0x1000);
  reads_bank(0x1020);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(DmaWaitsTest, TaskletsWaitForTheirTransfers) {
  sends(0x1000);
  reads_bank(0x1020, 3);
  EXPECT_TRUE(warnings.empty());
}

}  // namespace
}  // namespace tvp::checks
