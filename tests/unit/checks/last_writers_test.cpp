#include "platform/checks/record/last_writers.h"

#include <gtest/gtest.h>

namespace tvp::checks {
namespace {

constexpr LastWriters::Write kPacked{.cycle = 5, .pc = 0x40, .core = BusMaster::kT2};
constexpr LastWriters::Write kSent{.cycle = 9, .pc = 0x80, .core = BusMaster::kB, .x = 2, .y = 3};

TEST(LastWriters, TheLatestWriteOfAPlaceCounts) {
  LastWriters writers;
  EXPECT_EQ(writers.of(0), nullptr);
  writers.note(0xFC0, 128, kPacked);  // across the end of a chunk
  writers.note(0x1000, 64, kSent);
  ASSERT_NE(writers.of(0xFFF), nullptr);
  EXPECT_EQ(writers.of(0xFFF)->pc, 0x40U);
  EXPECT_FALSE(writers.of(0xFFF)->is_foreign());
  ASSERT_NE(writers.of(0x103F), nullptr);
  EXPECT_EQ(writers.of(0x103F)->cycle, 9U);
  EXPECT_EQ(writers.of(0x103F)->x, 2U);
  EXPECT_TRUE(writers.of(0x103F)->is_foreign());
}

TEST(LastWriters, UnwrittenBytesHaveNone) {
  LastWriters writers;
  writers.note(0x1000, 64, kPacked);
  writers.note(0x5000, 0, kPacked);
  for (const std::uint32_t address : {0U, 0xFFFU, 0x1040U, 0x2000U, 0x5000U, 0x16'0000U})
    EXPECT_EQ(writers.of(address), nullptr) << address;
}

TEST(LastWriters, ForgetsBytesThatAnotherAgentWrote) {
  LastWriters stores(4);
  stores.forget(0, 0x10'0000);  // no recorded write there
  stores.note(0x100, 4, kSent);
  stores.note(0x104, 2, kPacked);
  EXPECT_EQ(stores.of(0x103)->pc, 0x80U);
  EXPECT_EQ(stores.of(0x107)->pc, 0x40U);
  stores.forget(0x104, 0);
  EXPECT_NE(stores.of(0x104), nullptr);
  stores.forget(0x105, 64);
  EXPECT_EQ(stores.of(0x104), nullptr);
  EXPECT_NE(stores.of(0x100), nullptr);
  stores.note(0x104, 4, kSent);
  EXPECT_NE(stores.of(0x104), nullptr);
}

/// A write of the host has cycle 0 and no core.
TEST(LastWriters, TheHostIsAWriter) {
  LastWriters writers;
  writers.note(0x20, 4, {});
  ASSERT_NE(writers.of(0x20), nullptr);
  EXPECT_EQ(writers.of(0x20)->agent, BusMaster::kDebug);
}

}  // namespace
}  // namespace tvp::checks
