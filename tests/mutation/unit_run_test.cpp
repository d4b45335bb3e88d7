#include "tests/mutation/unit_run.h"

#include <gtest/gtest.h>

namespace tvp::mutation {
namespace {

using support::BusMaster;
using support::ProbeEvent;
using Kind = ProbeEvent::Kind;

/// Unit 0 sends 64 bytes from 0x4000 to unit 1, and stores there later.
struct UnitRunTest : testing::Test {
  void sends() {
    run.add("unit0", {.kind = Kind::kCommand,
                      .agent = BusMaster::kPimStop,
                      .core = BusMaster::kB,
                      .memory = support::MemoryKind::kWram,
                      .request = ProbeEvent::Request::kWrite,
                      .is_local = true,
                      .bytes = 64,
                      .packets = 1,
                      .value = 1,
                      .address = 0x4000});
  }
  void waits(bool in_a_loop) {
    run.add("unit0", {.kind = Kind::kCounterRead,
                      .agent = BusMaster::kPimStop,
                      .is_local = in_a_loop,
                      .value = 1,
                      .pushed = 1});
  }
  void stores() {
    run.add("unit0", {.kind = Kind::kWritten,
                      .agent = BusMaster::kB,
                      .core = BusMaster::kB,
                      .bytes = 4,
                      .address = 0x4000});
  }
  UnitRun run;
};

TEST_F(UnitRunTest, AStoreIntoAMessageIsNotOrdered) {
  EXPECT_FALSE(run.is_ordered());  // no PIM program
  sends();
  EXPECT_TRUE(run.is_ordered());
  stores();
  EXPECT_FALSE(run.is_ordered());
}

TEST_F(UnitRunTest, AWaitOrdersTheStore) {
  sends();
  waits(true);
  stores();
  EXPECT_TRUE(run.is_ordered());
}

TEST_F(UnitRunTest, ACountThatTheProgramUsesOtherwiseProvesNothing) {
  sends();
  waits(false);
  EXPECT_FALSE(run.is_ordered());
}

TEST_F(UnitRunTest, OnlyWindowsOfDataMatter) {
  UnitRun other;
  const auto sets = [](UnitRun& of, std::uint32_t channel, std::uint32_t bytes) {
    of.add("unit0", {.kind = Kind::kBuffer, .bytes = bytes, .index = channel, .address = 0x1000});
  };
  const auto arrives = [&](std::uint32_t channel, std::uint32_t bytes) {
    run.add("unit0", {.kind = Kind::kServed,
                      .agent = BusMaster::kPimStop,
                      .bytes = bytes,
                      .packets = 1,
                      .index = channel,
                      .value = 1});
  };
  sets(run, 0, 64);
  sets(other, 0, 128);
  sets(other, 1, 8);
  arrives(0, 64);
  arrives(1, 0);
  EXPECT_TRUE(run.has_windows_of(other));
  arrives(1, 4);
  EXPECT_FALSE(run.has_windows_of(other));
}

}  // namespace
}  // namespace tvp::mutation
