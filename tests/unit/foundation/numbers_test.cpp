// Clocks, random numbers, hexadecimal texts, hashes and queues.
#include <gtest/gtest.h>

#include "foundation/clock_ratio.h"
#include "foundation/content_hash.h"
#include "foundation/hex.h"
#include "foundation/random.h"
#include "foundation/ring_queue.h"

namespace tvp::foundation {
namespace {

TEST(Period, EdgesDoNotAccumulateRounding) {
  const Period third{1000, 3};  // 3 GHz: 333.33 ps
  EXPECT_EQ(third.time_ps(3), 1000u);
  EXPECT_EQ(third.time_ps(3'000'000'000'001), 1'000'000'000'000'333u);
  EXPECT_EQ(third.edge_at_or_after(334), 2u);
  EXPECT_EQ(third.edge_at_or_after(1000), 3u);
  EXPECT_EQ(third.edge_at_or_after(0), 0u);
  EXPECT_EQ(third.ps_up(), 334u);
  EXPECT_DOUBLE_EQ(Period::of_mhz(1200).ns(), 1 / 1.2);
}

TEST(ClockRatio, ConvertsFromTheNumberOfTheEdge) {
  const ClockRatio core_to_dram(Period::of_mhz(350), Period::of_mhz(1200));
  EXPECT_EQ(core_to_dram.up(0), 0U);
  EXPECT_EQ(core_to_dram.up(1), 4U);  // 3.43
  EXPECT_EQ(core_to_dram.up(7), 24U);
  EXPECT_EQ(core_to_dram.down(1), 3U);
  EXPECT_EQ(core_to_dram.up(7'000'000'000'000ULL), 24'000'000'000'000ULL);
}

// The first numbers of the published algorithm for seed 1234567.
TEST(Random, IsSplitMix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, StaysInItsRanges) {
  Random random(1);
  for (unsigned i = 0; i < 10'000; ++i) {
    EXPECT_LT(random.below(7), 7U);
    const double fraction = random.fraction();
    EXPECT_TRUE(fraction >= 0 && fraction < 1) << fraction;
    const double unit = random.unit();
    EXPECT_TRUE(unit > 0 && unit <= 1) << unit;
  }
}

TEST(Hex, WritesAsFewDigitsAsAsked) {
  EXPECT_EQ(hex(0), "0x0");
  EXPECT_EQ(hex(0x1A2B), "0x1a2b");
  EXPECT_EQ(hex(0x1A2B, 8), "0x00001a2b");
  EXPECT_EQ(hex(~0ULL, 2), "0xffffffffffffffff");
  EXPECT_EQ(hex_digits(15, 2), "0f");
}

TEST(ContentHash, TellsTextsAndTheirBordersApart) {
  const std::string hash = ContentHash().add("ab").add("c").hex();
  EXPECT_EQ(hash.size(), 32U);
  EXPECT_EQ(ContentHash().add("ab").add("c").hex(), hash);
  EXPECT_NE(ContentHash().add("a").add("bc").hex(), hash);
  EXPECT_NE(ContentHash().add("abc").hex(), hash);
  EXPECT_NE(ContentHash().add("ab").add("c").add("").hex(), hash);
}

TEST(RingQueue, KeepsTheOrderWhileItGrows) {
  RingQueue<int> queue;
  int in = 0;
  int out = 0;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 3; ++i) queue.push(in++);
    for (int i = 0; i < 2; ++i, queue.pop()) ASSERT_EQ(queue.front(), out++);
    ASSERT_EQ(queue.size(), static_cast<std::size_t>(in - out));
    ASSERT_EQ(queue.at(queue.size() - 1), in - 1);
  }
  while (!queue.empty()) queue.pop();
  queue.push(7);
  EXPECT_EQ(queue.front(), 7);
}

}  // namespace
}  // namespace tvp::foundation
