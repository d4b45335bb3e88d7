// Stops on a test network that delivers packets in any order.

#include "models/pim/network/stop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "models/support/tile_scheduler.h"
#include "tests/support/fault_of.h"
#include "tests/unit/pim/register_rules.h"

namespace tvp::pim::stop_test {
namespace {

namespace regs = tvp::regs::pim::stop;
using support::Cycle;

/// Keeps packets until the test selects one.
struct HandNetwork : Network {
  void connect(unsigned unit, NetworkEndpoint& endpoint) override {
    endpoints.resize(std::max<std::size_t>(endpoints.size(), unit + 1));
    endpoints[unit] = &endpoint;
  }
  bool may_inject(const Packet&) override { return free > 0; }
  void inject(const Packet& packet, Cycle when) override {
    --free;
    packets.push_back(packet);
    injected_at.push_back(when);
  }
  // Each unit counts as if it were in its own chip.
  std::string refusal(unsigned unit, const SwitchOrder& order) const override {
    return has_switch ? "" : Network::refusal(unit, order);
  }
  unsigned peer(unsigned, unsigned chip) const override { return chip; }
  void check_conservation() const override {}
  void check_at_end() const override {}
  void hand_over(std::size_t index, Cycle when) {
    const Packet packet = packets[index];
    packets.erase(packets.begin() + static_cast<std::ptrdiff_t>(index));
    endpoints[packet.destination]->deliver(packet, when);
  }
  std::vector<NetworkEndpoint*> endpoints;
  std::vector<Packet> packets;
  std::vector<Cycle> injected_at;
  unsigned free = 1000;
  bool has_switch = false;
};

struct Bench {
  struct Unit {
    Unit(Bench& bench, unsigned number)
        : wram(watch_hub),
          stop({.where = "unit" + std::to_string(number),
                .unit = number,
                .units = 3,
                .config = bench.config,
                .wram = wram,
                .messages = bench.messages,
                .network = bench.network,
                .calendar = bench.calendar,
                .calendar_index = bench.calendar.add_tile(scheduler),
                .watch_hub = watch_hub,
                .faults = bench.faults}) {
      scheduler.add(stop);
    }
    support::TileScheduler scheduler;
    support::WatchHub watch_hub;
    Wram wram;
    Stop stop;
  };
  Bench() {
    for (unsigned i = 0; i < 3; ++i) units.push_back(std::make_unique<Unit>(*this, i));
    calendar.run_until(10);
  }
  support::MmioAccess write(unsigned unit, std::uint32_t offset, std::uint32_t data) {
    support::MmioAccess access{
        .write = true, .offset = offset, .data = data, .now = calendar.now()};
    units[unit]->stop.access(access);
    return access;
  }
  std::uint32_t read(unsigned unit, std::uint32_t offset) {
    support::MmioAccess access{.offset = offset, .now = calendar.now()};
    units[unit]->stop.access(access);
    return access.data;
  }
  void window(unsigned unit, std::uint32_t channel, std::uint32_t base, std::uint32_t bytes) {
    write(unit, regs::kWindows + channel * regs::kWindowStride + regs::kWindowBase, base);
    write(unit, regs::kWindows + channel * regs::kWindowStride + regs::kWindowBytes, bytes);
  }
  support::MmioAccess send(unsigned from, unsigned to, std::uint32_t channel, std::uint32_t bytes,
                           std::uint32_t offset = 0, std::uint32_t address = 0) {
    write(from, regs::kDestination, to);
    write(from, regs::kChannel, channel);
    write(from, regs::kWramAddress, address);
    write(from, regs::kBytes, bytes);
    write(from, regs::kOffset, offset);
    return write(from, regs::kGo, 1);
  }
  support::MmioAccess order(unsigned from, std::uint32_t what, std::uint32_t from_chips,
                            std::uint32_t to_chips, std::uint32_t bytes,
                            std::uint32_t address = 0) {
    write(from, regs::kOrder, what);
    write(from, regs::kFromChips, from_chips);
    write(from, regs::kToChips, to_chips);
    write(from, regs::kWramAddress, address);
    write(from, regs::kBytes, bytes);
    return write(from, regs::kGoSwitch, 1);
  }
  void pass(Cycle cycles) { calendar.run_until(calendar.now() + cycles); }
  std::uint32_t arrivals(unsigned unit, unsigned channel) {
    return units[unit]->stop.arrivals(channel);
  }
  template <typename Work>
  std::string fault_of(const Work& work) {
    return tvp::test::fault_of([&] { work(); }, foundation::FaultKind::kFirmware);
  }

