// Links and routers that break. Damaged packets are sent again, broken parts are avoided, and
// unreachable destinations are reported.
#include "foundation/fault.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/mesh/routing/deadlock_check.h"
#include "models/mesh/routing/rerouting.h"
#include "tests/unit/mesh/mesh_bench.h"

namespace tvp::mesh::fault_test {
namespace {

using support::Cycle;

TEST(Transient, DamagedPacketsAreSentAgain) {
  for (const char* flow : {"hold", "deflection", "drop", "buffered"}) {
    MeshBench bench({{"width", "3"},
                     {"height", "1"},
                     {"flow_control", flow},
                     {"faults", "link:1.0.east@0+12"}});
    bench.send(0, 2, 3, 0, 5);
    bench.run(200);
    ASSERT_EQ(bench.deliveries.size(), 1u) << flow;
    const auto& delivery = bench.deliveries[0];
    EXPECT_GE(delivery.packet.retries, 1u) << flow;
    EXPECT_EQ(bench.mesh->statistics().packets_damaged, delivery.packet.retries);
    // At the earliest after the first attempt, its answer, and a second attempt.
    const auto law = [&](unsigned flits) { return bench.mesh->zero_load_cycles(3, flits); };
    EXPECT_GE(static_cast<double>(delivery.when), 2 * law(3) + law(1)) << flow;
    EXPECT_EQ(bench.mesh->partition(), "");
    bench.mesh->check_at_end();
  }
}

TEST(Transient, AFaultBesideTheWayDoesNotMatter) {
  MeshBench bench({{"width", "3"}, {"height", "2"}, {"faults", "router:1.1@0+1000"}});
  bench.send(0, 2, 3, 0);
  bench.run(200);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].packet.retries, 0u);
}

TEST(Transient, WhatIsDamagedForEverIsReportedLost) {
  MeshBench bench({{"width", "3"},
                   {"height", "1"},
                   {"faults", "link:1.0.east@0+100000"},
                   {"max_retries", "3"}});
  bench.send(0, 2, 3, 0, 5);
  bench.run(5000);
  EXPECT_TRUE(bench.deliveries.empty());
  ASSERT_EQ(bench.recorders[0].losses.size(), 1u);
  EXPECT_EQ(bench.recorders[0].losses[0].packet.tag, 5u);
  EXPECT_EQ(bench.recorders[0].losses[0].packet.retries, 3u);
  EXPECT_EQ(
      bench.recorders[0].reasons[0],
      "its packet was damaged 4 times, at last by link (1,0).east, and mesh.max_retries is 3");
  EXPECT_EQ(bench.mesh->statistics().packets_lost, 1u);
  EXPECT_EQ(bench.mesh->injection_credits(0), 4u);
  bench.mesh->check_at_end();
}

/// The sender learns of a loss later, and each retry adds the same delay, for every flow control.
TEST(Transient, ALossIsReportedBehindTheLastTry) {
  for (const char* flow : {"hold", "deflection", "drop", "buffered"}) {
    const auto lost_at = [&](const char* retries) -> Cycle {
      MeshBench bench({{"width", "3"},
                       {"height", "1"},
                       {"flow_control", flow},
                       {"faults", "link:1.0.east@0+100000"},
                       {"max_retries", retries}});
      bench.send(0, 2, 3, 0);
      while (bench.recorders[0].losses.empty() && bench.calendar.now() < 5000) bench.run(1);
      EXPECT_EQ(bench.recorders[0].losses.size(), 1u) << flow;
      if (bench.recorders[0].losses.empty()) return 0;
      EXPECT_GT(bench.recorders[0].losses[0].when, bench.calendar.now()) << flow;
      return bench.recorders[0].losses[0].when;
    };
    EXPECT_EQ(lost_at("3") - lost_at("2"), lost_at("2") - lost_at("1")) << flow;
  }
}

