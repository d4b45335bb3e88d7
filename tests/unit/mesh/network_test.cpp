// Packets through a whole mesh: destination, time and order.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "foundation/fault.h"
#include "tests/unit/mesh/mesh_bench.h"

namespace tvp::mesh::network_test {
namespace {

using support::Cycle;

/// Routers on the shortest way.
unsigned routers_between(const MeshTopology& topology, unsigned a, unsigned b) {
  const auto distance = [](unsigned u, unsigned v) { return u > v ? u - v : v - u; };
  const unsigned from = topology.router_of(a);
  const unsigned to = topology.router_of(b);
  return 1 + distance(topology.x_of(from), topology.x_of(to)) +
         distance(topology.y_of(from), topology.y_of(to));
}

struct Flow {
  const char* flow_control;
  const char* routing;
};

class EveryFlow : public testing::TestWithParam<Flow> {};

std::string name_of_flow(const testing::TestParamInfo<Flow>& info) {
  return std::string(info.param.flow_control) + "_" + info.param.routing;
}

// Single packets between all pairs must arrive unchanged over the shortest path.
TEST_P(EveryFlow, ReachesEveryEndpointTheShortestWay) {
  MeshBench bench({{"width", "4"},
                   {"height", "3"},
                   {"routing", GetParam().routing},
                   {"flow_control", GetParam().flow_control}},
                  true);
  const MeshTopology& topology = bench.mesh->topology();
  const unsigned gateway = topology.nodes();
  std::vector<std::uint8_t> bytes{1, 2, 3};
  for (unsigned from = 0; from <= gateway; ++from) {
    for (unsigned to = 0; to <= gateway; ++to) {
      bench.deliveries.clear();
      MeshPacket packet;
      packet.source = static_cast<std::uint16_t>(from);
      packet.destination = static_cast<std::uint16_t>(to);
      packet.flits = 3;
      packet.tag = from * 100 + to;
      packet.payload = bytes;
      bench.mesh->inject(packet, bench.calendar.now());
      bench.run(200);
      ASSERT_EQ(bench.deliveries.size(), 1u) << from << " to " << to;
      const MeshPacket& got = bench.deliveries[0].packet;
      EXPECT_EQ(got.source, from);
      EXPECT_EQ(got.destination, to);
      EXPECT_EQ(got.tag, from * 100 + to);
      EXPECT_EQ(got.payload.data(), bytes.data());
      EXPECT_EQ(got.payload.size(), bytes.size());
      EXPECT_EQ(got.routers, routers_between(topology, from, to)) << from << " to " << to;
    }
  }
  bench.mesh->check_at_end();
  EXPECT_EQ(bench.calendar.next(), support::kNever) << "an empty mesh costs nothing";
}

// The units of a PIM rank: eight chips of four banks.
TEST(Defaults, AMeshHasARouterForEachUnitOfARank) {
  const MeshBench bench({});
  EXPECT_EQ(bench.config.width, 4u);
  EXPECT_EQ(bench.config.height, 8u);
  EXPECT_EQ(bench.recorders.size(), 32u);
}

TEST_P(EveryFlow, LosesNothingUnderHeavyLoad) {
  const auto run = [](std::vector<Cycle>& times) {
    MeshBench bench({{"width", "4"},
                     {"height", "4"},
                     {"routing", GetParam().routing},
                     {"flow_control", GetParam().flow_control},
                     {"injection_queue_packets", "0"}},
                    true);
    const unsigned endpoints = bench.mesh->topology().endpoints();
    Dice dice(7);
    std::map<std::uint64_t, unsigned> wanted;
    for (unsigned i = 0; i < 3000; ++i) {
      const unsigned from = dice.below(endpoints);
      const unsigned to = dice.below(endpoints);
      bench.send(from, to, 1 + dice.below(6), dice.below(1500), i);
      wanted[i] = to;
    }
    bench.run();
    bench.mesh->check_at_end();
    ASSERT_EQ(bench.deliveries.size(), wanted.size());
    for (const auto& delivery : bench.deliveries) {
      ASSERT_EQ(wanted.count(delivery.packet.tag), 1u);
      EXPECT_EQ(wanted[delivery.packet.tag], delivery.packet.destination);
      wanted.erase(delivery.packet.tag);
      times.push_back(delivery.when);
    }
    const Statistics& statistics = bench.mesh->statistics();
    EXPECT_EQ(statistics.packets_delivered, 3000u);
    EXPECT_EQ(statistics.flits_delivered, statistics.flits_injected);
    EXPECT_GT(statistics.packets_blocked, 0u);
  };
  std::vector<Cycle> first;
  std::vector<Cycle> second;
  run(first);
  run(second);
  EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, EveryFlow,
    testing::Values(Flow{"buffered", "xy"}, Flow{"buffered", "yx"}, Flow{"buffered", "west_first"},
                    Flow{"buffered", "north_last"}, Flow{"buffered", "negative_first"},
                    Flow{"buffered", "odd_even"}, Flow{"buffered", "minimal_adaptive"},
                    Flow{"hold", "xy"}, Flow{"hold", "yx"}, Flow{"hold", "west_first"},
                    Flow{"hold", "north_last"}, Flow{"hold", "negative_first"},
                    Flow{"hold", "odd_even"}, Flow{"deflection", "xy"},
                    Flow{"deflection", "unrestricted"}, Flow{"deflection", "odd_even"},
                    Flow{"drop", "xy"}, Flow{"drop", "unrestricted"}, Flow{"drop", "west_first"}),
    name_of_flow);

// T0 = p H + 2 + (L - 1), H routers, L flits, p = 4, or 3 with both allocations in one cycle.
TEST(Buffered, ZeroLoadLatencyFollowsThePipeline) {
  for (const unsigned p : {3u, 4u}) {
    MeshBench bench({{"width", "8"},
                     {"height", "8"},
                     {"vc_allocation_cycles", p == 3 ? "0" : "1"},
                     {"buffer_flits", "8"}});
    const MeshTopology& topology = bench.mesh->topology();
    Dice dice(3);
    for (unsigned i = 0; i < 300; ++i) {
      const unsigned from = dice.below(64);
      const unsigned to = dice.below(64);
      const unsigned flits = 1 + dice.below(9);
      const Cycle start = bench.calendar.now();
      bench.deliveries.clear();
      bench.send(from, to, flits, start);
      bench.run(300);
      ASSERT_EQ(bench.deliveries.size(), 1u);
      EXPECT_EQ(bench.deliveries[0].when - start,
                p * routers_between(topology, from, to) + 2 + flits - 1);
    }
  }
}

// One cycle per router and one into the first router, without buffers.
TEST(Bufferless, ZeroLoadLatencyIsOneCycleARouter) {
  for (const char* flow : {"hold", "deflection", "drop", "static"}) {
    MeshBench bench({{"width", "4"}, {"height", "8"}, {"flow_control", flow}});
    const MeshTopology& topology = bench.mesh->topology();
    Dice dice(3);
    for (unsigned i = 0; i < 200; ++i) {
      const unsigned from = dice.below(32);
      const unsigned to = dice.below(32);
      const unsigned flits = 1 + dice.below(9);
      const Cycle start = bench.calendar.now();
      bench.deliveries.clear();
      bench.send(from, to, flits, start);
      bench.run(100);
      ASSERT_EQ(bench.deliveries.size(), 1u);
      EXPECT_EQ(bench.deliveries[0].when - start,
                routers_between(topology, from, to) + 1 + flits - 1)
          << flow;
    }
    bench.mesh->check_at_end();
  }
}

// Two packets request the same output in the same cycle, and the older one wins.
TEST(Hold, TheYoungerPacketWaits) {
  MeshBench bench({{"width", "3"}, {"height", "3"}, {"flow_control", "hold"}});
  // Both are at router (1,1) in cycle 3 and go north; the older one comes from the south.
  bench.send(1, 7, 1, 0, 1);
  bench.send(3, 7, 1, 0, 2);
  bench.run(20);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  EXPECT_EQ(bench.deliveries[1].when - bench.deliveries[0].when, 1u);
}

/// Packets of equal age win in the order of their input ports (protocol.md).
TEST(Hold, EqualAgesGoInTheOrderOfPorts) {
  MeshBench bench({{"width", "3"}, {"height", "3"}, {"flow_control", "hold"}});
  // From the west, south, east and north neighbor to the middle.
  for (const unsigned from : {3U, 1U, 5U, 7U}) bench.send(from, 4, 1, 0);
  bench.run(100);
  std::vector<unsigned> order;
  for (const auto& delivery : bench.deliveries) order.push_back(delivery.packet.source);
  EXPECT_EQ(order, (std::vector<unsigned>{7, 5, 1, 3}));
}

TEST(Deflection, TheYoungerPacketTakesAnotherWayAndNothingWaits) {
  MeshBench bench({{"width", "3"}, {"height", "3"}, {"flow_control", "deflection"}});
  // Both are at (1,1) in the same cycle and go north.
  bench.send(3, 7, 1, 0, 1);
  bench.send(1, 7, 1, 0, 2);
  bench.run(50);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  EXPECT_EQ(bench.deliveries[0].packet.tag, 1u);
  EXPECT_EQ(bench.deliveries[0].packet.routers, 3u);
  // One hop away and one hop back.
  EXPECT_EQ(bench.deliveries[1].packet.routers, 5u);
  EXPECT_EQ(bench.deliveries[1].when - bench.deliveries[0].when, 2u);
  EXPECT_EQ(bench.mesh->statistics().packets_blocked, 1u);
}

TEST(Drop, TheYoungerPacketIsSentAgain) {
  MeshBench bench({{"width", "3"}, {"height", "3"}, {"flow_control", "drop"}});
  bench.send(3, 7, 4, 0, 1);
  bench.send(1, 7, 4, 0, 2);
  bench.run(100);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  EXPECT_EQ(bench.deliveries[0].packet.retries, 0u);
  EXPECT_EQ(bench.deliveries[0].when, 3u + 1 + 3);
  EXPECT_GE(bench.deliveries[1].packet.retries, 1u);
  EXPECT_EQ(bench.mesh->statistics().retries, bench.deliveries[1].packet.retries);
  EXPECT_EQ(bench.mesh->statistics().flits_delivered, 8u);
  bench.mesh->check_at_end();
}

// A stream moves at one flit per cycle, and the queue returns credits one by one.
TEST(Injection, PlacesComeBackAsPacketsLeaveTheQueue) {
  for (const char* flow : {"hold", "deflection", "drop", "buffered"}) {
    MeshBench bench({{"width", "4"},
                     {"height", "1"},
                     {"flow_control", flow},
                     {"injection_queue_packets", "2"}});
    EXPECT_EQ(bench.mesh->injection_credits(0), 2u);
    bench.send(0, 3, 4, 10);
    bench.send(0, 3, 4, 10);
    EXPECT_EQ(bench.mesh->injection_credits(0), 0u);
    EXPECT_THROW(bench.send(0, 3, 4, 10), foundation::Fault);
    bench.run(100);
    EXPECT_EQ(bench.mesh->injection_credits(0), 2u);
    // The tails leave in cycles 13 and 17.
    EXPECT_EQ(bench.recorders[0].credits, (std::vector<Cycle>{14, 18})) << flow;
    ASSERT_EQ(bench.deliveries.size(), 2u);
    EXPECT_EQ(bench.deliveries[1].when - bench.deliveries[0].when, 4u) << flow;
  }
}

TEST(BadInput, IsRefused) {
  EXPECT_THROW(MeshTopology(0, 4), foundation::Fault);
  MeshTopology topology(3, 3);
  EXPECT_THROW(topology.add_gateway(1, 1, Port::kWest), foundation::Fault);
  EXPECT_THROW(topology.add_gateway(0, 0, Port::kLocal), foundation::Fault);
  EXPECT_THROW(topology.add_gateway(3, 0, Port::kEast), foundation::Fault);
  EXPECT_EQ(topology.add_gateway(0, 0, Port::kWest), 9u);
  EXPECT_THROW(topology.add_gateway(0, 0, Port::kWest), foundation::Fault);
  MeshBench bench({{"width", "2"}, {"height", "2"}});
  EXPECT_THROW(bench.send(0, 4, 1, 0), foundation::Fault);
  EXPECT_THROW(bench.send(0, 1, 0, 0), foundation::Fault);
}

TEST(Conservation, WhatIsUnderWayAtTheEndIsReported) {
  MeshBench bench({{"width", "4"}, {"height", "4"}});
  bench.send(0, 15, 3, 0);
  bench.run(5);
  EXPECT_THROW(bench.mesh->check_at_end(), foundation::Fault);
  bench.run();
  bench.mesh->check_at_end();
}

}  // namespace
}  // namespace tvp::mesh::network_test
