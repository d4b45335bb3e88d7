// A mesh in each chip, the switch between chips, the bus between ranks: reachable units, use of the
// pins, and times.

#include "models/pim/network/tiered_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "tests/support/fault_of.h"

namespace tvp::pim::tiered_network_test {
namespace {

using support::Cycle;

struct Listener : NetworkEndpoint {
  void deliver(const Packet& packet, Cycle when) override {
    packets.push_back(packet);
    times.push_back(when);
  }
  void injection_credit(Cycle) override {}
  void lost(const Packet& packet, const std::string&) override { lost_packets.push_back(packet); }
  std::uint64_t tag_of_copy(const Packet& packet, unsigned destination) override {
    return packet.tag + destination;
  }
  void combined(const Packet&, std::span<const std::uint8_t> result) override {
    results.emplace_back(result.begin(), result.end());
  }
  void absorbed(const Packet&) override { ++absorbed_packets; }
  std::vector<Packet> packets;
  std::vector<Cycle> times;
  std::vector<Packet> lost_packets;
  std::vector<std::vector<std::uint8_t>> results;
  unsigned absorbed_packets = 0;
};

/// Two banks per chip, two chips per rank, two ranks per channel, two channels.
struct Bench {
  explicit Bench(const char* switch_cycles = "4", const char* request_cycles = "8") {
    config.network.set("tiers");
    config.switch_cycles.set(switch_cycles);
    config.bus_request_cycles.set(request_cycles);
    mesh.width.set("2");
    mesh.height.set("1");
    make();
  }
  void make(const char* levels = "bank=2 chip=2 rank=2 channel=2") {
    const PimHierarchy hierarchy = PimHierarchy::parse(levels);
    channels =
        std::make_unique<ChannelArray>(config, hierarchy, *dram::find_preset("ddr4_2400"), faults);
    network = std::make_unique<TieredNetwork>(config, mesh, hierarchy, *channels, calendar);
    units = std::vector<Listener>(16);
    for (unsigned unit = 0; unit < 16; ++unit) network->connect(unit, units[unit]);
  }
  void send(unsigned from, unsigned to, Cycle when, std::uint64_t tag = 7) {
    network->inject({.source = from, .destination = to, .payload = payload, .tag = tag}, when);
  }
  /// Sends from both units of chip 0 to those of chip 1, as fast as its mesh accepts.
  void feed(unsigned packets) {
    for (unsigned i = 0; i < packets;) {
      calendar.run_until(calendar.now() + 1);
      for (const unsigned unit : {0U, 1U}) {
        const Packet packet{.source = unit, .destination = 2 + unit, .payload = payload};
        if (i == packets || !network->may_inject(packet)) continue;
        send(unit, 2 + unit, calendar.now());
        ++i;
      }
    }
  }
  /// Time of one packet on an empty network, from injection to delivery.
  Cycle time(unsigned from, unsigned to) {
    const Cycle begin = calendar.now() + 100;
    units[to] = Listener{};
    send(from, to, begin);
    calendar.run_until(begin + 10000);
    network->check_at_end();
    EXPECT_EQ(units[to].packets.size(), 1U);
    return units[to].times.empty() ? 0 : units[to].times[0] - begin;
  }

