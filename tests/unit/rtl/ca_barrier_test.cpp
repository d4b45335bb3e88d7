// The RTL barrier controller compared with ddr::RankControl. Equal arrivals and commands on the bus
// must give the same cycle of release and the same number of words.

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <systemc>
#include <vector>

#include "Vca_barrier.h"
#include "models/ddr/ca_bus.h"
#include "models/ddr/ca_command.h"
#include "models/ddr/rank_control.h"

namespace tvp::rtl {
namespace {

using ddr::BarrierScheme;
using dram::MemCycle;
using sc_core::sc_signal;

/// The module, with a clock that the test toggles.
struct Bench {
  sc_signal<bool> clk{"clk"}, rst{"rst"}, broadcasts{"broadcasts"}, ca_busy{"ca_busy"};
  sc_signal<bool> ca_valid{"ca_valid"}, released{"released"}, twice{"twice"};
  sc_signal<std::uint32_t> request_cycles{"request_cycles"}, present{"present"}, arrive{"arrive"};
  sc_signal<std::uint32_t> ca_select{"ca_select"}, ca_payload{"ca_payload"};
  Vca_barrier rtl{"rtl"};

  Bench() {
    rtl.clk(clk);
    rtl.rst(rst);
    rtl.broadcasts(broadcasts);
    rtl.request_cycles(request_cycles);
    rtl.present(present);
    rtl.arrive(arrive);
    rtl.ca_busy(ca_busy);
    rtl.ca_valid(ca_valid);
    rtl.ca_select(ca_select);
    rtl.ca_payload(ca_payload);
    rtl.released(released);
    rtl.twice(twice);
  }
  static void settle() { sc_core::sc_start(1, sc_core::SC_PS); }
  void edge() {
    clk.write(true);
    settle();
    clk.write(false);
    settle();
  }
  void reset(unsigned ranks, unsigned request, bool by_broadcasts) {
    present.write((1U << ranks) - 1);
    request_cycles.write(request);
    broadcasts.write(by_broadcasts);
    arrive.write(0);
    rst.write(true);
    edge();
    rst.write(false);
    settle();
  }
};

Bench& bench() {
  static Bench* made = new Bench();
  return *made;
}

struct Case {
  unsigned ranks;
  unsigned request;
  BarrierScheme scheme;
  unsigned busy_percent;
};

class CaBarrier : public ::testing::TestWithParam<Case> {};

TEST_P(CaBarrier, ReleasesInTheCycleOfRankControl) {
  const Case& c = GetParam();
  Bench& b = bench();
  b.reset(c.ranks, c.request, c.scheme == BarrierScheme::kBroadcasts);
  const dram::Timing& timing = dram::find_preset("ddr4_2400")->timing;
  foundation::StopOnFault faults;
  ddr::CaBus bus(timing, c.ranks);
  ddr::RankControl control(bus, c.request, 64, "channel0", faults);
  std::mt19937 random(c.ranks * 100 + c.request);

  // The bus gets normal commands in advance, so that the model knows them when it plans.
  constexpr MemCycle kCycles = 3000;
  constexpr MemCycle kAhead = 200;
  std::vector<bool> busy(kCycles + kAhead);
  const auto plan = [&](MemCycle t) {
    busy[t] = random() % 100 < c.busy_percent;
    if (busy[t]) bus.issue(ddr::CaCommand::kRead, t);
  };
  for (MemCycle t = 0; t < kAhead; ++t) plan(t);
  std::uint32_t there = 0;
  constexpr MemCycle kNone = dram::kNeverMem;
  MemCycle expected = kNone;
  unsigned barriers = 0;
  unsigned words = 0;
  for (MemCycle t = 0; t < kCycles; ++t) {
    plan(t + kAhead);
    std::uint32_t arrive = 0;
    for (unsigned rank = 0; rank < c.ranks; ++rank) {
      if (expected != kNone || (there >> rank & 1) != 0 || random() % 20 != 0) continue;
      arrive |= 1U << rank;
      there |= 1U << rank;
      expected = control.arrive(rank, c.scheme, t).value_or(kNone);
    }
    b.arrive.write(arrive);
    b.ca_busy.write(busy[t]);
    Bench::settle();
    if (b.ca_valid.read()) {
      ++words;
      EXPECT_FALSE(busy[t]);
      // The pins as the ranks see them.
      const ddr::CaPins pins = ddr::encode(
          ddr::CaCommand::kPim, static_cast<std::uint8_t>(b.ca_select.read()), b.ca_payload.read());
      EXPECT_EQ(ddr::pim_payload(pins), b.ca_payload.read());
      const bool to_all = c.scheme == BarrierScheme::kController;
      EXPECT_EQ(static_cast<unsigned>(std::popcount(b.ca_select.read())),
                to_all ? c.ranks : c.ranks - 1);
    }
    EXPECT_EQ(b.released.read(), expected == t) << t;
    if (b.released.read()) {
      ++barriers;
      expected = kNone;
      there = 0;
    }
    b.edge();
  }
  EXPECT_GT(barriers, 15u);
  const unsigned in_flight = c.scheme == BarrierScheme::kBroadcasts ? c.ranks : 1;
  EXPECT_LE(words, bus.stats().pim_slots);
  EXPECT_GE(words + in_flight, bus.stats().pim_slots);
  EXPECT_FALSE(b.twice.read());
}

INSTANTIATE_TEST_SUITE_P(Cases, CaBarrier,
                         ::testing::Values(Case{2, 1, BarrierScheme::kController, 0},
                                           Case{4, 10, BarrierScheme::kController, 30},
                                           Case{8, 32, BarrierScheme::kController, 80},
                                           Case{2, 3, BarrierScheme::kBroadcasts, 0},
                                           Case{4, 10, BarrierScheme::kBroadcasts, 50},
                                           Case{8, 20, BarrierScheme::kBroadcasts, 80}));

TEST(CaBarrierErrors, ARankThatComesTwiceIsNoticed) {
  Bench& b = bench();
  b.reset(4, 5, false);
  b.ca_busy.write(false);
  b.arrive.write(0b0010);
  Bench::settle();
  b.edge();
  EXPECT_FALSE(b.twice.read());
  b.edge();
  EXPECT_TRUE(b.twice.read());
}

}  // namespace
}  // namespace tvp::rtl
