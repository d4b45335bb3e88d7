#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/switch/crossbar.h"
#include "models/switch/inter_chip_switch.h"
#include "models/switch/reducer.h"
#include "tests/support/fault_of.h"

namespace tvp::switching {
namespace {

constexpr MemCycle kLatency = 6;
constexpr MemCycle kTurn = 2;

class Switch : public ::testing::Test {
 protected:
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  foundation::StopOnFault faults;
  ddr::DqLanes lanes{timing, 64, 8, false, "rank0"};
  InterChipSwitch chips{lanes, kLatency, "rank0.switch", faults};

  std::string error(unsigned source, const std::vector<unsigned>& to) {
    return tvp::test::fault_of([&] { chips.multicast(source, to, 64, 0); }, {}, "");
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
  // The pins of chip 1 receive from 10 to 42; a read must turn them round afterwards.
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

// Seven chips send in the same beats and one receives the result, in the beats of a single
// transfer. Serially it would take seven times as long.
TEST_F(Switch, AReductionTakesTheBeatsOfOneTransfer) {
  constexpr MemCycle kReduce = 3;
  const auto t = chips.reduce({1, 2, 3, 4, 5, 6, 7}, {0}, 64, kReduce, 100);
  EXPECT_EQ(t.begin, 100u);
  EXPECT_EQ(t.arrived, 100 + 32 + kLatency + kReduce);
  for (unsigned c = 0; c < 8; ++c) EXPECT_EQ(lanes.stats(c).busy, 32u) << c;
  // All pins are free again; chip 0 has received until then.
  EXPECT_EQ(chips.transfer(1, 2, 64, 100).begin, 132u);
  EXPECT_EQ(chips.transfer(0, 3, 64, 100).begin, t.arrived + kTurn);
}

TEST_F(Switch, AReductionWaitsForItsLastSource) {
  chips.transfer(1, 7, 128, 0);  // 64 cycles
  EXPECT_EQ(chips.reduce({0, 1, 2}, {5}, 64, 0, 10).begin, 64u);
  EXPECT_EQ(chips.stats().blocked, 1u);
}

// With halves, all chips send and receive at once, so an all-reduce takes the time of a transfer.
TEST_F(Switch, HalvesPermitAnAllReduceInOneGo) {
  const std::vector<unsigned> all{0, 1, 2, 3, 4, 5, 6, 7};
  const std::string refused = [&]() -> std::string {
    return tvp::test::fault_of([&] { chips.reduce(all, all, 64, 0, 0); }, {}, "");
  }();
  EXPECT_NE(refused.find("expected transmit and receive halves of the pins"), std::string::npos)
      << refused;
  ddr::DqLanes split{timing, 64, 8, true, "rank1"};
  InterChipSwitch both(split, kLatency, "rank1.switch", faults);
  EXPECT_EQ(both.reduce(all, all, 64, 2, 0).arrived, 64 + kLatency + 2);  // 4 pins each way
  EXPECT_EQ(both.bytes(), 8 * 64u);
}

TEST_F(Switch, AReductionNamesWhatItCannotDo) {
  const auto refused = [&](const std::vector<unsigned>& from, const std::vector<unsigned>& to) {
    try {
      chips.reduce(from, to, 64, 0, 0);
    } catch (const foundation::Fault& fault) {
      return fault.kind() == foundation::FaultKind::kFirmware;
    }
    return false;
  };
  EXPECT_TRUE(refused({}, {1}));
  EXPECT_TRUE(refused({1}, {}));
  EXPECT_TRUE(refused({1, 1}, {2}));
  EXPECT_TRUE(refused({1, 8}, {2}));
  EXPECT_FALSE(refused({1, 3}, {2}));
}

template <typename T>
std::vector<T> reduced(Reducer::Op op, Reducer::Type type, std::vector<T> a,
                       const std::vector<T>& b) {
  const Reducer reducer(op, type);
  reducer.combine({reinterpret_cast<std::uint8_t*>(a.data()), a.size() * sizeof(T)},
                  {reinterpret_cast<const std::uint8_t*>(b.data()), b.size() * sizeof(T)});
  return a;
}

TEST(ReducerTest, CombinesElements) {
  using enum Reducer::Op;
  using enum Reducer::Type;
  using Int = std::vector<std::int32_t>;
  using Long = std::vector<std::int64_t>;
  using Real = std::vector<float>;
  constexpr std::int32_t kLargest = 2147483647;
  EXPECT_EQ(reduced(kSum, kInt32, Int{1, -5, kLargest}, Int{2, 3, 1}),
            (Int{3, -2, -kLargest - 1}));  // wraps
  EXPECT_EQ(reduced(kProd, kInt32, Int{65536, -3}, Int{65536, 7}), (Int{0, -21}));
  EXPECT_EQ(reduced(kMax, kInt32, Int{-1, 4}, Int{1, -4}), (Int{1, 4}));
  EXPECT_EQ(reduced(kMin, kInt64, Long{-1, 1LL << 40}, Long{1, 1LL << 41}), (Long{-1, 1LL << 40}));
  EXPECT_EQ(reduced(kProd, kInt64, Long{1LL << 33}, Long{1LL << 30}), (Long{-(1LL << 62) * 2}));
  // fp32 cannot represent 2^24 + 1; round to nearest even.
  EXPECT_EQ(reduced(kSum, kFp32, Real{16777216.F, 0.5F}, Real{1.F, 0.25F}),
            (Real{16777216.F, 0.75F}));
  EXPECT_EQ(reduced(kProd, kFp32, Real{1.5F}, Real{-2.F}), (Real{-3.F}));
  // An ulp of 256 is 2: 257 is a tie, rounded to even; 259 rounds to 260.
  using Half = std::vector<std::uint16_t>;
  EXPECT_EQ(reduced(kSum, kBf16, Half{0x4380, 0x4381}, Half{0x3F80, 0x3F80}),
            (Half{0x4380, 0x4382}));
  EXPECT_EQ(reduced(kProd, kBf16, Half{0xBFC0}, Half{0x4000}), (Half{0xC040}));  // -1.5 * 2
  EXPECT_EQ(reduced(kMax, kBf16, Half{0xBF80, 0x4000}, Half{0xC000, 0x3F80}),
            (Half{0xBF80, 0x4000}));
  EXPECT_EQ(reduced(kMin, kBf16, Half{0xBF80}, Half{0xC000}), (Half{0xC000}));
  const Reducer longs(kSum, kInt64);
  std::vector<std::uint8_t> part(12);
  EXPECT_THROW(longs.combine(part, part), foundation::Fault);
}

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
  foundation::StopOnFault faults;
  Crossbar bar(4, "bar", faults);
  bar.connect(0, 1, 10, 20);
  EXPECT_EQ(bar.ready(2, 1, 0), 20u);
  EXPECT_THROW(bar.connect(2, 1, 15, 25), foundation::Fault);
  EXPECT_THROW(bar.connect(0, 2, 15, 25), foundation::Fault);
  bar.connect(2, 1, 20, 25);
  EXPECT_EQ(bar.stats().connections, 2u);
}

}  // namespace
}  // namespace tvp::switching