TEST(Permanent, PacketsGoAround) {
  MeshBench bench({{"width", "3"},
                   {"height", "2"},
                   {"faults", "link:0.0.east@0"},
                   {"fault_detect_cycles", "50"}});
  bench.send(0, 2, 3, 0);
  bench.run(500);
  bench.send(0, 2, 3, bench.calendar.now());
  bench.run(500);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  // North, east, east, south.
  EXPECT_EQ(bench.deliveries[1].packet.routers, 5u);
  EXPECT_EQ(bench.deliveries[1].packet.retries, 0u);
  ASSERT_EQ(bench.mesh->fault_log().size(), 2u);
  EXPECT_NE(bench.mesh->fault_log()[1].find("link (0,0).east taken out of service"),
            std::string::npos);
  bench.mesh->check_at_end();
}

// With XY routing only packets from (1,1) to (0,0) would pass the broken router.
TEST(Permanent, ACornerIsReachedTheOtherWayRound) {
  MeshBench bench({{"width", "2"},
                   {"height", "2"},
                   {"routing", "xy"},
                   {"faults", "router:0.1@0"},
                   {"fault_detect_cycles", "50"}});
  bench.send(3, 0, 3, 500);
  bench.run(1000);
  ASSERT_EQ(bench.deliveries.size(), 1u);
  EXPECT_EQ(bench.deliveries[0].packet.routers, 3u);  // (1,1), (1,0), (0,0)
  bench.mesh->check_at_end();
}

TEST(Permanent, APartitionIsNamed) {
  MeshBench bench({{"width", "3"}, {"height", "1"}, {"faults", "link:1.0.east@100"}});
  bench.send(0, 2, 3, 0, 1);
  bench.send(0, 2, 3, 400, 2);
  bench.send(0, 1, 3, 400, 3);
  bench.run(1000);
  ASSERT_EQ(bench.deliveries.size(), 2u);
  EXPECT_EQ(bench.deliveries[0].packet.tag, 1u);
  EXPECT_EQ(bench.deliveries[1].packet.tag, 3u);
  ASSERT_EQ(bench.recorders[0].losses.size(), 1u);
  EXPECT_EQ(bench.recorders[0].losses[0].packet.tag, 2u);
  EXPECT_EQ(bench.mesh->partition(), "2 parts: the rest | (2,0)");
  bench.mesh->check_at_end();
}

/// Routers that reach each other, computed independently of the network.
std::vector<unsigned> components(unsigned width, unsigned height,
                                 const std::vector<MeshFault>& faults) {
  const MeshTopology whole(width, height);
  std::vector<bool> works(whole.nodes(), true);
  std::vector<bool> link(std::size_t{whole.nodes()} * kPorts, true);
  for (const MeshFault& fault : faults) {
    if (fault.is_router) {
      works[fault.node] = false;
    } else {
      const unsigned other = whole.neighbor(fault.node, fault.port);
      link[fault.node * kPorts + index(fault.port)] = false;
      link[other * kPorts + index(opposite(fault.port))] = false;
    }
  }
  std::vector<unsigned> label(whole.nodes());
  for (unsigned i = 0; i < whole.nodes(); ++i) label[i] = works[i] ? i : 1000 + i;
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned node = 0; node < whole.nodes(); ++node) {
      for (unsigned port = 1; port < kPorts; ++port) {
        const unsigned other = whole.neighbor(node, static_cast<Port>(port));
        if (other == MeshTopology::kNone || !works[node] || !works[other]) continue;
        if (!link[node * kPorts + port] || label[other] >= label[node]) continue;
        label[node] = label[other];
        changed = true;
      }
    }
  }
  return label;
}

struct Case {
  const char* flow_control;
  const char* routing;
};
class EveryFlowWithFaults : public testing::TestWithParam<Case> {};