  foundation::StopOnFault faults;
  PimConfig config;
  support::Calendar calendar{lookahead(config)};
  HandNetwork network;
  MessagePool messages;
  std::vector<std::unique_ptr<Unit>> units;
};

TEST(Stop, HasTheRegistersOfItsTable) {
#define STOP(Name, offset, count, access) {#Name, offset, RegisterRow::Access::access},
  const std::vector<RegisterRow> rows{
#include "foundation/regs/pim.def"
  };
  Bench bench;
  expect_registers(bench.units[0]->stop, rows, regs::kWindows);
}

TEST(Stop, SplitsAMessageAndPutsItTogetherInAnyOrder) {
  Bench bench;
  std::iota(bench.units[0]->wram.bytes(), bench.units[0]->wram.bytes() + 200, std::uint8_t{0});
  bench.window(1, 5, 4096, 1000);
  bench.send(0, 1, 5, 196, 8, 4);
  bench.pass(20);
  ASSERT_EQ(bench.network.packets.size(), 4U);  // 64 + 64 + 64 + 4
  EXPECT_EQ(bench.network.injected_at[0], 10U + 4U);
  EXPECT_EQ(bench.network.packets[3].payload.size(), 4U);
  for (const std::size_t next : {3U, 0U, 1U})
    bench.network.hand_over(next, bench.calendar.now() + 1);
  bench.pass(20);
  EXPECT_EQ(bench.arrivals(1, 5), 0U);
  bench.network.hand_over(0, bench.calendar.now() + 1);
  bench.pass(1 + 4);
  EXPECT_EQ(bench.arrivals(1, 5), 0U);  // one cycle of wire, four through the stop
  bench.pass(1);
  EXPECT_EQ(bench.arrivals(1, 5), 1U);
  const std::uint8_t* at = bench.units[1]->wram.bytes() + 4096 + 8;
  EXPECT_TRUE(std::equal(at, at + 196, bench.units[0]->wram.bytes() + 4));
  EXPECT_EQ(at[-1], 0);
  EXPECT_EQ(at[196], 0);
  EXPECT_EQ(bench.messages.in_use(), 0U);
}

TEST(Stop, CountsMessagesOfOneSourceInTheirOrder) {
  Bench bench;
  bench.window(1, 0, 0, 64);
  for (unsigned i = 0; i < 3; ++i) bench.send(0, 1, 0, 4, 4 * i);
  bench.send(2, 1, 0, 4, 32);
  bench.pass(20);
  ASSERT_EQ(bench.network.packets.size(), 4U);
  // Unit 0's third packet waits for the two before it, but not for unit 2's.
  bench.network.hand_over(2, bench.calendar.now() + 1);
  bench.pass(10);
  EXPECT_EQ(bench.arrivals(1, 0), 0U);
  EXPECT_EQ(bench.units[1]->stop.held_back(), 1U);
  bench.network.hand_over(2, bench.calendar.now() + 1);
  bench.pass(10);
  EXPECT_EQ(bench.arrivals(1, 0), 1U);
  bench.network.hand_over(1, bench.calendar.now() + 1);
  bench.pass(10);
  EXPECT_EQ(bench.arrivals(1, 0), 1U);
  bench.network.hand_over(0, bench.calendar.now() + 1);
  bench.pass(10);
  EXPECT_EQ(bench.arrivals(1, 0), 4U);
  EXPECT_EQ(bench.messages.in_use(), 0U);
}

TEST(Stop, OfTwoStoresToOneWordTheLaterOneStays) {
  Bench bench;
  bench.window(1, 0, 0, 128);
  bench.window(1, 7, 64, 64);  // the same memory on another channel
  const auto word = [&](unsigned unit, unsigned at) -> std::uint8_t& {
    return bench.units[unit]->wram.bytes()[at];
  };
  for (unsigned at = 0; at < 128; ++at) word(0, at) = 1;
  bench.send(0, 1, 0, 128);
  bench.pass(20);
  for (unsigned at = 0; at < 128; ++at) word(0, at) = 2;
  bench.send(0, 1, 7, 4);
  bench.pass(20);
  ASSERT_EQ(bench.network.packets.size(), 3U);
  const auto hand_over = [&](std::size_t index) {
    bench.network.hand_over(index, bench.calendar.now() + 1);
    bench.pass(10);
  };
  hand_over(2);  // overtakes
  EXPECT_EQ(word(1, 64), 0) << "landed before its turn";
  EXPECT_EQ(bench.arrivals(1, 7), 0U);
  hand_over(1);
  EXPECT_EQ(word(1, 64), 1) << "packets of the message whose turn it is land as they come";
  EXPECT_EQ(bench.arrivals(1, 0), 0U);
  hand_over(0);
  EXPECT_EQ(word(1, 64), 2);
  EXPECT_EQ(word(1, 68), 1);
  EXPECT_EQ(bench.arrivals(1, 0), 1U);
  EXPECT_EQ(bench.arrivals(1, 7), 1U);
  EXPECT_EQ(bench.units[1]->stop.held_back(), 0U);
  EXPECT_EQ(bench.messages.in_use(), 0U);
}

TEST(Stop, AMessageOfManyPacketsWaitsForItsTurnInPieces) {
  Bench bench;
  bench.window(1, 3, 0, 256);
  for (unsigned at = 0; at < 256; ++at)
    bench.units[0]->wram.bytes()[at] = static_cast<std::uint8_t>(at + 1);
  bench.send(0, 1, 3, 64);
  bench.send(0, 1, 3, 128, 64, 64);
  bench.pass(40);
  ASSERT_EQ(bench.network.packets.size(), 3U);
  const auto hand_over = [&](std::size_t index) {
    bench.network.hand_over(index, bench.calendar.now() + 1);
    bench.pass(10);
  };
  hand_over(1);  // half of the second message
  EXPECT_EQ(bench.units[1]->stop.held_back(), 0U) << "it is not whole";
  EXPECT_EQ(bench.units[1]->wram.bytes()[64], 0) << "landed before its turn";
  hand_over(0);
  EXPECT_EQ(bench.arrivals(1, 3), 1U);
  EXPECT_EQ(bench.units[1]->wram.bytes()[64], 65) << "its turn came with the end of the first";
  hand_over(0);
  EXPECT_EQ(bench.arrivals(1, 3), 2U);
  EXPECT_TRUE(std::equal(bench.units[1]->wram.bytes(), bench.units[1]->wram.bytes() + 192,
                         bench.units[0]->wram.bytes()));
  EXPECT_EQ(bench.messages.in_use(), 0U);
}

TEST(Stop, SendsToItselfWithoutTheNetwork) {
  Bench bench;
  bench.units[0]->wram.bytes()[0] = 42;
  bench.window(0, 3, 512, 8);
  bench.send(0, 0, 3, 4);
  bench.pass(20);
  EXPECT_TRUE(bench.network.packets.empty());
  EXPECT_EQ(bench.arrivals(0, 3), 1U);
  EXPECT_EQ(bench.units[0]->wram.bytes()[512], 42);
}

TEST(Stop, CountsAMessageOfNoBytesWithoutAWindow) {
  Bench bench;
  bench.send(0, 1, 15, 0);
  bench.pass(20);
  ASSERT_EQ(bench.network.packets.size(), 1U);
  bench.network.hand_over(0, bench.calendar.now() + 1);
  bench.pass(10);
  EXPECT_EQ(bench.arrivals(1, 15), 1U);
}

TEST(Stop, WaitsForPlacesOfTheNetworkAndForItsOwnQueue) {
  Bench bench;
  bench.network.free = 1;
  for (std::uint32_t i = 0; i < regs::kQueue; ++i) {
    EXPECT_FALSE(bench.send(0, 1, 0, 0).blocked);
  }
  const auto held = bench.send(0, 1, 0, 0);
  EXPECT_TRUE(held.blocked);
  EXPECT_NE(held.watch, support::Watch::kNone);
  bench.pass(50);
  EXPECT_EQ(bench.network.packets.size(), 1U);
  EXPECT_EQ(bench.read(0, regs::kSent), 1U);
  bench.network.free = 3;
  bench.units[0]->stop.injection_credit(bench.calendar.now() + 1);
  bench.pass(50);
  EXPECT_EQ(bench.network.packets.size(), 4U);
  EXPECT_EQ(bench.read(0, regs::kSent), 4U);
  EXPECT_FALSE(bench.write(0, regs::kGo, 1).blocked);
}

TEST(Stop, FaultsWhenAMessageLeavesItsWindow) {
  Bench bench;
  bench.window(1, 2, 1024, 32);
  bench.send(0, 1, 2, 24, 12);
  bench.pass(20);
  bench.network.hand_over(0, bench.calendar.now() + 1);
  EXPECT_EQ(
      bench.fault_of([&] { bench.pass(20); }),
      "unit1: message of 24 bytes from unit 0 at offset 12 into a buffer of 32, channel 2. "
      "Expected a set_window of at least 36 bytes before. Check it, and the unit, channel and "
      "offset of the message");
}

TEST(Stop, SaysWhichMessageTheNetworkLost) {
  Bench bench;
  bench.send(0, 1, 2, 128);
  bench.pass(20);
  ASSERT_EQ(bench.network.packets.size(), 2U);
  EXPECT_EQ(bench.fault_of(
                [&] { bench.units[0]->stop.lost(bench.network.packets[1], "router (1,0) broke"); }),
            "unit0: message of 128 bytes to unit 1, channel 2, is lost: router (1,0) broke");
  EXPECT_EQ(bench.units[0]->stop.stats().messages_lost, 1U);
  EXPECT_THROW(bench.units[0]->stop.lost(bench.network.packets[0], ""), foundation::Fault);
  EXPECT_EQ(bench.units[0]->stop.stats().messages_lost, 1U);
  EXPECT_EQ(bench.units[0]->stop.stats().packets_lost, 2U);
}

// A packet travels once, and the switch copies it for each destination.
TEST(Stop, MulticastsAMessageToEachDestination) {
  for (const std::uint32_t to_chips : {0b110U, 0b010U, 0b111U}) {
    Bench bench;
    bench.network.has_switch = true;
    const std::uint8_t* const from = bench.units[0]->wram.bytes();
    std::iota(bench.units[0]->wram.bytes(), bench.units[0]->wram.bytes() + 100, std::uint8_t{1});
    for (unsigned unit = 0; unit < 3; ++unit) bench.window(unit, 4, 1024, 256);
    bench.write(0, regs::kChannel, 4);
    bench.write(0, regs::kOffset, 8);
    bench.order(0, regs::kOrderMulticast, 0, to_chips, 100);
    bench.order(0, regs::kOrderMulticast, 0, to_chips, 4, 96);
    bench.pass(30);
    ASSERT_EQ(bench.network.packets.size(), 3U);
    EXPECT_EQ(bench.read(0, regs::kSent), 2U);
    for (unsigned i = 0; i < 3; ++i) {
      const Packet& packet = bench.network.packets[i];
      EXPECT_EQ(packet.order.kind, SwitchOrder::Kind::kMulticast);
      EXPECT_EQ(packet.order.to_chips, to_chips);
      EXPECT_EQ(packet.order.part, i % 2);
      for (unsigned unit = 0; unit < 3; ++unit) {
        if ((to_chips >> unit & 1) == 0) continue;
        Packet copy = packet;
        copy.destination = unit;
        copy.tag = bench.units[0]->stop.tag_of_copy(packet, unit);
        bench.units[unit]->stop.deliver(copy, bench.calendar.now() + 1);
      }
      bench.pass(10);
      for (unsigned unit = 0; unit < 3; ++unit) {
        EXPECT_EQ(bench.arrivals(unit, 4), (to_chips >> unit & 1) != 0 ? i : 0U);
      }
    }
    for (unsigned unit = 0; unit < 3; ++unit) {
      const std::uint8_t* const at = bench.units[unit]->wram.bytes() + 1024 + 8;
      EXPECT_EQ(std::equal(at + 4, at + 100, from + 4), (to_chips >> unit & 1) != 0);
      EXPECT_EQ(std::equal(at, at + 4, from + 96), (to_chips >> unit & 1) != 0);
    }
    EXPECT_EQ(bench.messages.in_use(), 0U);
  }
}

// Each unit's packet is combined. Receivers get their own message back with the result, counted in
// the order of that channel.
TEST(Stop, GetsTheResultOfAReductionWhenItIsADestination) {
  for (const std::uint32_t to_chips : {0b101U, 0b010U, 0b111U, 0b001U}) {
    Bench bench;
    bench.network.has_switch = true;
    for (unsigned unit = 0; unit < 3; ++unit) {
      bench.window(unit, 2, 4096, 256);
      bench.write(unit, regs::kChannel, 2);
      for (unsigned i = 0; i < 2; ++i) {
        bench.order(unit, regs::kOrderReduce | regs::kOpMax << regs::kOpShift, 0b111, to_chips, 80);
      }
    }
    bench.pass(40);
    ASSERT_EQ(bench.network.packets.size(), 12U);
    const auto hand_over = [&](unsigned number, std::uint8_t value) {
      for (const Packet& packet : bench.network.packets) {
        const SwitchOrder& order = packet.order;
        if (order.number != number) continue;
        EXPECT_EQ(order.op, regs::kOpMax);
        EXPECT_EQ(order.type, regs::kTypeInt32);
        EXPECT_EQ(order.from_chips, 0b111U);
        Stop& stop = bench.units[packet.source]->stop;
        if ((to_chips >> packet.source & 1) == 0) {
          stop.absorbed(packet);
          continue;
        }
        EXPECT_EQ(packet.destination, packet.source);
        const std::vector<std::uint8_t> result(packet.payload.size(), value);
        stop.combined(packet, result);
        stop.deliver(packet, bench.calendar.now() + 1);
      }
      bench.pass(10);
    };
    hand_over(1, 7);
    for (unsigned unit = 0; unit < 3; ++unit) EXPECT_EQ(bench.arrivals(unit, 2), 0U);
    hand_over(0, 6);
    for (unsigned unit = 0; unit < 3; ++unit) {
      const bool receives = (to_chips >> unit & 1) != 0;
      EXPECT_EQ(bench.arrivals(unit, 2), receives ? 2U : 0U);
      const std::uint8_t* const at = bench.units[unit]->wram.bytes() + 4096;
      EXPECT_EQ(std::count(at, at + 256, 7), receives ? 80 : 0) << "the second one stays";
    }
    EXPECT_EQ(bench.messages.in_use(), 0U);
  }
}

TEST(Stop, RefusesOrdersThatNoSwitchHas) {
  Bench bench;
  const std::uint32_t reduce = regs::kOrderReduce;
  const auto text = [&](std::uint32_t order, std::uint32_t bytes) {
    return bench.fault_of([&] { bench.order(0, order, 0b11, 0b11, bytes); });
  };
  EXPECT_NE(text(reduce, 8).find("no switch joins the chips"), std::string::npos);
  bench.network.has_switch = true;
  for (const std::uint32_t order : {0U, 3U, 15U, reduce | 1U << 13, reduce | 1U << 31}) {
    EXPECT_NE(text(order, 8).find("it has no order " + std::to_string(order)), std::string::npos);
  }
  EXPECT_NE(text(regs::kOrderMulticast, 0).find("expected some bytes"), std::string::npos);
  const std::uint32_t int64 = regs::kTypeInt64 << regs::kTypeShift;
  EXPECT_NE(text(reduce | 4 << regs::kOpShift, 8).find("no op 4 of type 0"), std::string::npos);
  EXPECT_NE(text(reduce | 4 << regs::kTypeShift, 8).find("no op 0 of type 4"), std::string::npos);
  EXPECT_NE(text(reduce | int64, 12).find("whole elements of 8 bytes"), std::string::npos);
  EXPECT_EQ(bench.messages.in_use(), 0U);
  for (const std::uint32_t order :
       {reduce | regs::kOpProd << regs::kOpShift | regs::kTypeFp32 << regs::kTypeShift,
        reduce | regs::kOpSum << regs::kOpShift | regs::kTypeBf16 << regs::kTypeShift,
        reduce | int64, regs::kOrderMulticast}) {
    EXPECT_EQ(text(order, 16), "no fault");
  }
  bench.config.packet_bytes.set("60");
  EXPECT_NE(text(reduce | int64, 16).find("in pim.packet_bytes"), std::string::npos);
}

TEST(Stop, RefusesWhatItCannotSend) {
  Bench bench;
  const auto text = [&](unsigned to, std::uint32_t channel, std::uint32_t bytes,
                        std::uint32_t address) {
    return bench.fault_of([&] { bench.send(0, to, channel, bytes, 0, address); });
  };
  EXPECT_NE(text(3, 0, 4, 0).find("there are units 0 to 2"), std::string::npos);
  EXPECT_NE(text(1, 16, 4, 0).find("there are channels 0 to 15"), std::string::npos);
  EXPECT_NE(text(1, 0, 6, 0).find("multiples of 4"), std::string::npos);
  EXPECT_NE(text(1, 0, 4, 2).find("multiples of 4"), std::string::npos);
  EXPECT_NE(text(1, 0, 8, 65532).find("leave WRAM"), std::string::npos);
  EXPECT_NE(bench.fault_of([&] { bench.window(0, 1, 65532, 8); }).find("leave WRAM"),
            std::string::npos);
  EXPECT_EQ(bench.messages.in_use(), 0U);
}

}  // namespace
}  // namespace tvp::pim::stop_test
