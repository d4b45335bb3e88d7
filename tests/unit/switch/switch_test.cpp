#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/switch/crossbar.h"
#include "models/switch/inter_chip_switch.h"

namespace tvp::switching {
namespace {

constexpr MemCycle kLatency = 6;
constexpr MemCycle kTurn = 2;

class Switch : public ::testing::Test {
 protected:
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  support::StopOnFault faults;
  ddr::DqLanes lanes{timing, 64, 8, false, "rank0"};
  InterChipSwitch chips{lanes, kLatency, "rank0.switch", faults};

  std::string error(unsigned source, const std::vector<unsigned>& to) {
    try {
      chips.multicast(source, to, 64, 0);
    } catch (const support::Fault& fault) {
      return fault.what();
    }
    return "";
  }
};

TEST_F(Switch, ATransferTakesItsBeatsAndTheLatency) {
  // 64 bytes on 8 pins: 32 cycles.
  const auto t = chips.transfer(0, 5, 64, 100);
  EXPECT_EQ(t.begin, 100u);
  EXPECT_EQ(t.arrived, 100 + 32 + kLatency);
}

TEST_F(Switch, DisjointPairsGoTogether) {
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(chips.transfer(i, i + 4, 64, 0).begin, 0u);
  EXPECT_EQ(chips.stats().blocked, 0u);
}

TEST_F(Switch, ABusyOutputBlocksItsSecondInput) {
  chips.transfer(0, 7, 64, 0);
  const auto second = chips.transfer(1, 7, 64, 0);
  EXPECT_EQ(second.begin, 32u);
  EXPECT_EQ(chips.stats().blocked, 1u);
  EXPECT_EQ(chips.stats().blocked_cycles, 32u);
}

TEST_F(Switch, AnInputReachesOneOutputAtATime) {
  chips.transfer(0, 1, 64, 0);
  EXPECT_EQ(chips.transfer(0, 2, 64, 0).begin, 32u);
}

TEST_F(Switch, AChipTurnsRoundBetweenReceivingAndSending) {
  const auto first = chips.transfer(0, 1, 64, 0);  // on the pins of chip 1 until 38
  EXPECT_EQ(first.arrived, 38u);
  EXPECT_EQ(chips.transfer(1, 2, 64, 0).begin, 38 + kTurn);
}

TEST_F(Switch, NormalReadsShareThePins) {
  lanes.take_burst(ddr::Direction::kFromChip, 0);
  EXPECT_EQ(chips.transfer(0, 1, 64, 0).begin, 4u);
  // The pins of chip 1 hear it from 10 to 42: a read has to turn them round behind it.
  EXPECT_EQ(lanes.take_burst(ddr::Direction::kFromChip, 0).begin, 4 + kLatency + 32 + kTurn);
}

TEST_F(Switch, AMulticastTakesTheBeatsOnce) {
  const auto t = chips.multicast(2, {0, 1, 3, 7}, 64, 0);
  EXPECT_EQ(t.arrived, 32 + kLatency);
  EXPECT_EQ(chips.bytes(), 4u * 64);
  for (unsigned d : {0U, 1U, 3U, 7U}) {
    EXPECT_GE(lanes.ready(d, ddr::Direction::kToChip, 0), t.arrived);
  }
  EXPECT_EQ(lanes.ready(4, ddr::Direction::kToChip, 0), 0u);
}

// Whatever is asked for, no pins and no output ever serve two at once, and a transfer begins at
// the first moment at which nothing hinders it.
TEST_F(Switch, RandomTransfersNeverOverlap) {
  struct Use {
    MemCycle begin, end;
    unsigned chip;
    bool out;
  };
  std::mt19937 random(5);
  std::vector<Use> uses;
  MemCycle now = 0;
  for (unsigned i = 0; i < 2000; ++i) {
    now += random() % 20;
    const unsigned from = random() % 8;
    const unsigned to = (from + 1 + random() % 7) % 8;
    const std::uint64_t bytes = 2 * (1 + random() % 64);
    const auto t = chips.transfer(from, to, bytes, now);
    const MemCycle length = bytes / 2;
    ASSERT_EQ(t.arrived, t.begin + length + kLatency);
    const auto clashes = [&](MemCycle begin) {
      return std::any_of(uses.begin(), uses.end(), [&](const Use& u) {
        const auto near = [&](unsigned chip, bool out, MemCycle b) {
          const MemCycle gap = u.out == out ? 0 : kTurn;
          return u.chip == chip && b < u.end + gap && u.begin < b + length + gap;
        };
        return near(from, true, begin) || near(to, false, begin + kLatency);
      });
    };
    ASSERT_FALSE(clashes(t.begin)) << i;
    uses.push_back({t.begin, t.begin + length, from, true});
    uses.push_back({t.begin + kLatency, t.begin + kLatency + length, to, false});
    if (uses.size() > 400) uses.erase(uses.begin(), uses.begin() + 100);
  }
  EXPECT_GT(chips.stats().blocked, 100u);
}

TEST_F(Switch, RefusesWhatDoesNotExist) {
  EXPECT_EQ(error(8, {0}),
            "rank0.switch: transfer from chip 8 to 0: expected other chips among 0 to 7");
  EXPECT_EQ(error(0, {0}),
            "rank0.switch: transfer from chip 0 to 0: expected other chips among 0 to 7");
  EXPECT_EQ(error(0, {1, 9}),
            "rank0.switch: transfer from chip 0 to 1 9: expected other chips among 0 to 7");
}

TEST(CrossbarTest, AScheduledConflictIsRefused) {
  support::StopOnFault faults;
  Crossbar bar(4, "bar", faults);
  bar.connect(0, 1, 10, 20);
  EXPECT_EQ(bar.ready(2, 1, 0), 20u);
  EXPECT_THROW(bar.connect(2, 1, 15, 25), support::Fault);
  EXPECT_THROW(bar.connect(0, 2, 15, 25), support::Fault);
  bar.connect(2, 1, 20, 25);
  EXPECT_EQ(bar.stats().connections, 2u);
}

}  // namespace
}  // namespace tvp::switching