// 1, 2 and 4 links or routers break at random under load, forever or for a time. Every packet
// arrives or is reported, and only packets without a path are lost.
TEST_P(EveryFlowWithFaults, NothingIsLostSilently) {
  const unsigned width = 5;
  const unsigned height = 4;
  unsigned rerouted = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const std::string count = std::to_string(1U << seed % 3);
    const bool routers = seed % 2 != 0;
    const bool transient = seed % 4 < 2;
    MeshBench bench({{"width", "5"},
                     {"height", "4"},
                     {"routing", GetParam().routing},
                     {"flow_control", GetParam().flow_control},
                     {"injection_queue_packets", "0"},
                     {routers ? "random_router_faults" : "random_link_faults", count},
                     {"random_fault_cycles", transient ? "150" : "0"},
                     {"random_fault_until", "300"},
                     {"fault_detect_cycles", "60"},
                     {"fault_seed", std::to_string(seed)}});
    const auto label =
        components(width, height,
                   transient ? std::vector<MeshFault>{}
                             : plan_faults(bench.config, MeshTopology(width, height)));
    Dice dice(seed);
    for (unsigned i = 0; i < 300; ++i) {
      bench.send(dice.below(20), dice.below(20), 1 + dice.below(6), dice.below(500), i);
    }
    bench.run(200'000);
    ASSERT_EQ(bench.mesh->in_flight(), 0u) << seed;
    bench.mesh->check_at_end();
    std::vector<bool> seen(300, false);
    const auto see = [&](const MeshPacket& packet) {
      EXPECT_FALSE(seen[packet.tag]) << seed;
      seen[packet.tag] = true;
    };
    for (const auto& delivery : bench.deliveries) see(delivery.packet);
    for (const auto& recorder : bench.recorders) {
      for (const auto& loss : recorder.losses) {
        see(loss.packet);
        EXPECT_NE(label[loss.packet.source] == label[loss.packet.destination] &&
                      label[loss.packet.source] < 1000,
                  true)
            << seed << ": packet " << loss.packet.source << " to " << loss.packet.destination;
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 300) << seed;
    const bool whole = std::all_of(label.begin(), label.end(), [](unsigned l) { return l == 0; });
    EXPECT_EQ(bench.mesh->partition().empty(), whole) << seed;
    for (const std::string& line : bench.mesh->fault_log()) {
      rerouted += line.find("taken out") != std::string::npos;
    }
  }
  EXPECT_GT(rerouted, 50u);
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.flow_control) + "_" + info.param.routing;
}

INSTANTIATE_TEST_SUITE_P(Mesh, EveryFlowWithFaults,
                         testing::Values(Case{"hold", "xy"}, Case{"hold", "west_first"},
                                         Case{"deflection", "xy"}, Case{"drop", "unrestricted"},
                                         Case{"buffered", "xy"}, Case{"buffered", "odd_even"},
                                         Case{"buffered", "minimal_adaptive"}),
                         name_of_case);

constexpr unsigned kNowhere = ~0U;

/// Hops of a random walk through the outputs that the table offers; kNowhere if it gets stuck or
/// does not end.
unsigned hops_of_a_walk(const MeshTopology& topology, const RoutingTable& table, unsigned from,
                        unsigned to, Dice& dice) {
  Port in = Port::kLocal;
  unsigned hops = 0;
  for (unsigned node = from; node != to; ++hops) {
    std::vector<Port> offered;
    for (unsigned bits = table.outputs(node, in, to); bits != 0; bits &= bits - 1)
      offered.push_back(static_cast<Port>(std::countr_zero(bits)));
    if (offered.empty() || hops == 2 * topology.nodes()) return kNowhere;
    const Port out = offered[dice.below(static_cast<unsigned>(offered.size()))];
    node = topology.neighbor(node, out);
    if (node == MeshTopology::kNone) return kNowhere;
    in = opposite(out);
  }
  return hops;
}

// On any remaining topology, up*/down* reaches everything and cannot deadlock.
TEST(UpDown, LeadsEverywhereWithoutDeadlock) {
  Dice dice(3);
  for (unsigned round = 0; round < 200; ++round) {
    MeshTopology topology(2 + dice.below(5), 2 + dice.below(5));
    std::vector<MeshFault> faults;
    for (unsigned i = dice.below(8); i > 0; --i) {
      const unsigned node = dice.below(topology.nodes());
      const auto port = static_cast<Port>(1 + dice.below(4));
      if (dice.below(4) == 0) {
        topology.break_router(node);
        faults.push_back({.is_router = true, .node = node});
        continue;
      }
      const unsigned other = topology.neighbor(node, port);
      if (other == MeshTopology::kNone) continue;
      topology.break_link(node, port);
      topology.break_link(other, opposite(port));
      faults.push_back({.node = node, .port = port});
    }
    const RoutingTable table = up_down_table(topology);
    const DeadlockCheck check(topology, table, false);
    EXPECT_TRUE(check.is_free()) << round << ": " << check.problem();
    const auto label = components(topology.width(), topology.height(), faults);
    const Connectivity connectivity(topology);
    for (unsigned from = 0; from < topology.nodes(); ++from) {
      for (unsigned to = 0; to < topology.nodes(); ++to) {
        const bool connected = label[from] == label[to] && label[from] < 1000;
        ASSERT_EQ(connectivity.reaches(from, to), connected) << round;
        if (!connected) continue;
        const unsigned hops = hops_of_a_walk(topology, table, from, to, dice);
        ASSERT_NE(hops, kNowhere) << round;
        // All offered paths are shortest ones.
        for (unsigned again = 0; again < 3; ++again)
          ASSERT_EQ(hops_of_a_walk(topology, table, from, to, dice), hops) << round;
      }
    }
  }
}

