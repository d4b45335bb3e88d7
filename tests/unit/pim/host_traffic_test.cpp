// The host's accesses on the pins of PIM traffic. DDR4-2400: CL 17, CWL 12, bursts of 4 cycles, 2
// idle cycles after a change of direction, 1 after a change of rank.

#include "models/pim/host/host_traffic.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "foundation/fault.h"
#include "tests/support/fault_of.h"

namespace tvp::pim::host_traffic_test {
namespace {

using dram::MemCycle;
using support::Cycle;
using enum dram::DramCommand;

struct Company : Activity {
  bool busy(Cycle now) const override { return now < end; }
  bool host_owns(unsigned rank, unsigned bank) const override {
    return owned.contains({rank, bank});
  }
  Cycle end = 0;
  std::set<std::pair<unsigned, unsigned>> owned;
};

/// Two chips of two banks in each of two ranks of a channel. The channel has 32 pins; a chip moves
/// 8 B per cycle.
struct Bench {
  Bench() { pim.network.set("tiers"); }
  void make() {
    channels = std::make_unique<ChannelArray>(pim, PimHierarchy::parse("bank=2 chip=2 rank=2"),
                                              *dram::find_preset("ddr4_2400"), faults);
    pins = std::make_unique<HostPins>((*channels)[0]);
    traffic = std::make_unique<HostTraffic>(config, pim, *channels, calendar, company);
  }
  MemoryChannel& channel() { return (*channels)[0]; }
  void run(Cycle cycles) {
    company.end = calendar.now() + cycles;
    traffic->start(calendar.now());
    calendar.run_until(company.end + 5000);
    traffic->check_at_end();
  }