  foundation::StopOnFault faults;
  PimConfig config;
  mesh::MeshConfig mesh;
  support::Calendar calendar{lookahead(config)};
  std::vector<std::uint8_t> payload = std::vector<std::uint8_t>(64, 42);
  std::vector<Listener> units = std::vector<Listener>(16);
  std::unique_ptr<ChannelArray> channels;
  std::unique_ptr<TieredNetwork> network;
};

TEST(TieredNetwork, BringsAPacketWholeToWhomItIsFor) {
  Bench bench;
  for (unsigned from = 0; from < 16; ++from) {
    for (unsigned to = 0; to < 16; ++to) {
      if (from == to) continue;
      bench.time(from, to);
      const Packet& packet = bench.units[to].packets.at(0);
      EXPECT_EQ(packet.source, from);
      EXPECT_EQ(packet.destination, to);
      EXPECT_EQ(packet.tag, 7U);
      EXPECT_TRUE(std::ranges::equal(packet.payload, bench.payload));
    }
  }
}

TEST(TieredNetwork, TakesThePinsOfBothChips) {
  Bench bench;
  bench.time(0, 1);
  EXPECT_EQ(bench.network->lanes(0).stats(0).bytes, 0U);
  // 64 B and a header of 8 B on 32 of the 64 pins, two beats per cycle: 9 cycles.
  bench.time(0, 2);
  for (unsigned chip : {0U, 1U}) {
    EXPECT_EQ(bench.network->lanes(0).stats(chip).bytes, 72U);
    EXPECT_EQ(bench.network->lanes(0).stats(chip).busy, 9U);
  }
  bench.time(3, 6);  // chip 1 of rank 0 to chip 1 of rank 1
  EXPECT_EQ(bench.network->lanes(0).stats(1).bytes, 144U);
  EXPECT_EQ(bench.network->lanes(1).stats(1).bytes, 72U);
  EXPECT_EQ(bench.network->stats().packets_between_chips, 1U);
  EXPECT_EQ(bench.network->stats().packets_between_ranks, 1U);
}

TEST(TieredNetwork, TakesLongerTheFurtherItGoes) {
  // 240 cycles of 1200 MHz are 70 of 350 MHz.
  EXPECT_NEAR(static_cast<double>(Bench("244").time(0, 2) - Bench("4").time(0, 2)), 70, 1);
  EXPECT_NEAR(static_cast<double>(Bench("4", "248").time(0, 4) - Bench("4", "8").time(0, 4)), 70,
              1);
  Bench bench;
  EXPECT_LT(bench.time(0, 1), bench.time(0, 2));
  EXPECT_LT(bench.time(0, 2), bench.time(0, 4));
  // The way back takes the same time, apart from the edges of the two clocks.
  EXPECT_NEAR(static_cast<double>(bench.time(0, 2)), static_cast<double>(bench.time(2, 0)), 1);
}

// 64 B and a header of 8 B take 1 + 36 words; on the data bus they take two words and 5 cycles.
// Both variants leave the chip, enter the other one and wait for the request line in the same way.
TEST(TieredNetwork, CarriesAPacketAsPimWords) {
  Bench data;
  Bench command;
  command.config.rank_messages.set("command");
  command.make();
  const Cycle by_data = data.time(0, 4);
  const Cycle by_words = command.time(0, 4);
  EXPECT_EQ(data.channels->count(), 2U);
  EXPECT_EQ((*data.channels)[0].commands.stats().pim_slots, 2U);
  EXPECT_EQ((*command.channels)[0].commands.stats().pim_slots, 37U);
  EXPECT_EQ((*command.channels)[0].data.stats(0).bytes, 0U);
  EXPECT_EQ(command.network->stats().packets_as_commands, 1U);
  // 37 slots instead of 2 slots and 5 cycles: 30 cycles of 1200 MHz are 8.75 of 350 MHz.
  EXPECT_NEAR(static_cast<double>(by_words - by_data), 8.75, 1);
  // A message that does not fit a mailbox takes the data bus.
  command.config.mailbox_bytes.set("71");
  command.make();
  command.time(0, 4);
  EXPECT_EQ(command.network->stats().packets_as_commands, 0U);
  EXPECT_EQ((*command.channels)[0].data.stats(0).bytes, 72U);
}

TEST(TieredNetwork, LetsTransfersToOneChipWaitForEachOther) {
  Bench bench;
  // Units 0 and 1 share the pins of their chip, so the second packet is 9 cycles of 1200 MHz later.
  bench.send(0, 2, 100);
  bench.send(1, 3, 100);
  bench.calendar.run_until(10000);
  bench.network->check_at_end();
  ASSERT_EQ(bench.units[2].times.size(), 1U);
  ASSERT_EQ(bench.units[3].times.size(), 1U);
  EXPECT_NE(bench.units[2].times[0], bench.units[3].times[0]);
}

// Pins move one byte per cycle. A packet takes 72 cycles, 21 of 350 MHz, and the mesh brings the
// next one after 9. Packets of a chip request its pins one by one. A read of the host that comes
// while they queue waits for two packets, not for all.
TEST(TieredNetwork, LetsOthersHaveThePinsBetweenTwoPackets) {
  Bench bench;
  bench.config.dq_pins.set("8");
  bench.make();
  bench.feed(20);
  EXPECT_GE(bench.network->stats().most_leaving, 4U);
  EXPECT_LT(bench.network->stats().packets_between_chips, 14U);
  const dram::MemCycle now = (bench.calendar.now() * 24 + 6) / 7;
  const auto burst = bench.channels->rank(0).lanes.take_burst(ddr::Direction::kFromChip, now);
  EXPECT_LE(burst.begin, now + 2 * 72 + 4 + 2);
  bench.calendar.run_until(10000);
  bench.network->check_at_end();
  EXPECT_EQ(bench.units[2].packets.size() + bench.units[3].packets.size(), 20U);
  EXPECT_GT(bench.network->stats().waited_to_leave, 0U);
}

// The packets are back to back on the pins and at their target: 72 cycles of 1200 MHz.
TEST(TieredNetwork, LeavesNoHolesOnThePins) {
  Bench bench;
  bench.config.dq_pins.set("8");
  bench.make();
  bench.feed(20);
  bench.calendar.run_until(10000);
  const Cycle first = std::min(bench.units[2].times.front(), bench.units[3].times.front());
  const Cycle last = std::max(bench.units[2].times.back(), bench.units[3].times.back());
  // Unit 3 is a router further from the pins than unit 2: 4 cycles. A gap of one cycle per packet
  // would be 19.
  EXPECT_NEAR(static_cast<double>(last - first), 19 * 72 * 7.0 / 24, 4 + 2);
}

TEST(TieredNetwork, KeepsTheOrderOfAPair) {
  Bench bench;
  for (std::uint64_t tag = 0; tag < 4; ++tag) bench.send(1, 6, 100, tag);
  bench.calendar.run_until(10000);
  ASSERT_EQ(bench.units[6].packets.size(), 4U);
  for (std::uint64_t tag = 0; tag < 4; ++tag) EXPECT_EQ(bench.units[6].packets[tag].tag, tag);
}

// --- Between channels ---

/// Time of one packet from the first to the last unit with a setting.
Cycle time_across(const char* levels, const char* sync_cycles, const char* gb_s) {
  Bench bench;
  bench.config.host_sync_cycles.set(sync_cycles);
  bench.config.forward_gb_s.set(gb_s);
  bench.make(levels);
  return bench.time(0, 15);
}

TEST(TieredNetwork, TakesTheBusesOfBothChannelsAndTheHost) {
  Bench bench;
  bench.time(1, 14);
  for (unsigned channel : {0U, 1U}) {
    EXPECT_EQ((*bench.channels)[channel].data.stats(0).bytes, 72U);
    EXPECT_EQ((*bench.channels)[channel].commands.stats().pim_slots, 2U);
  }
  EXPECT_EQ(bench.network->stats().packets_between_channels, 1U);
  EXPECT_EQ(bench.network->stats().packets_between_ranks, 0U);
  EXPECT_EQ(bench.network->host().stats(0).bytes, 72U);
  EXPECT_EQ(bench.network->host().stats(1).packets, 0U);
}

/// The host announces a packet with two words. It queues behind other words on the bus and is in
/// the chip after them. Then come 5 cycles of data, 4 of the switch and 9 of the pins, in edges of
/// the bus. The mesh of the chip adds a constant time in the units' clock.
TEST(TieredNetwork, WaitsForTheWordsThatAnnounceIt) {
  std::set<Cycle> mesh;
  for (unsigned words = 6000; words < 6024; ++words) {  // all distances of the two clocks' edges
    Bench bench;
    bench.config.forward_gb_s.set("72");
    bench.make();
    (*bench.channels)[1].commands.issue_pim(words, 0);
    bench.send(0, 8, 10);
    bench.calendar.run_until(10000);
    ASSERT_EQ(bench.units[8].times.size(), 1U);
    mesh.insert(bench.units[8].times[0] - ((words + 2 + 5 + 4 + 9) * 7 + 23) / 24);
  }
  EXPECT_EQ(mesh.size(), 1U) << *mesh.begin() << ".." << *mesh.rbegin();
}

TEST(TieredNetwork, CrossesEveryLevelOutsideTheChannel) {
  // 240 cycles of 1200 MHz are 70 of 350 MHz, once to another channel, twice to another socket.
  const char* const channels = "bank=2 chip=2 rank=2 channel=2";
  const char* const sockets = "bank=2 chip=2 rank=1 channel=2 socket=2";
  const auto more = [](const char* levels) {
    return static_cast<double>(time_across(levels, "240", "6.5")) -
           static_cast<double>(time_across(levels, "0", "6.5"));
  };
  EXPECT_NEAR(more(channels), 70, 1);
  EXPECT_NEAR(more(sockets), 140, 1);
  // DIMMs of a channel are on its bus.
  EXPECT_EQ(more("bank=2 chip=2 rank=2 dimm=2"), 0);
}

TEST(TieredNetwork, CopiesAtThePaceOfTheHost) {
  // 72 bytes at 0.072 GB/s are 1000 ns, 350 cycles.
  const char* const levels = "bank=2 chip=2 rank=2 channel=2";
  const auto slow = static_cast<double>(time_across(levels, "0", "0.072"));
  EXPECT_NEAR(slow - static_cast<double>(time_across(levels, "0", "72")), 350 - 0.35, 1);
}

TEST(TieredNetwork, HasAThreadOfTheHostForEachChannel) {
  Bench bench;
  bench.config.forward_gb_s.set("0.072");
  bench.make();
  for (unsigned i = 0; i < 4; ++i) {
    bench.send(0, 8, 100);
    bench.send(8, 0, 100);
  }
  bench.calendar.run_until(10000);
  bench.network->check_at_end();
  for (unsigned unit : {0U, 8U}) {
    ASSERT_EQ(bench.units[unit].times.size(), 4U);
    for (unsigned i = 1; i < 4; ++i) {
      EXPECT_NEAR(static_cast<double>(bench.units[unit].times[i] - bench.units[unit].times[i - 1]),
                  350, 1);
    }
  }
  // The other packets wait while the first one is copied.
  EXPECT_EQ(bench.network->host().stats(0).most_queued, 3U);
}

/// Two banks per chip, four chips per rank: unit b of chip c is 2 c + b.
struct SwitchBench : Bench {
  explicit SwitchBench(const char* halves = "true") {
    config.dq_halves.set(halves);
    make("bank=2 chip=4 rank=2");
  }
  /// Unit `unit` of each chip in `from` sends its operand, some cycles apart.
  Cycle reduce(unsigned unit, SwitchOrder order, Cycle begin) {
    for (unsigned chip = 0; chip < 4; ++chip) {
      if ((order.from_chips >> chip & 1) == 0) continue;
      const unsigned from = 2 * chip + unit;
      calendar.run_until(begin += 7);
      network->inject({.source = from,
                       .destination = from,
                       .payload = operands.at(chip),
                       .tag = from,
                       .order = order},
                      begin);
    }
    calendar.run_until(begin + 1000);
    return begin;
  }
  static SwitchOrder sum(std::uint32_t from, std::uint32_t to) {
    return {.kind = SwitchOrder::Kind::kReduce, .from_chips = from, .to_chips = to};
  }
  // int32: 1, 10, 100, 1000 in each element.
  std::vector<std::vector<std::uint8_t>> operands = [] {
    std::vector<std::vector<std::uint8_t>> all;
    for (const std::uint32_t value : {1U, 10U, 100U, 1000U}) {
      std::vector<std::uint8_t>& bytes = all.emplace_back();
      for (unsigned i = 0; i < 64; ++i)
        bytes.push_back(static_cast<std::uint8_t>(value >> i % 4 * 8));
    }
    return all;
  }();
};

TEST(TieredNetwork, MulticastsForTheBeatsOfOne) {
  SwitchBench bench("false");
  const SwitchOrder order{.kind = SwitchOrder::Kind::kMulticast, .to_chips = 0b1101};
  bench.network->inject(
      {.source = 3, .destination = 1, .payload = bench.payload, .tag = 100, .order = order}, 10);
  bench.calendar.run_until(1000);
  bench.network->check_at_end();
  std::vector<Cycle> times;
  for (const unsigned to : {1U, 5U, 7U}) {
    ASSERT_EQ(bench.units[to].packets.size(), 1U) << to;
    EXPECT_EQ(bench.units[to].packets[0].tag, 100U + to);
    EXPECT_EQ(bench.units[to].packets[0].source, 3U);
    times.push_back(bench.units[to].times[0]);
  }
  EXPECT_EQ(times, std::vector<Cycle>(3, times[0]));
  for (unsigned chip = 0; chip < 4; ++chip)
    EXPECT_EQ(bench.network->lanes(0).stats(chip).bytes, 72U) << chip;
  EXPECT_EQ(bench.network->stats().multicasts, 1U);
}

TEST(TieredNetwork, CombinesWhatSeveralChipsSend) {
  SwitchBench bench;
  const Cycle last = bench.reduce(1, SwitchBench::sum(0b1011, 0b1001), 10);
  bench.network->check_at_end();
  std::vector<std::uint8_t> sum;
  for (unsigned i = 0; i < 64; ++i) sum.push_back(static_cast<std::uint8_t>(1011U >> i % 4 * 8));
  for (const unsigned to : {1U, 7U}) {
    ASSERT_EQ(bench.units[to].packets.size(), 1U);
    EXPECT_EQ(bench.units[to].packets[0].tag, to);
    EXPECT_GT(bench.units[to].times[0], last);
    EXPECT_EQ(bench.units[to].results, std::vector<std::vector<std::uint8_t>>{sum});
  }
  EXPECT_EQ(bench.units[1].times, bench.units[7].times);
  EXPECT_TRUE(bench.units[3].packets.empty());
  EXPECT_EQ(bench.units[3].absorbed_packets, 1U);
  EXPECT_EQ(bench.network->stats().reductions, 1U);
  // From three chips to two, 72 B each.
  std::uint64_t bytes = 0;
  for (unsigned chip = 0; chip < 4; ++chip) bytes += bench.network->lanes(0).stats(chip).bytes;
  EXPECT_EQ(bytes, 5U * 72);
}

TEST(TieredNetwork, ReductionsOfDifferentUnitsDoNotWaitForEachOther) {
  SwitchBench bench;
  const auto inject = [&](unsigned from, std::uint32_t number) {
    SwitchOrder order = SwitchBench::sum(0b0011, 0b0011);
    order.number = number;
    bench.calendar.run_until(bench.calendar.now() + 20);
    bench.network->inject({.source = from,
                           .destination = from,
                           .payload = bench.operands[0],
                           .tag = from,
                           .order = order},
                          bench.calendar.now());
  };
  // Chip 0 begins with unit 0, chip 1 with unit 1; the other's first unit must not delay them.
  inject(0, 0);
  inject(3, 0);
  inject(1, 0);
  bench.calendar.run_until(bench.calendar.now() + 500);
  EXPECT_EQ(bench.units[1].packets.size(), 1U);
  EXPECT_EQ(bench.units[3].packets.size(), 1U);
  EXPECT_TRUE(bench.units[0].packets.empty());
  bench.network->check_conservation();
  EXPECT_THROW(bench.network->check_at_end(), foundation::Fault);
  inject(2, 0);
  bench.calendar.run_until(bench.calendar.now() + 500);
  bench.network->check_at_end();
}

TEST(TieredNetwork, ReductionsThatDisagreeAreAFault) {
  SwitchBench bench;
  const auto inject = [&](unsigned from, std::uint8_t op) {
    SwitchOrder order = SwitchBench::sum(0b0011, 0b0011);
    order.op = op;
    bench.network->inject(
        {.source = from, .destination = from, .payload = bench.operands[0], .order = order}, 10);
  };
  inject(0, 0);
  inject(2, 1);
  EXPECT_TRUE(tvp::test::faults([&] { bench.calendar.run_until(1000); },
                                foundation::FaultKind::kFirmware,
                                {"another op, type, length or set of chips"}));
}

TEST(TieredNetwork, SaysWhatTheSwitchDoesNotDo) {
  SwitchBench bench;
  const auto has = [&](const SwitchOrder& order, const char* text) {
    const std::string refusal = bench.network->refusal(2, order);  // chip 1
    EXPECT_NE(refusal.find(text), std::string::npos) << refusal;
  };
  const auto cast = SwitchOrder::Kind::kMulticast;
  EXPECT_EQ(bench.network->refusal(2, SwitchBench::sum(0b1111, 0b1111)), "");
  has(SwitchBench::sum(0b1101, 0b0001), "the own chip");
  has(SwitchBench::sum(0b0011, 0b1000), "send something");
  has(SwitchBench::sum(0b0011, 0b10000), "chips 0 to 3");
  has({.kind = cast, .to_chips = 0}, "chips 0 to 3");
  has({.kind = cast, .to_chips = 0b0010}, "other than the own chip");
  has({.kind = cast, .ranges = true, .to_chips = 1}, "one bit for each of chips 0 to 3");
  SwitchBench whole("false");
  EXPECT_NE(whole.network->refusal(2, SwitchBench::sum(0b11, 0b11)).find("pim.dq_halves=true"),
            std::string::npos);
}

/// All units send to each other as fast as possible, over gateways and buffers of one place.
/// Everything must arrive, and no queue may exceed its limit.
TEST(TieredNetwork, WaitsForPlacesAndNeverInACircle) {
  const auto run = [](const char* places, Cycle& end) {
    Bench bench;
    bench.config.gateway_packets.set(places);
    bench.config.buffer_packets.set(places);
    bench.make("bank=2 chip=2 rank=2 channel=2");
    std::vector<std::vector<unsigned>> left(16);
    for (unsigned from = 0; from < 16; ++from) {
      for (unsigned k = 0; k < 20 * 15; ++k) left[from].push_back((from + 1 + k % 15) % 16);
    }
    const auto& calendar = bench.calendar;
    for (bool any = true; any && calendar.now() < 200'000;) {
      bench.calendar.run_until(calendar.now() + 1);
      any = false;
      for (unsigned from = 0; from < 16; ++from) {
        any |= !left[from].empty();
        if (left[from].empty()) continue;
        const Packet packet{
            .source = from, .destination = left[from].back(), .payload = bench.payload};
        if (!bench.network->may_inject(packet)) continue;
        bench.network->inject(packet, calendar.now());
        left[from].pop_back();
      }
      bench.network->check_conservation();
    }
    bench.calendar.run_until(calendar.now() + 20'000);
    bench.network->check_at_end();
    end = 0;
    for (const Listener& unit : bench.units) {
      EXPECT_EQ(unit.packets.size(), 20U * 15);
      for (const Cycle when : unit.times) end = std::max(end, when);
    }
    return bench.network->stats();
  };
  Cycle narrow = 0;
  Cycle wide = 0;
  const TieredNetwork::Stats few = run("1", narrow);
  EXPECT_LE(few.most_queued, 1U);
  EXPECT_LE(few.most_leaving, 1U);
  EXPECT_LE(few.most_in_buffer, 1U);
  const TieredNetwork::Stats many = run("1000", wide);
  EXPECT_GT(many.most_leaving + many.most_in_buffer, 20U);
  EXPECT_LT(wide, narrow);
}

// A unit has a limited number of packets that wait to be combined, independently of others.
TEST(TieredNetwork, AUnitWaitsForPlacesToCombine) {
  SwitchBench bench;
  bench.config.gateway_reductions.set("2");
  bench.make("bank=2 chip=4 rank=2");
  const auto may = [&](unsigned unit, std::uint32_t number) {
    SwitchOrder order = SwitchBench::sum(0b0011, 0b0011);
    order.number = number;
    const Packet packet{
        .source = unit, .destination = unit, .payload = bench.operands[0], .order = order};
    bench.calendar.run_until(bench.calendar.now() + 50);
    if (!bench.network->may_inject(packet)) return false;
    bench.network->inject(packet, bench.calendar.now());
    return true;
  };
  EXPECT_TRUE(may(0, 0));
  EXPECT_TRUE(may(0, 1));
  EXPECT_FALSE(may(0, 2));
  EXPECT_TRUE(may(1, 0));  // its own places
  EXPECT_TRUE(may(2, 0));  // completes the first one of unit 0
  bench.calendar.run_until(bench.calendar.now() + 200);
  EXPECT_TRUE(may(0, 2));
  EXPECT_TRUE(may(2, 1));
  EXPECT_TRUE(may(2, 2));
  EXPECT_TRUE(may(3, 0));
  bench.calendar.run_until(bench.calendar.now() + 1000);
  bench.network->check_at_end();
}

TEST(TieredNetwork, RefusesPinsThatCannotBeSharedOut) {
  PimConfig config;
  config.dq_pins.set("65");
  config.network.set("tiers");
  foundation::StopOnFault faults;
  EXPECT_TRUE(tvp::test::faults(
      [&] {
        [[maybe_unused]] const ChannelArray refused(config, PimHierarchy::parse("bank=2 chip=2"),
                                                    *dram::find_preset("ddr4_2400"), faults);
      },
      foundation::FaultKind::kDescription, {"65 DQ pins cannot be divided into 2 channels"}));
}

}  // namespace
}  // namespace tvp::pim::tiered_network_test