TEST(Plan, RandomFaultsAreSeededAndDistinct) {
  MeshConfig config;
  config.random_link_faults.set("10");
  config.random_router_faults.set("5");
  const MeshTopology topology(4, 4);
  const auto names = [&] {
    std::vector<std::string> list;
    for (const MeshFault& fault : plan_faults(config, topology)) {
      list.push_back(name_of(fault, topology, {}));
    }
    return list;
  };
  auto first = names();
  EXPECT_EQ(first.size(), 15u);
  EXPECT_EQ(first, names());
  config.fault_seed.set("2");
  EXPECT_NE(first, names());
  std::sort(first.begin(), first.end());
  EXPECT_EQ(std::unique(first.begin(), first.end()), first.end());
}

TEST(Plan, ListedFaultsAreWhereAndWhenTheyAreSaidToBe) {
  const MeshTopology topology(4, 3);
  MeshConfig config;
  config.faults.set("link:3.2.west@7+2;router:3.2@0;link:0.0.north@12");
  const auto one = plan_faults(config, topology);
  ASSERT_EQ(one.size(), 3u);
  EXPECT_TRUE(one[0].is_router);  // in the order of their cycles
  EXPECT_EQ(one[0].node, topology.node_at(3, 2));
  EXPECT_EQ(one[0].at, 0u);
  EXPECT_FALSE(one[1].is_router);
  EXPECT_EQ(one[1].node, topology.node_at(3, 2));
  EXPECT_EQ(one[1].port, Port::kWest);
  EXPECT_EQ(one[1].at, 7u);
  EXPECT_EQ(one[1].lasts, 2u);
  EXPECT_EQ(one[2].port, Port::kNorth);
  EXPECT_EQ(one[2].at, 12u);
  config.faults.set("chip1.router:0.2@3");
  EXPECT_EQ(plan_faults(config, topology, 2).at(0).mesh, 1u);
  for (const char* text : {"chip2.router:0.2@3", "chip.router:0.2@3", "router:0.2@3", "chip9"}) {
    config.faults.set(text);
    EXPECT_THROW(plan_faults(config, topology, 2), foundation::Fault) << text;
  }
}

TEST(BadInput, IsRefusedWithWhatWasExpected) {
  const MeshTopology topology(4, 4);
  for (const char* text :
       {"link:1.1@5", "link:1.1.up@5", "link:0.0.west@5", "router:4.0@1", "router:1.1", "1.1@5",
        "router:1.1@5+0", "router:1.1@5x", "router:1.1@1;;", "router:0.4@1", "link:3.3.east@1"}) {
    MeshConfig config;
    config.faults.set(text);
    try {
      plan_faults(config, topology);
      ADD_FAILURE() << text;
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      EXPECT_EQ(fault.where(), "mesh.faults");
      EXPECT_NE(std::string(fault.what()).find("expected link:X.Y.PORT@CYCLE"), std::string::npos);
    }
  }
  MeshConfig config;
  config.random_router_faults.set("17");
  EXPECT_THROW(plan_faults(config, topology), foundation::Fault);
  EXPECT_THROW(MeshBench({{"flow_control", "static"}, {"random_link_faults", "1"}}),
               foundation::Fault);
}

}  // namespace
}  // namespace tvp::mesh::fault_test
