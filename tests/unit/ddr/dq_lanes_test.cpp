#include "models/ddr/dq_lanes.h"

#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::ddr {
namespace {

constexpr MemCycle kTurn = 2;  // idle data bus between a read's and a write's data

class Lanes : public ::testing::Test {
 protected:
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  DqLanes make(unsigned pins, unsigned channels, bool split = false) {
    return {timing, pins, channels, split, "rank0"};
  }
  std::string error(unsigned pins, unsigned channels, bool split) {
    return tvp::test::fault_of([&] { make(pins, channels, split); }, {}, "");
  }
};

TEST_F(Lanes, RateFollowsTheWidth) {
  // Two beats a cycle: 8 pins move 2 bytes, 64 move 16, a half of 8 moves 1.
  EXPECT_EQ(make(64, 8).cycles_of(64), 32u);
  EXPECT_EQ(make(64, 1).cycles_of(64), 4u);
  EXPECT_EQ(make(64, 16).cycles_of(64), 64u);
  EXPECT_EQ(make(64, 8, true).cycles_of(64), 64u);
  EXPECT_EQ(make(64, 8).cycles_of(1), 1u);
}

TEST_F(Lanes, ChannelsAreIndependent) {
  DqLanes lanes = make(64, 8);
  EXPECT_EQ(lanes.take(0, Direction::kFromChip, 64, 10).end, 42u);
  EXPECT_EQ(lanes.ready(0, Direction::kFromChip, 10), 42u);
  EXPECT_EQ(lanes.ready(1, Direction::kFromChip, 10), 10u);
}

TEST_F(Lanes, TurningRoundCostsIdleCycles) {
  DqLanes lanes = make(64, 8);
  EXPECT_EQ(lanes.ready(0, Direction::kToChip, 0), 0u);  // never used
  lanes.take(0, Direction::kFromChip, 64, 0);
  EXPECT_EQ(lanes.ready(0, Direction::kToChip, 0), 32 + kTurn);
  lanes.take(0, Direction::kToChip, 64, 32 + kTurn);
  EXPECT_EQ(lanes.stats(0).turnarounds, 1u);
  EXPECT_EQ(lanes.stats(0).busy, 64u);
  EXPECT_EQ(lanes.stats(0).bytes, 128u);
}

TEST_F(Lanes, HalvesDoNotTurn) {
  DqLanes lanes = make(64, 8, true);
  lanes.take(0, Direction::kFromChip, 64, 0);
  EXPECT_EQ(lanes.ready(0, Direction::kToChip, 0), 0u);
  EXPECT_EQ(lanes.ready(0, Direction::kFromChip, 0), 64u);
}

TEST_F(Lanes, NormalBurstsTakeAllPins) {
  for (const bool split : {false, true}) {
    DqLanes lanes = make(64, 8, split);
    const MemCycle end = lanes.take(5, Direction::kFromChip, 64, 0).end;
    const DqLanes::Span burst = lanes.take_burst(Direction::kFromChip, 0);
    EXPECT_EQ(burst.begin, end);
    EXPECT_EQ(burst.end, end + 4);
    EXPECT_EQ(lanes.ready(3, Direction::kFromChip, 0), burst.end);
    EXPECT_EQ(lanes.stats(3).bytes, 8u) << "a burst of 64 bytes has 8 on each of 8 channels";
  }
}

TEST_F(Lanes, RefusesUnevenPartitions) {
  EXPECT_EQ(error(64, 7, false),
            "rank0: 64 DQ pins cannot be divided into 7 channels: expected a divisor of the pins");
  EXPECT_EQ(error(64, 0, false),
            "rank0: 64 DQ pins cannot be divided into 0 channels: expected a divisor of the pins");
  EXPECT_EQ(error(64, 64, true),
            "rank0: channels of 1 DQ pins have no transmit and receive halves: expected an even "
            "number");
}

}  // namespace
}  // namespace tvp::ddr
