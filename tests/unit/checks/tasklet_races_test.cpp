#include "platform/checks/memory/tasklet_races.h"

#include <gtest/gtest.h>

#include "tests/unit/checks/check_bench.h"

namespace tvp::checks {
namespace {

using Kind = ProbeEvent::Kind;
using Step = ProbeEvent::TaskletStep;

struct TaskletRacesTest : testing::Test, CheckBench {
  TaskletRacesTest() {
    tile.kind = TileContext::Kind::kPimUnit;
    tile.where = "unit1";
    check.on({.kind = Kind::kReset});
    for (std::uint32_t i = 1; i < 4; ++i) step(0, Step::kStart, i);
  }
  void step(unsigned tasklet, Step what, std::uint32_t index = 0) {
    check.on({.kind = Kind::kTasklet,
              .step = what,
              .index = index,
              .thread = static_cast<std::uint8_t>(tasklet)});
  }
  void access(unsigned tasklet, Step what, std::uint32_t address, std::uint32_t pc,
              std::uint32_t bytes = 4) {
    check.on({.kind = Kind::kTasklet,
              .step = what,
              .pc = pc,
              .bytes = bytes,
              .thread = static_cast<std::uint8_t>(tasklet),
              .address = address});
  }
  void load(unsigned tasklet, std::uint32_t address, std::uint32_t pc, std::uint32_t bytes = 4) {
    access(tasklet, Step::kLoad, address, pc, bytes);
  }
  void store(unsigned tasklet, std::uint32_t address, std::uint32_t pc, std::uint32_t bytes = 4) {
    access(tasklet, Step::kStore, address, pc, bytes);
  }
  TaskletRaces check{tile};
};

TEST_F(TaskletRacesTest, AStoreAndALoadWithoutOrderAreReportedOnce) {
  store(1, 0x100, 0x10);
  load(2, 0x100, 0x20);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "unit1: tasklet 2 reads WRAM 0x100 at pc 0x20, and tasklet 1 writes it at pc 0x10, in "
            "this order only by luck. Expected a tasklet_barrier or a Mutex between them. Add "
            "one.");
  store(1, 0x104, 0x10);
  load(2, 0x104, 0x20);  // the same places in the code
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(TaskletRacesTest, AMeetingOrders) {
  store(1, 0x100, 0x10);
  step(3, Step::kMeet);
  load(2, 0x100, 0x20);
  load(3, 0x100, 0x20);
  step(0, Step::kMeet);
  store(1, 0x100, 0x10);
  EXPECT_TRUE(warnings.empty());
}

TEST_F(TaskletRacesTest, AMutexOrdersThoseThatHoldIt) {
  for (const unsigned tasklet : {1U, 2U, 3U}) {
    step(tasklet, Step::kLock, 5);
    load(tasklet, 0x100, 0x20);
    store(tasklet, 0x100, 0x24);
    step(tasklet, Step::kUnlock, 5);
  }
  EXPECT_TRUE(warnings.empty());
  step(0, Step::kLock, 6);
  load(0, 0x100, 0x30);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(TaskletRacesTest, AStoreIsComparedWithAllReads) {
  load(1, 0x100, 0x10);
  load(2, 0x100, 0x10);
  store(2, 0x100, 0x20);
  EXPECT_TRUE(warnings.empty()) << "tasklet 1 may poll";
  step(0, Step::kMeet);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(
      warnings[0].starts_with("unit1: tasklet 2 writes WRAM 0x100 at pc 0x20, and tasklet "
                              "1 reads it at pc 0x10"))
      << warnings[0];
}

TEST_F(TaskletRacesTest, BytesOfAWordMayBelongToDifferentTasklets) {
  store(1, 0x100, 0x10, 1);
  store(2, 0x101, 0x20, 1);
  load(1, 0x102, 0x30, 2);
  EXPECT_TRUE(warnings.empty());
  load(1, 0x101, 0x30, 1);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(TaskletRacesTest, TransfersUseAllTheirBytes) {
  access(1, Step::kStore, 0x100, 0x10, 64);
  load(2, 0x13C, 0x20);
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(TaskletRacesTest, APolledWordOrders) {
  store(1, 0x200, 0x10);  // the data
  load(2, 0x100, 0x20);
  store(1, 0x100, 0x14);
  load(2, 0x100, 0x20);
  load(2, 0x200, 0x30);
  load(3, 0x100, 0x20);  // the word is there at its first load
  EXPECT_TRUE(warnings.empty());
}

TEST_F(TaskletRacesTest, OnlyTheFirstUnitsAreObserved) {
  EXPECT_NE(check.kinds(), 0U);
  tile.x = 4;
  EXPECT_EQ(check.kinds(), 0U);
}

TEST_F(TaskletRacesTest, WhatTheStarterWroteIsKnown) {
  check.on({.kind = Kind::kReset});
  store(0, 0x100, 0x10);
  step(0, Step::kStart, 1);
  load(1, 0x100, 0x20);
  EXPECT_TRUE(warnings.empty());
  store(0, 0x100, 0x14);
  check.on({.kind = Kind::kProgramEnds});
  EXPECT_EQ(warnings.size(), 1U);
}

TEST_F(TaskletRacesTest, ATransferUsesWramForItsTasklet) {
  const auto transfers = [&](std::uint8_t tasklet, ProbeEvent::Request request) {
    check.on({.kind = Kind::kCommand,
              .agent = BusMaster::kPimDma,
              .request = request,
              .pc = 0x20,
              .bytes = 64,
              .thread = static_cast<std::uint8_t>(1 + tasklet),
              .address = 0x100});
  };
  store(1, 0x120, 0x10);
  transfers(1, ProbeEvent::Request::kWrite);
  EXPECT_TRUE(warnings.empty());
  transfers(0, ProbeEvent::Request::kWrite);  // to the bank
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "unit1: tasklet 0 reads WRAM 0x120 at pc 0x20, and tasklet 1 writes it at pc 0x10"));
  for (unsigned i = 0; i < 4; ++i) step(i, Step::kMeet);
  transfers(2, ProbeEvent::Request::kRead);
  EXPECT_EQ(warnings.size(), 1U);
  load(3, 0x13C, 0x30);
  EXPECT_EQ(warnings.size(), 2U);
}

}  // namespace
}  // namespace tvp::checks
