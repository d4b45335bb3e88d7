// The RTL crossbar compared with switching::Crossbar. The same requests must be granted in the same
// cycles, and each output must have the beats of its inputs in exactly these cycles.

#include "models/switch/crossbar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "models/ddr/dq_lanes.h"
#include "models/rtl/rtl_crossbar.h"
#include "models/support/calendar.h"
#include "models/switch/inter_chip_switch.h"
#include "tests/support/fault_of.h"

namespace tvp::rtl {
namespace {

using dram::MemCycle;
using support::Cycle;
using Ports = std::vector<unsigned>;

/// A calendar that only counts.
class Time {
 public:
  void pass(Cycle cycles) { calendar_.run_until(calendar_.now() + cycles); }
  ChannelClock clock(dram::Period units, dram::Period tck) const {
    return {.calendar = calendar_,
            .to_ck = dram::ClockRatio(units, tck),
            .to_wave = dram::ClockRatio(tck, units)};
  }
  Cycle now() const { return calendar_.now(); }

 private:
  support::Calendar calendar_{{}};
};

constexpr dram::Period kSame = dram::Period::of_mhz(1000);

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  unsigned below(unsigned limit) { return static_cast<unsigned>(generator_() % limit); }
  /// 1 to `most` of `ports` ports.
  Ports some(unsigned ports, unsigned most) {
    Ports all(ports);
    for (unsigned p = 0; p < ports; ++p) all[p] = p;
    std::ranges::shuffle(all, generator_);
    all.resize(1 + below(most));
    return all;
  }

