#include "models/noc/torus/torus.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/support/fault_of.h"
#include "tests/unit/noc/torus_bench.h"

namespace tvp::noc::torus_test {
namespace {

using support::Cycle;

struct Benches {
  TorusBench fast0{"fast0", "fast", 0}, fast1{"fast1", "fast", 1};
  TorusBench fast_with_priorities{"fast_with_priorities", "fast", 0};
  TorusBench detailed0{"detailed0", "detailed", 0}, detailed1{"detailed1", "detailed", 1};
  std::vector<std::unique_ptr<TorusBench>> loaded;  ///< fast, detailed, by row of kLoads
  std::vector<std::unique_ptr<TorusBench>> single;
  std::vector<std::unique_ptr<TorusBench>> detailed;
  Benches();
};

struct LoadCase {
  double load;
  unsigned flits;
  double bound;  ///< for the relative difference of mean latencies
};
// The bounds of the README.
constexpr LoadCase kLoads[] = {{0.02, 5, 0.02},  {0.1, 5, 0.05},    {0.2, 5, 0.15},
                               {0.02, 65, 0.10}, {0.05, 257, 0.25}, {0.1, 1, 0.05}};
constexpr unsigned kSingle = 9;
constexpr unsigned kDetailedOnly = 5;

Benches::Benches() {
  for (std::size_t i = 0; i < std::size(kLoads); ++i) {
    for (const char* kind : {"fast", "detailed"}) {
      loaded.push_back(
          std::make_unique<TorusBench>(std::string("loaded_") + kind + std::to_string(i), kind));
      for (auto& node : loaded.back()->nodes) node->recording = false;
    }
  }
  for (unsigned i = 0; i < kSingle; ++i) {
    const char* kind = i % 2 == 0 ? "fast" : "detailed";
    single.push_back(std::make_unique<TorusBench>("single_" + std::to_string(i), kind));
  }
  for (unsigned i = 0; i < kDetailedOnly; ++i) {
    detailed.push_back(std::make_unique<TorusBench>("only_" + std::to_string(i), "detailed"));
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

Benches& benches() {
  static Benches all;
  return all;
}

Packet& unicast(TorusBench& bench, unsigned from, unsigned to, unsigned flits) {
  Packet& packet = bench.nodes[from]->make(flits);
  packet.header().target = bench.nodes[to]->place().node();
  return packet;
}

// ISA NoC/README.md: 5 + 9 per hop + 5, and one flit per cycle after the header.
TEST(Torus, OnePacketTakesTheDocumentedTimeOnBothModels) {
  std::mt19937 engine(3);
  auto random = [&engine] { return static_cast<unsigned>(engine()); };
  for (unsigned noc = 0; noc < 2; ++noc) {
    TorusBench* models[] = {noc == 0 ? &benches().fast0 : &benches().fast1,
                            noc == 0 ? &benches().detailed0 : &benches().detailed1};
    for (unsigned i = 0; i < 150; ++i) {
      const unsigned from = random() % wormhole_grid().nodes();
      const unsigned to = random() % wormhole_grid().nodes();
      const unsigned flits = i % 3 == 0 ? 1 : i % 3 == 1 ? 1 + random() % 40 : 257;
      for (TorusBench* bench : models) {
        TrafficNode& source = *bench->nodes[from];
        TrafficNode& target = *bench->nodes[to];
        const Node a = source.place().node();
        const Node b = target.place().node();
        const unsigned hops = (b.x + kColumns - a.x) % kColumns + (b.y + kRows - a.y) % kRows;
        const Cycle start = bench->calendar.now() + 1;
        target.arrivals.clear();
        source.vc_frees.clear();
        source.inject(unicast(*bench, from, to, flits), start);
        bench->calendar.run_until(start + 2000);
        ASSERT_EQ(target.arrivals.size(), 1u);
        EXPECT_EQ(target.arrivals[0].head - start, 10 + 9 * hops);
        EXPECT_EQ(target.arrivals[0].tail - start, 10 + 9 * hops + flits - 1);
        ASSERT_EQ(source.vc_frees.size(), 1u);
        EXPECT_EQ(source.vc_frees[0] - start, flits - 1 + 5);
      }
    }
  }
}

/// A wave shows each link of the path busy for a cycle per flit, one hop after the other, and no
/// other link, on both models.
TEST(Torus, LinksAreShownBusyForACycleAFlit) {
  constexpr unsigned kFlits = 7;
  struct Sink : support::SignalSink {
    std::map<std::uint32_t, std::int64_t> busy;  // by link
    std::map<std::uint32_t, Cycle> begin;
    void change(std::uint32_t, Cycle, std::uint64_t) override {}
    void add(std::uint32_t signal, Cycle when, std::int64_t delta) override {
      busy[signal] -= delta * static_cast<std::int64_t>(when);
      if (delta > 0 && !begin.contains(signal)) begin[signal] = when;
    }
  };
  for (TorusBench* bench : {&benches().fast0, &benches().detailed0}) {
    static Sink sinks[2];  // stays attached
    Sink& sink = sinks[bench == &benches().detailed0];
    const auto node = [](unsigned x, unsigned y) { return y * kColumns + x; };
    for (unsigned y = 0; y < kRows; ++y)
      for (unsigned x = 0; x < kColumns; ++x)
        for (const Port port : {Port::kX, Port::kY})
          bench->torus->busy_signal(x, y, port).attach(sink, link_index(node(x, y), port));
    bench->calendar.run_until(bench->calendar.now() + 1000);
    sink = {};
    const Cycle start = bench->calendar.now() + 1;
    bench->at(2, 3).inject(unicast(*bench, node(2, 3), node(5, 3), kFlits), start);
    bench->calendar.run_until(start + 1000);
    EXPECT_EQ(sink.busy.size(), 3U);
    for (unsigned x = 2; x < 5; ++x) {
      const unsigned link = link_index(node(x, 3), Port::kX);
      EXPECT_EQ(sink.busy[link], kFlits) << x;
      EXPECT_EQ(sink.begin[link], sink.begin[link_index(node(2, 3), Port::kX)] + 9 * (x - 2));
    }
  }
}

TEST(Torus, BroadcastArrivesAlongItsTreeAtTheSameCyclesOnBothModels) {
  for (const bool y_major : {false, true}) {
    std::vector<Cycle> times[2];
    for (unsigned model = 0; model < 2; ++model) {
      TorusBench& bench = model == 0 ? benches().fast0 : benches().detailed0;
      for (auto& node : bench.nodes) node->arrivals.clear();
      Packet& packet = bench.at(2, 2).make(33);
      NocExtension& header = packet.header();
      header.broadcast = true;
      header.y_major = y_major;
      header.start = {8, 10};
      header.target = {3, 3};
      header.vc_class = vc::kClassBroadcast;
      const Cycle start = bench.calendar.now() + 1;
      bench.at(2, 2).inject(packet, start);
      bench.calendar.run_until(start + 3000);
      for (auto& node : bench.nodes) {
        times[model].push_back(node->arrivals.empty() ? 0 : node->arrivals[0].head - start);
        times[model].push_back(node->arrivals.empty() ? 0 : node->arrivals[0].tail - start);
        EXPECT_LE(node->arrivals.size(), 1u);
      }
      EXPECT_TRUE(bench.at(2, 2).arrivals.empty()) << "source not included";
      EXPECT_EQ(bench.at(3, 2).arrivals.size(), 1u);
      bench.torus->check_conservation();
    }
    EXPECT_EQ(times[0], times[1]);
    // (2,2) to its right neighbor: one hop, and the flits beyond two shares of a channel of 16,
    // whose credits return after 10 + 7 cycles.
    EXPECT_EQ(times[0][2 * (2 * kColumns + 3)], 10u + 10);
    EXPECT_EQ(times[0][2 * (2 * kColumns + 3) + 1], 10u + 10 + 32 + 2 * 1);
  }
}

/// Two packets, injected together, that meet on their last links.
std::pair<TrafficNode::Arrival, TrafficNode::Arrival> meet(TorusBench& bench, unsigned buddy0,
                                                           unsigned buddy1) {
  Packet& a = unicast(bench, 0, 3, 257);
  Packet& b = unicast(bench, 1, 3, 257);
  for (Packet* p : {&a, &b}) p->header().static_vc = true;
  a.header().buddy = static_cast<std::uint8_t>(buddy0);
  b.header().buddy = static_cast<std::uint8_t>(buddy1);
  const Cycle start = bench.calendar.now() + 1;
  bench.nodes[0]->inject(a, start);
  bench.nodes[1]->inject(b, start + 9);  // both headers reach router 1 together
  bench.calendar.run_until(start + 5000);
  auto& arrivals = bench.nodes[3]->arrivals;
  EXPECT_EQ(arrivals.size(), 2u);
  for (auto& arrival : arrivals) {
    arrival.head -= start;
    arrival.tail -= start;
  }
  const bool swap = arrivals[0].node != 0;
  return {arrivals[swap], arrivals[!swap]};
}

class Contention : public ::testing::TestWithParam<unsigned> {};

TEST_P(Contention, OneChannelServesPacketsWholeOneAfterTheOther) {
  const auto [a, b] = meet(*benches().single[GetParam()], 0, 0);
  const auto& first = a.head < b.head ? a : b;
  const auto& second = a.head < b.head ? b : a;
  EXPECT_EQ(first.tail - first.head, 256u);
  EXPECT_GT(second.head, first.tail) << "no flit of the second before the last of the first";
  EXPECT_LE(second.head, first.tail + 20);
}

TEST_P(Contention, TwoChannelsShareTheLink) {
  const auto [a, b] = meet(*benches().single[GetParam() + 2], 0, 1);
  const Cycle end = std::max(a.tail, b.tail);
  EXPECT_LT(std::max(a.head, b.head), std::min(a.tail, b.tail)) << "interleaved";
  EXPECT_LT(std::max(a.head, b.head) - std::min(a.head, b.head), 20u);
  EXPECT_NEAR(static_cast<double>(end - std::min(a.head, b.head)), 513, 20) << "and lost nothing";
}

// The last flit of one packet passes as the first of another arrives on another channel. Both share
// one cycle.
TEST(FastTorus, ChannelsShareALinkToTheLastFlit) {
  for (const Cycle apart : {256u, 257u}) {
    TorusBench& bench = *benches().single[8];
    bench.nodes[3]->arrivals.clear();
    Packet& a = unicast(bench, 0, 3, 257);
    Packet& b = unicast(bench, 1, 3, 257);
    for (Packet* p : {&a, &b}) p->header().static_vc = true;
    b.header().buddy = 1;
    const Cycle start = bench.calendar.now() + 1;
    bench.nodes[0]->inject(a, start);
    bench.nodes[1]->inject(b, start + 9 + apart);
    bench.calendar.run_until(start + 5000);
    const auto& arrivals = bench.nodes[3]->arrivals;
    ASSERT_EQ(arrivals.size(), 2u);
    EXPECT_EQ(arrivals[1].tail - arrivals[1].head, apart == 256 ? 257u : 256u);
  }
}

TEST_P(Contention, CrossingPathsDoNotDisturbEachOther) {
  TorusBench& bench = *benches().single[GetParam() + 4];
  const unsigned middle = 5 * kColumns + 5;
  const Cycle start = bench.calendar.now() + 1;
  bench.nodes[middle - 2]->inject(unicast(bench, middle - 2, middle + 2, 257), start);
  bench.nodes[middle - 2 * kColumns]->inject(
      unicast(bench, middle - 2 * kColumns, middle + 2 * kColumns, 257), start);
  bench.calendar.run_until(start + 3000);
  EXPECT_EQ(bench.nodes[middle + 2]->arrivals.at(0).tail - start, 10u + 36 + 256);
  EXPECT_EQ(bench.nodes[middle + 2 * kColumns]->arrivals.at(0).tail - start, 10u + 36 + 256);
}

TEST_P(Contention, LinksCountWhatPassed) {
  TorusBench& bench = *benches().single[GetParam() + 6];
  const Cycle start = bench.calendar.now() + 1;
  bench.at(8, 4).inject(unicast(bench, 4 * kColumns + 8, 5 * kColumns + 0, 33), start);
  bench.calendar.run_until(start + 1000);
  for (const auto& [x, y, port] : {std::tuple{8u, 4u, Port::kInjection},
                                   {8u, 4u, Port::kX},
                                   {9u, 4u, Port::kX},
                                   {0u, 4u, Port::kY},
                                   {0u, 5u, Port::kNiu}}) {
    EXPECT_EQ(bench.torus->link(x, y, port).flits, 33u) << x << "," << y;
    EXPECT_EQ(bench.torus->link(x, y, port).packets, 1u);
  }
  EXPECT_EQ(bench.torus->link(0, 5, Port::kY).flits, 0u);
  EXPECT_EQ(bench.torus->packets_sent(), 1u);
  EXPECT_EQ(bench.torus->packets_delivered(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Model, Contention, ::testing::Values(0u, 1u), [](const auto& instance) {
  return instance.param == 0 ? std::string("fast") : std::string("detailed");
});

Packet& static_packet(TorusBench& bench, unsigned from, unsigned to, unsigned flits) {
  Packet& packet = unicast(bench, from, to, flits);
  packet.header().static_vc = true;
  return packet;
}

const TrafficNode::Arrival& arrival_from(TorusBench& bench, unsigned at, unsigned source,
                                         unsigned nth = 0) {
  for (const auto& arrival : bench.nodes[at]->arrivals) {
    if (arrival.node == source && nth-- == 0) return arrival;
  }
  throw std::out_of_range("no such arrival");
}

TEST(DetailedTorus, ALinkedChainKeepsItsChannelUntilItsLastPacketHasPassed) {
  TorusBench& bench = *benches().detailed[0];
  const Cycle start = bench.calendar.now() + 1;
  Packet& first = static_packet(bench, 0, 4, 9);
  first.header().linked = true;
  bench.nodes[0]->inject(first, start);
  // Requests the same channel of the same links in the pause of the chain.
  bench.nodes[1]->inject(static_packet(bench, 1, 4, 9), start + 100);
  Packet& other_channel = static_packet(bench, 1, 4, 9);
  other_channel.header().buddy = 1;
  bench.nodes[1]->inject(other_channel, start + 200);
  Packet& last = static_packet(bench, 0, 4, 9);
  last.header().first_of_chain = false;
  bench.nodes[0]->inject(last, start + 1000);
  bench.calendar.run_until(start + 3000);
  const auto& end_of_chain = arrival_from(bench, 4, 0, 1);
  EXPECT_EQ(end_of_chain.head, start + 1000 + 10 + 4 * 9);
  // Deliveries at a node come in order of time: the other channel's packet first.
  EXPECT_EQ(arrival_from(bench, 4, 1, 0).head, start + 200 + 10 + 3 * 9);
  EXPECT_GT(arrival_from(bench, 4, 1, 1).head, end_of_chain.tail);
  bench.torus->check_conservation();
}

// ISA DRAMTile/README.md, Performance: if the shared pool is full or nearly full, channels get
// little more than the flit that each owns. This does not hide the round trip of the hop.
TEST(DetailedTorus, AChannelBesideThreeThatWaitGetsWhatANearlyFullPoolLeaves) {
  TorusBench& bench = *benches().detailed[3];
  constexpr unsigned kSource =
      5;  // its link to the next router is the one that others' flits wait behind
  constexpr unsigned kHolder = 6;
  constexpr unsigned kTarget = 9;
  constexpr unsigned kFlits = 257;
  const Cycle start = bench.calendar.now() + 1;
  auto on_channel = [&](unsigned from, unsigned channel, unsigned flits) -> Packet& {
    Packet& packet = static_packet(bench, from, kTarget, flits);
    packet.header().vc_class = static_cast<std::uint8_t>(channel >> 1);
    packet.header().buddy = channel & 1;
    return packet;
  };
  for (unsigned channel = 0; channel < 3; ++channel) {
    Packet& first = on_channel(kHolder, channel, 1);
    first.header().linked = true;
    bench.nodes[kHolder]->inject(first, start + channel);
    bench.nodes[kSource - 1 - channel]->inject(on_channel(kSource - 1 - channel, channel, 64),
                                               start + 100);
  }
  bench.nodes[kSource]->inject(on_channel(kSource, 3, kFlits), start + 1000);
  for (unsigned channel = 0; channel < 3; ++channel) {
    Packet& last = on_channel(kHolder, channel, 1);
    last.header().first_of_chain = false;
    bench.nodes[kHolder]->inject(last, start + 4000 + channel);
  }
  bench.calendar.run_until(start + 8000);
  const auto& arrival = arrival_from(bench, kTarget, kSource);
  const NocConfig& config = bench.config;
  const unsigned slots = config.vc_reserved_flits + config.pool_flits - config.pool_spare_flits -
                         3 * config.vc_pool_flits;
  EXPECT_EQ(slots, 3u);
  const Cycle round_trip = config.hop_cycles.value() + config.credit_cycles.value();
  const Cycle whole_trips = (kFlits - 1) / slots;
  EXPECT_NEAR(static_cast<double>(arrival.tail - arrival.head),
              static_cast<double>(whole_trips * round_trip), static_cast<double>(round_trip));
  bench.torus->check_conservation();
}

// A NIU takes one request at a time, while answers always pass. The three inputs of its router get
// the requests' channel in turn, whatever the link carried last.
TEST(DetailedTorus, InputsTakeTurnsAtAChannelWhateverPassesOnOthers) {
  TorusBench& bench = *benches().detailed[4];
  constexpr unsigned kFromEach = 12;
  const unsigned target = 4 * kColumns + 4;
  const unsigned above = 3 * kColumns + 4;
  bench.nodes[target]->takes_request_in = 20;
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned i = 0; i < kFromEach; ++i) {
    for (const unsigned from : {target - 1, above, target}) {
      Packet& request = static_packet(bench, from, target, 1);
      request.header().kind = PacketKind::kReadRequest;
      bench.nodes[from]->inject(request, start + i);
    }
    Packet& answer = unicast(bench, target - 2, target, 257);
    answer.header().kind = PacketKind::kReadResponse;
    answer.header().vc_class = vc::kClassResponse;
    bench.nodes[target - 2]->inject(answer, start + i);
  }
  bench.calendar.run_until(start + kFromEach * 300);
  std::map<unsigned, unsigned> served;
  unsigned requests = 0;
  for (const auto& arrival : bench.nodes[target]->arrivals) {
    if (arrival.node == target - 2) continue;
    ++served[arrival.node];
    if (++requests == 24) break;
  }
  for (const unsigned from : {target - 1, above, target})
    EXPECT_NEAR(served[from], 8, 1) << "of node " << from;
  bench.torus->check_conservation();
}

// ISA NoC/MemoryMap.md, NOC_CMD_ARB_PRIORITY: i goes before j when 0 < j < i.
TEST(DetailedTorus, TheHigherPriorityGetsTheChannelFirst) {
  const unsigned middle = 3 * kColumns + 3;
  const unsigned to = 6 * kColumns + 3;
  const unsigned sources[] = {3 * kColumns + 1, 1 * kColumns + 3};  // from the left, from above
  for (unsigned favored = 0; favored < 2; ++favored) {
    TorusBench& bench = *benches().detailed[1 + favored];
    const Cycle start = bench.calendar.now() + 1;
    // It holds the channel downwards until both others wait for it; the favored one waits less.
    bench.nodes[middle]->inject(static_packet(bench, middle, to, 257), start);
    for (unsigned i = 0; i < 2; ++i) {
      Packet& packet = static_packet(bench, sources[i], to, 9);
      packet.header().priority = i == favored ? 2 : 1;
      bench.nodes[sources[i]]->inject(packet, start + (i == favored ? 60 : 40));
    }
    bench.calendar.run_until(start + 5000);
    EXPECT_EQ(bench.nodes[to]->arrivals.size(), 3u);
    EXPECT_LT(arrival_from(bench, to, sources[favored]).tail,
              arrival_from(bench, to, sources[1 - favored]).head);
    bench.torus->check_conservation();
  }
}

// Two large packets fill the buffers: one in the NIU, one in the network. The others stay at their
// source, in order, until the target has taken one.
TEST(FastTorus, APacketWaitsAtItsSourceWhileItsTargetTakesNone) {
  TorusBench& bench = benches().fast1;
  const unsigned from = 3 * kColumns + 5;
  TrafficNode& target = *bench.nodes[3 * kColumns + 2];
  target.arrivals.clear();
  target.taking = false;
  const Cycle start = bench.calendar.now() + 1;
  for (unsigned i = 0; i < 5; ++i)
    bench.nodes[from]->inject(unicast(bench, from, 3 * kColumns + 2, 257), start + 300 * i);
  bench.calendar.run_until(start + 5000);
  EXPECT_EQ(target.arrivals.size(), 2u);
  for (unsigned taken = 1; taken <= 5; ++taken) {
    target.take(1, bench.calendar.now());
    bench.calendar.run_until(bench.calendar.now() + 5000);
    EXPECT_EQ(target.arrivals.size(), std::min(taken + 2, 5u));
  }
  for (std::size_t i = 1; i < target.arrivals.size(); ++i)
    EXPECT_GT(target.arrivals[i].sequence, target.arrivals[i - 1].sequence);
  target.taking = true;
  bench.torus->check_conservation();
}

// The fast torus has reserved the channel for the lower priority when the higher one comes.
TEST(FastTorus, StopsWhereAPriorityWouldLetAPacketGoFirst) {
  const unsigned from[] = {3 * kColumns + 1, 1 * kColumns + 3};
  const unsigned middle = 3 * kColumns + 3;
  const unsigned to = 6 * kColumns + 3;
  TorusBench& bench = benches().fast_with_priorities;
  const auto send = [&](unsigned node, unsigned priority, unsigned flits, Cycle when) {
    Packet& packet = static_packet(bench, node, to, flits);
    packet.header().priority = static_cast<std::uint8_t>(priority);
    bench.nodes[node]->inject(packet, when);
  };
  // No packet waits, or the waiting one has the lower priority or none.
  const Cycle start = bench.calendar.now() + 1;
  send(middle, 2, 257, start);
  send(from[0], 1, 9, start + 40);
  send(from[1], 0, 9, start + 60);
  bench.calendar.run_until(start + 2000);
  send(from[0], 1, 9, start + 2000);
  send(from[1], 2, 9, start + 2600);
  bench.calendar.run_until(start + 4000);
  EXPECT_EQ(bench.nodes[to]->arrivals.size(), 5u);

  send(middle, 0, 257, start + 4000);
  send(from[0], 1, 9, start + 4040);
  send(from[1], 2, 9, start + 4060);
  EXPECT_TRUE(tvp::test::faults([&] { bench.calendar.run_until(start + 6000); },
                                foundation::FaultKind::kUnmodelled, {"NOC_CMD_ARB_PRIORITY"}));
}

class UnderLoad : public ::testing::TestWithParam<unsigned> {};

TEST_P(UnderLoad, ModelsAgreeWithinTheStatedBound) {
  const LoadCase& c = kLoads[GetParam()];
  TorusBench& fast = *benches().loaded[GetParam() * 2];
  TorusBench& detailed = *benches().loaded[GetParam() * 2 + 1];
  for (TorusBench* bench : {&fast, &detailed}) {
    bench->start_traffic(c.load, c.flits, 8, 8, 20000, 7);
    bench->calendar.run_until(60000);
    EXPECT_NO_THROW(bench->torus->check_conservation());
  }
  EXPECT_EQ(fast.packets(), detailed.packets());
  EXPECT_GT(fast.packets(), 100u);
  const double difference = fast.mean_latency() / detailed.mean_latency() - 1;
  RecordProperty("difference", std::to_string(difference));
  EXPECT_LE(std::abs(difference), c.bound)
      << "fast " << fast.mean_latency() << ", detailed " << detailed.mean_latency();
}

INSTANTIATE_TEST_SUITE_P(Loads, UnderLoad,
                         ::testing::Range(0u, static_cast<unsigned>(std::size(kLoads))));

TEST(Torus, InFlightPacketsAreNamed) {
  TorusBench& bench = benches().detailed0;
  bench.nodes[0]->inject(unicast(bench, 0, 5, 9), bench.calendar.now() + 1);
  bench.calendar.run_until(bench.calendar.now() + 20);
  std::vector<std::string> lines;
  bench.torus->describe_in_flight(lines);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("(0,0) to (5,0)"), std::string::npos) << lines[0];
  EXPECT_THROW(bench.torus->check_conservation(), foundation::Fault);
  bench.calendar.run_until(bench.calendar.now() + 200);
  EXPECT_NO_THROW(bench.torus->check_conservation());
}

}  // namespace
}  // namespace tvp::noc::torus_test