  foundation::StopOnFault faults;
  PimConfig pim;
  HostTrafficConfig config;
  support::Calendar calendar{lookahead(pim)};
  Company company;
  std::unique_ptr<ChannelArray> channels;
  std::unique_ptr<HostPins> pins;
  std::unique_ptr<HostTraffic> traffic;
};

TEST(HostPins, ReadsWaitForTransfersBetweenChips) {
  Bench bench;
  bench.make();
  // 80 B take 10 cycles on the pins of chip 0 from 100 on, and of chip 1 from 104 on.
  bench.channel().ranks[0]->crossbar.transfer(0, 1, 80, 100);
  // Chip 1 receives until 114 and then turns round.
  EXPECT_EQ(bench.pins->take(kRead, 0, 90), 114 + 2 - 17U);
  // The other rank's pins are free; the data bus is free from 116 + 4 on, and the rank changes.
  EXPECT_EQ(bench.pins->take(kRead, 1, 90), 120 + 1 - 17U);
  // Rows open and close without data.
  EXPECT_EQ(bench.pins->take(kActivate, 0, 90), 90U);
}

TEST(HostPins, TransfersWaitForReadsAndWrites) {
  Bench bench;
  bench.make();
  EXPECT_EQ(bench.pins->take(kWrite, 0, 100), 100U);  // data from 112 to 116, to the chips
  EXPECT_EQ(bench.channel().ranks[0]->crossbar.transfer(0, 1, 80, 100).begin, 116 + 2U);
  // The bus between the ranks has received from the controller, and now receives from a rank.
  EXPECT_EQ(bench.channel().take_data(0, 64, 100).begin, 116 + 2U);
}

TEST(HostPins, WordsAndCommandsShareTheSlots) {
  Bench bench;
  bench.make();
  EXPECT_EQ(bench.channel().commands.issue_pim(3, 50), 50U);
  EXPECT_EQ(bench.pins->take(kPrecharge, 0, 50), 53U);
  EXPECT_EQ(bench.pins->take(kRead, 0, 52), 54U);
  EXPECT_EQ(bench.channel().commands.issue_pim(1, 53), 55U);
}

TEST(HostTraffic, AloneHasTheTimesOfTheBanks) {
  Bench bench;
  bench.config.pattern.set("stream");
  bench.config.outstanding.set("1");
  bench.config.working_set_bytes.set("1024");  // a burst in each of 16 banks
  bench.make();
  bench.run(7000);
  const auto& totals = bench.traffic->totals(0);
  // Open rows take CL + BL/2 + 2; refreshes close them, which the tail shows.
  EXPECT_EQ(totals.read_latency.percentile(0.5), 17 + 4 + 2U);
  EXPECT_GT(totals.read_latency.max(), 420U);
  EXPECT_EQ(bench.channel().ranks[0]->lanes.stats(0).bytes,
            0U);  // a rank at the side has its own pins
  EXPECT_EQ(bench.channel().data.stats(0).bytes, totals.bytes);
}

TEST(HostTraffic, ReachesTheRateOfTheBus) {
  Bench bench;
  bench.config.pattern.set("stream");
  bench.config.outstanding.set("64");
  bench.make();
  bench.run(35000);  // 100 us
  const auto& totals = bench.traffic->totals(0);
  const double gb_per_s =
      static_cast<double>(totals.bytes) / (static_cast<double>(totals.active) / 1.2);
  // 19.2 GB/s minus refresh, 420 of 9360 cycles.
  EXPECT_LT(gb_per_s, 19.2 * (1 - 420.0 / 9360) * 1.01);
  EXPECT_GT(gb_per_s, 17.4);
}

TEST(HostTraffic, OpenLoopKeepsItsRate) {
  Bench bench;
  bench.config.pattern.set("random");
  bench.config.rate_per_ns.set("0.05");
  bench.config.read_share.set("0.7");
  bench.make();
  bench.run(35000);
  const auto& totals = bench.traffic->totals(0);
  const auto reads = static_cast<double>(totals.read_latency.count());
  const auto writes = static_cast<double>(totals.write_latency.count());
  EXPECT_NEAR(reads + writes, 0.05 * 100000, 10);
  EXPECT_NEAR(reads / (reads + writes), 0.7, 0.03);
}

TEST(HostTraffic, KeepsToBanksOfTheHost) {
  Bench bench;
  bench.config.pattern.set("stream");
  bench.config.target.set("host_banks");
  bench.company.owned = {{1, 3}, {1, 9}};
  bench.make();
  bench.run(3500);
  EXPECT_GT(bench.channel().ranks[1]->lanes.stats(0).bytes, 0U);
  EXPECT_EQ(bench.channel().ranks[0]->lanes.stats(0).bytes, 0U);
  // Half of all on each of the chips' pins.
  EXPECT_EQ(bench.channel().ranks[1]->lanes.stats(0).bytes * 2, bench.traffic->totals(0).bytes);
}

/// A stream uses all allowed banks in turn. Their rows open equally often, and no other rows open.
TEST(HostTraffic, UsesEveryBankOfTheHostAlike) {
  for (unsigned banks = 1; banks <= 16; ++banks) {
    Bench bench;
    bench.config.pattern.set("stream");
    bench.config.target.set("host_banks");
    bench.config.outstanding.set("1");
    // A burst of 64 bytes in each of them, and again: none is opened twice.
    bench.config.working_set_bytes.set(std::to_string(64 * banks));
    for (unsigned bank = 0; bank < banks; ++bank) bench.company.owned.insert({1, bank});
    bench.make();
    bench.run(2500);  // in front of the first refresh
    EXPECT_EQ(bench.traffic->stats(0).commands[index_of(kActivate)], banks) << banks;
  }
}

TEST(HostTraffic, RefusesToRunWithoutABank) {
  Bench bench;
  bench.config.pattern.set("stream");
  bench.config.target.set("host_banks");
  bench.make();
  EXPECT_TRUE(tvp::test::faults([&] { bench.run(100); }, foundation::FaultKind::kDescription,
                                {"host_traffic.target: host_banks needs a bank"}));
}

/// Latency of reads while chip 0 sends to chip 1 without a pause, 72 B at a time.
TEST(HostTraffic, LatencyGrowsWithTransfersBetweenChips) {
  const auto mean = [](bool transfers) {
    struct Sender : support::EventTarget {
      explicit Sender(Bench& b) : bench(b) {}
      void fire(Cycle now, std::uint64_t) override {
        const MemCycle at = (now * 24 + 6) / 7;
        bench.channel().ranks[0]->crossbar.transfer(0, 1, 72, at);
        if (now < 10000) bench.calendar.post(now + 3, {.phase = 1}, *this, 0);
      }
      Bench& bench;
    };
    Bench bench;
    bench.config.pattern.set("stream");
    bench.config.target.set("host_banks");
    bench.config.outstanding.set("1");
    for (unsigned bank = 0; bank < 16; ++bank) bench.company.owned.insert({0, bank});
    bench.make();
    Sender sender(bench);
    if (transfers) bench.calendar.post(1, {.phase = 1}, sender, 0);
    bench.run(9000);
    return bench.traffic->totals(0).read_latency.mean();
  };
  const double alone = mean(false);
  const double loaded = mean(true);
  // A transfer takes 9 of 10.3 cycles and its turn-around 2. A read waits for at least one transfer
  // and for earlier requests.
  EXPECT_GT(loaded, alone + 9);
}

TEST(HostTraffic, IsTheSameEachTimeWithTheSameSeed) {
  const auto sum_of = [](const char* seed) {
    Bench bench;
    bench.config.pattern.set("random");
    bench.config.seed.set(seed);
    bench.make();
    bench.run(5000);
    return bench.traffic->totals(0).bytes * 100000 + bench.traffic->totals(0).read_latency.max();
  };
  for (const char* seed : {"0", "77", "18446744073709551615"})
    EXPECT_EQ(sum_of(seed), sum_of(seed));
  EXPECT_NE(sum_of("0"), sum_of("77"));
}

}  // namespace
}  // namespace tvp::pim::host_traffic_test
