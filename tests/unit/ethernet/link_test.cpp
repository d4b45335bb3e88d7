#include "models/ethernet/link.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "foundation/fault.h"
#include "models/ethernet/ethernet_link_faults.h"
#include "tests/support/fault_of.h"

namespace tvp::ethernet {
namespace {

using support::Cycle;

struct Sink : PacketSink {
  void packet_arrived(const EthernetPacket& packet, Cycle now) override {
    arrivals.push_back({now, packet.sequence, packet.bytes, packet.corrupt});
  }
  struct Arrival {
    Cycle when;
    std::uint8_t sequence;
    std::uint32_t bytes;
    bool corrupt;
  };
  std::vector<Arrival> arrivals;
};

struct Wire {
  explicit Wire(foundation::Period a = {}, foundation::Period b = {}) {
    config.link_latency_ps.set("330000");  // the derived times below assume this
    link.end(0).attach(calendar[0], a, sink[0]);
    link.end(1).attach(calendar[1], b, sink[1]);
  }
  static EthernetPacket packet(std::uint8_t sequence, std::uint32_t bytes) {
    EthernetPacket p;
    p.kind = EthernetPacket::Kind::kL1Write;
    p.sequence = sequence;
    p.bytes = bytes;
    std::memset(p.data.data(), sequence, bytes);
    return p;
  }