 private:
  std::mt19937 generator_;
};

struct Connection {
  Ports inputs, outputs;
  MemCycle begin, end;
};

/// Drives random beats and compares the outputs with the connections of the model.
void expect_beats(RtlCrossbar& rtl, const std::vector<Connection>& made, MemCycle now,
                  Random& random) {
  std::array<std::uint8_t, RtlCrossbar::kPorts> sent{};
  std::array<std::uint8_t, RtlCrossbar::kPorts> expected{};
  std::array<bool, RtlCrossbar::kPorts> valid{};
  for (unsigned p = 0; p < sent.size(); ++p) {
    sent[p] = static_cast<std::uint8_t>(random.below(256));
    rtl.drive(p, sent[p]);
  }
  for (const Connection& c : made) {
    if (now < c.begin || now >= c.end) continue;
    for (const unsigned o : c.outputs) {
      valid[o] = true;
      for (const unsigned i : c.inputs) expected[o] |= sent[i];
    }
  }
  for (unsigned p = 0; p < expected.size(); ++p) {
    ASSERT_EQ(rtl.is_valid(p), valid[p]) << now << " output " << p;
    ASSERT_EQ(rtl.beat(p), expected[p]) << now << " output " << p;
  }
}

class RtlCrossbarTest : public ::testing::TestWithParam<unsigned> {};

TEST_P(RtlCrossbarTest, GrantsInTheCyclesOfTheModel) {
  const unsigned ports = GetParam();
  Time time;
  Random random(ports);
  foundation::StopOnFault faults;
  switching::Crossbar model(ports, "model", faults);
  switching::Crossbar crossbar(ports, "rtl", faults);
  RtlCrossbar rtl("rtl", {.ports = ports, .clock = time.clock(kSame, kSame)});
  crossbar.replace(rtl);
  std::vector<Connection> made;
  unsigned waited = 0;
  for (unsigned cycle = 0; cycle < 4000; ++cycle) {
    rtl.catch_up();
    // Several requests in a cycle, in bursts with pauses in which all ports become free.
    const bool pause = cycle % 1000 > 700;
    while (!pause && made.size() < 24 && random.below(3) != 0) {
      const Ports inputs = random.some(ports, random.below(4) == 0 ? 4 : 1);
      const Ports outputs = random.some(ports, random.below(3) == 0 ? ports : 1);
      const MemCycle earliest = time.now() + random.below(4) * random.below(20);
      MemCycle begin = earliest;
      for (const unsigned i : inputs) {
        for (const unsigned o : outputs) {
          const MemCycle ready = model.ready(i, o, begin);
          ASSERT_EQ(crossbar.ready(i, o, begin), ready) << cycle;
          begin = ready;
        }
      }
      waited += begin != earliest;
      begin += random.below(5) == 0 ? random.below(30) : 0;  // as if the pins were busy
      const MemCycle end = begin + random.below(40);
      model.connect(inputs, outputs, begin, end);
      crossbar.connect(inputs, outputs, begin, end);
      made.push_back({inputs, outputs, begin, end});
    }
    expect_beats(rtl, made, time.now(), random);
    if (HasFatalFailure()) return;
    std::erase_if(made, [&](const Connection& c) { return c.end <= time.now(); });
    time.pass(1);
  }
  EXPECT_GT(waited, 100u);
  EXPECT_EQ(crossbar.stats().connections, model.stats().connections);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RtlCrossbarTest, ::testing::Values(2, 5, 16));

/// The whole switch, with the pins that it shares with bursts of the host.
class RtlSwitchTest : public ::testing::TestWithParam<bool> {};

TEST_P(RtlSwitchTest, MovesInTheCyclesOfTheModel) {
  constexpr unsigned kChips = 8;
  constexpr MemCycle kLatency = 4;
  const bool halves = GetParam();
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  const dram::Period units = dram::Period::of_mhz(350);
  const dram::ClockRatio to_ck(units, timing.tck);
  Time time;
  Random random(halves);
  foundation::StopOnFault faults;
  ddr::DqLanes model_lanes(timing, 64, kChips, halves, "model");
  ddr::DqLanes rtl_lanes(timing, 64, kChips, halves, "rtl");
  switching::InterChipSwitch model(model_lanes, kLatency, "model.switch", faults);
  switching::InterChipSwitch chips(rtl_lanes, kLatency, "rtl.switch", faults);
  RtlCrossbar rtl("rtl", {.ports = kChips, .clock = time.clock(units, timing.tck)});
  chips.replace(rtl);
  for (unsigned i = 0; i < 3000; ++i) {
    time.pass(1 + random.below(i % 500 > 400 ? 400 : 20));
    const MemCycle earliest = to_ck.down(time.now()) + random.below(6);
    const std::uint64_t bytes = 8 + random.below(9) * 8;
    const Ports list = random.some(kChips, kChips - 1);
    const Ports others(list.begin() + 1, list.end());
    switching::InterChipSwitch::Transfer expected, got;
    if (random.below(6) == 0) {
      const auto direction =
          random.below(2) == 0 ? ddr::Direction::kFromChip : ddr::Direction::kToChip;
      expected.begin = model_lanes.take_burst(direction, earliest).begin;
      got.begin = rtl_lanes.take_burst(direction, earliest).begin;
    } else if (others.empty()) {
      const unsigned to = (list[0] + 1) % kChips;
      expected = model.transfer(list[0], to, bytes, earliest);
      got = chips.transfer(list[0], to, bytes, earliest);
    } else if (random.below(2) == 0) {
      expected = model.multicast(list[0], others, bytes, earliest);
      got = chips.multicast(list[0], others, bytes, earliest);
    } else {
      const Ports to = halves ? list : Ports{list[0]};
      const Ports& from = halves ? list : others;
      expected = model.reduce(from, to, bytes, 8, earliest);
      got = chips.reduce(from, to, bytes, 8, earliest);
    }
    ASSERT_EQ(got.begin, expected.begin) << i;
    ASSERT_EQ(got.arrived, expected.arrived) << i;
  }
  EXPECT_GT(model.stats().blocked, 500u);
  EXPECT_EQ(chips.stats().blocked_cycles, model.stats().blocked_cycles);
}

INSTANTIATE_TEST_SUITE_P(Pins, RtlSwitchTest, ::testing::Bool());

TEST(RtlCrossbarErrors, NameTheCrossbar) {
  Time time;
  const auto error = [](auto&& work) { return test::fault_of(work, {}, ""); };
  EXPECT_EQ(error([&] { RtlCrossbar("big", {.ports = 17, .clock = time.clock(kSame, kSame)}); }),
            "pim.crossbar: rtl joins up to 16 chips of a rank, pim.hierarchy has 17");
  foundation::StopOnFault faults;
  switching::Crossbar crossbar(4, "rank0.switch", faults);
  RtlCrossbar rtl("rank0.crossbar", {.ports = 4, .clock = time.clock(kSame, kSame)});
  crossbar.replace(rtl);
  crossbar.connect(1, 2, 10, 30);
  EXPECT_EQ(error([&] { crossbar.connect(1, 3, 29, 40); }),
            "rank0.switch: input 1 is connected until 30 and asked for at 29");
  EXPECT_EQ(error([&] { crossbar.connect(0, 2, 29, 40); }),
            "rank0.switch: output 2 is connected until 30 and asked for at 29");
  EXPECT_EQ(error([&] { crossbar.ready(0, 0, 1U << 20); }),
            "rank0.crossbar: cycle 1048576 of CK is asked for at 0: expected less than 1048576 "
            "cycles in advance");
  time.pass(40);
  rtl.catch_up();
  EXPECT_EQ(error([&] { crossbar.ready(0, 0, 39); }),
            "rank0.crossbar: cycle 39 of CK is asked for, and 40 has begun");
  for (unsigned i = 0; i < 32; ++i) crossbar.connect(0, 0, 50 + 2 * i, 51 + 2 * i);
  EXPECT_EQ(error([&] { crossbar.connect(1, 1, 50, 51); }),
            "rank0.crossbar: expected fewer connections at a time");
}

}  // namespace
}  // namespace tvp::rtl