  EthernetConfig config;
  support::Calendar calendar[2]{support::Calendar({}), support::Calendar({})};
  Sink sink[2];
  Link link{"link", 7, config};
};

// 16 B + 50 B of framing at 12.5 B/ns are 5.28 ns; 330 ns later the last byte is out.
TEST(Link, CarriesAPacketInTheTimeOfItsBytesAndTheLatency) {
  Wire wire;
  const LinkEnd::Transmission t = wire.link.end(0).transmit(Wire::packet(1, 16), 100);
  EXPECT_EQ(t.start, 100u);
  EXPECT_EQ(t.end, 106u);
  wire.calendar[1].run_until(10000);
  ASSERT_EQ(wire.sink[1].arrivals.size(), 1u);
  EXPECT_EQ(wire.sink[1].arrivals[0].when, 436u);  // ceil(100 + 5.28 + 330)
  EXPECT_TRUE(wire.sink[0].arrivals.empty());
}

TEST(Link, SerializesADirectionAndLeavesTheOtherAlone) {
  Wire wire;
  wire.link.end(0).transmit(Wire::packet(1, 1488), 0);  // 123.04 ns
  wire.link.end(0).transmit(Wire::packet(2, 1488), 0);
  wire.link.end(1).transmit(Wire::packet(3, 1488), 0);
  wire.calendar[0].run_until(10000);
  wire.calendar[1].run_until(10000);
  ASSERT_EQ(wire.sink[1].arrivals.size(), 2u);
  EXPECT_EQ(wire.sink[1].arrivals[0].when, 454u);  // ceil(123.04 + 330)
  EXPECT_EQ(wire.sink[1].arrivals[1].when, 577u);  // ceil(246.08 + 330)
  ASSERT_EQ(wire.sink[0].arrivals.size(), 1u);
  EXPECT_EQ(wire.sink[0].arrivals[0].when, 454u);
  EXPECT_EQ(wire.link.end(0).statistics().busy_ps, 246080u);
  EXPECT_EQ(wire.link.end(0).statistics().payload_bytes, 2976u);
}

TEST(Link, StampsArrivalsInTheReceiversClock) {
  Wire wire(foundation::Period{1000, 1}, foundation::Period{1250, 1});
  wire.link.end(0).transmit(Wire::packet(1, 16), 100);
  wire.calendar[1].run_until(10000);
  EXPECT_EQ(wire.sink[1].arrivals.at(0).when, 349u);  // ceil(435.28 / 1.25)
  EXPECT_EQ(wire.link.min_latency_cycles(), 264u);    // 330 / 1.25
}

// For the end with the longer cycle: at least this number of cycles of either end pass on the way.
TEST(Link, TakesAtLeastSoManyCyclesOfEitherEnd) {
  const foundation::Period fast{1000, 1}, slow{1250, 1};
  EXPECT_EQ(Wire(fast, slow).link.min_latency_cycles(), 264u);  // 330 / 1.25
  EXPECT_EQ(Wire(slow, fast).link.min_latency_cycles(), 264u);
}

// Chips whose cycle is longer than the link can still run independently for one cycle.
TEST(Link, IsAtTheOtherEndAtItsNextEdgeAtTheEarliest) {
  const foundation::Period slow{1'000'000, 1};  // 1 MHz
  Wire wire(slow, slow);
  EXPECT_EQ(wire.link.min_latency_cycles(), 1u);
  wire.link.end(0).transmit(Wire::packet(1, 16), 100);
  wire.calendar[1].run_until(200);
  ASSERT_EQ(wire.sink[1].arrivals.size(), 1u);
  EXPECT_EQ(wire.sink[1].arrivals[0].when, 101u);
}

TEST(Link, LosesAndCorruptsAtTheSeededRate) {
  Wire wire;
  wire.config.drop_rate.set("0.25");
  wire.config.corrupt_rate.set("0.25");
  for (unsigned i = 0; i < 2000; ++i) wire.link.end(0).transmit(Wire::packet(0, 16), 0);
  wire.calendar[1].run_until(1000000);
  const LinkEnd::Statistics& s = wire.link.end(0).statistics();
  EXPECT_EQ(s.packets, 2000u);
  EXPECT_EQ(wire.link.end(1).statistics().received + s.dropped, 2000u);
  EXPECT_NEAR(static_cast<double>(s.dropped), 500.0, 100.0);
  EXPECT_NEAR(static_cast<double>(s.corrupted), 375.0, 90.0);
  unsigned corrupt = 0;
  for (const auto& a : wire.sink[1].arrivals) corrupt += a.corrupt ? 1 : 0;
  EXPECT_EQ(corrupt, s.corrupted);
}

// On the line from 100 to 105.28 ns and from 200 to 205.28 ns.
TEST(Link, LosesWhatIsOnItWhileItIsBroken) {
  Wire wire;
  wire.link.break_down({{.from_ps = 104'000, .until_ps = 200'000}, {.from_ps = 300'000}});
  for (const Cycle at : {90U, 100U, 195U, 200U, 299U, 400U})
    wire.link.end(0).transmit(Wire::packet(static_cast<std::uint8_t>(at), 16), at);
  wire.calendar[1].run_until(10000);
  std::vector<std::uint8_t> arrived;
  for (const Sink::Arrival& one : wire.sink[1].arrivals) arrived.push_back(one.sequence);
  EXPECT_EQ(arrived, (std::vector<std::uint8_t>{90, 200}));
  EXPECT_EQ(wire.link.end(0).statistics().lost, 4U);
  EXPECT_FALSE(wire.link.end(1).broken_for_good(299));
  EXPECT_TRUE(wire.link.end(1).broken_for_good(300));
}

TEST(EthernetLinkFaults, BreakLinksByChannelPairAndChip) {
  EthernetLinkFaults faults("chip0.6@2 chip1-chip3@5+8 chip2@0");
  const auto count = [&](LinkPlace a, LinkPlace b) { return faults.of(a, b).size(); };
  EXPECT_EQ(count({0, 6}, {1, 6}), 1U);
  EXPECT_EQ(count({1, 6}, {0, 6}), 1U);
  EXPECT_EQ(count({0, 7}, {1, 7}), 0U);
  EXPECT_EQ(count({3, 1}, {2, 1}), 1U);
  EXPECT_THROW(faults.check_used(), foundation::Fault);
  const std::vector<Outage> outages = faults.of({3, 0}, {1, 0});
  ASSERT_EQ(outages.size(), 1U);
  EXPECT_EQ(outages[0].from_ps, 5000U);
  EXPECT_EQ(outages[0].until_ps, 13000U);
  faults.check_used();
}

TEST(EthernetLinkFaults, RefusesEverythingElse) {
  for (const char* text : {"chip0", "0.6@2", "chip0.6", "chip0@", "chip0@2+", "chip0@2+0",
                           "chip0@-2", "chip0@2x", "chip0-1@2", "chip0-chip1.2@3", "chip@2",
                           "chip0@99999999999999999999", "chip1@2,chip2@3"}) {
    EXPECT_TRUE(tvp::test::faults([&] { EthernetLinkFaults faults{text}; }, {},
                                  {"ethernet.faults", "expected chipA.CHANNEL"}))
        << text;
  }
}

}  // namespace
}  // namespace tvp::ethernet
