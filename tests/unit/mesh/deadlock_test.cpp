// Routing functions that can deadlock, by mesh. The results are compared with the literature, with
// a search without channels by destination, and with packets that get stuck.
#include <gtest/gtest.h>

#include <set>

#include "foundation/fault.h"
#include "models/mesh/flow_control/hold_mesh.h"
#include "models/mesh/routing/deadlock_check.h"
#include "models/mesh/routing/routing_registry.h"
#include "tests/unit/mesh/mesh_bench.h"

namespace tvp::mesh::deadlock_test {
namespace {

RoutingTable table_of(const MeshTopology& topology, const std::string& routing) {
  return RoutingTable(topology, *make_routing(routing));
}

TEST(Routing, TurnModelsAreFreeWithoutVirtualChannels) {
  for (const auto& [width, height] : {std::pair{1, 1}, {1, 6}, {2, 2}, {4, 8}, {7, 5}, {8, 8}}) {
    MeshTopology topology(static_cast<unsigned>(width), static_cast<unsigned>(height));
    topology.add_gateway(0, 0, Port::kWest);
    for (const char* routing :
         {"xy", "yx", "west_first", "north_last", "negative_first", "odd_even"}) {
      const DeadlockCheck check(topology, table_of(topology, routing), false);
      EXPECT_TRUE(check.is_free()) << routing << ": " << check.problem();
    }
  }
}

// Tables of large meshes store equal entries once. Every output must equal that of the routing
// function, for all 64 x 64 routers.
TEST(Routing, TablesOfLargeMeshesAreThoseOfTheirFunctions) {
  constexpr unsigned kSide = 64;
  MeshTopology topology(kSide, kSide);
  const unsigned outside = topology.add_gateway(kSide - 1, 7, Port::kEast);
  for (const std::string& name : routing_names()) {
    const auto routing = make_routing(name);
    const RoutingTable table(topology, *routing);
    Dice dice(3);
    for (unsigned i = 0; i < 20'000; ++i) {
      const unsigned node = dice.below(topology.nodes());
      const unsigned to = dice.below(topology.endpoints());
      const auto in = static_cast<Port>(dice.below(kPorts));
      const unsigned part = dice.below(table.parts());
      const unsigned target = topology.router_of(to);
      const bool outer = topology.endpoint_at(node, in) != MeshTopology::kNone;
      const Hop hop{
          .x = topology.x_of(node),
          .y = topology.y_of(node),
          .in = outer ? Port::kLocal : in,
          .dx = static_cast<int>(topology.x_of(target)) - static_cast<int>(topology.x_of(node)),
          .dy = static_cast<int>(topology.y_of(target)) - static_cast<int>(topology.y_of(node)),
          .part = part};
      const bool there = target == node;
      ASSERT_EQ(table.outputs(node, in, to, part),
                there ? mask_of(topology.port_of(to)) : routing->outputs(hop))
          << name << " at " << node << " to " << to;
      ASSERT_EQ(table.escape(node, in, to), there ? 0 : routing->escape(hop)) << name;
    }
    if (table.has_escape()) continue;
    const DeadlockCheck check(topology, table, false);
    EXPECT_EQ(check.is_free(), name != "unrestricted") << name << ": " << check.problem();
  }
  EXPECT_EQ(table_of(topology, "xy").outputs(topology.router_of(outside), Port::kWest, outside),
            mask_of(Port::kEast));
}

TEST(Routing, AdaptiveNeedsItsEscape) {
  MeshTopology topology(4, 4);
  EXPECT_TRUE(DeadlockCheck(topology, table_of(topology, "minimal_adaptive"), true).is_free());
  EXPECT_FALSE(DeadlockCheck(topology, table_of(topology, "minimal_adaptive"), false).is_free());
  EXPECT_FALSE(DeadlockCheck(topology, table_of(topology, "unrestricted"), true).is_free());
  // A line has no turns.
  MeshTopology line(8, 1);
  EXPECT_TRUE(DeadlockCheck(line, table_of(line, "unrestricted"), false).is_free());
}

/// Each channel of the cycle leads to the router that the next one leaves.
TEST(Cycle, IsNamedChannelByChannel) {
  MeshTopology topology(3, 2);
  const RoutingTable table = table_of(topology, "unrestricted");
  const DeadlockCheck check(topology, table, false);
  const auto& cycle = check.cycle();
  ASSERT_EQ(cycle.size(), 4u);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const unsigned next = cycle[(i + 1) % cycle.size()];
    EXPECT_EQ(topology.neighbor(cycle[i] / kPorts, static_cast<Port>(cycle[i] % kPorts)),
              next / kPorts);
    EXPECT_NE(check.problem().find(
                  topology.name_of_link(cycle[i] / kPorts, static_cast<Port>(cycle[i] % kPorts))),
              std::string::npos);
  }
}

TEST(Make, RefusesWhatDeadlocksAndNamesTheCycle) {
  for (const char* flow : {"hold", "buffered"}) {
    try {
      MeshBench bench({{"routing", "unrestricted"}, {"flow_control", flow}});
      FAIL() << flow;
    } catch (const foundation::Fault& fault) {
      EXPECT_EQ(fault.kind(), foundation::FaultKind::kDescription);
      const std::string text = fault.what();
      EXPECT_NE(text.find("unrestricted deadlocks"), std::string::npos) << text;
      // The turns around one square.
      for (const char* turn : {".north -> ", ".east -> ", ".south -> ", ".west -> "}) {
        EXPECT_NE(text.find(turn), std::string::npos) << text;
      }
    }
  }
  EXPECT_THROW(MeshBench({{"routing", "minimal_adaptive"}, {"flow_control", "hold"}}),
               foundation::Fault);
  EXPECT_THROW(MeshBench({{"routing", "minimal_adaptive"}, {"vcs", "1"}}), foundation::Fault);
  for (const char* routing : {"o1turn", "valiant"}) {
    const MeshBench::Settings alone(1, {"routing", routing});
    EXPECT_NO_THROW(MeshBench{alone});
    EXPECT_THROW(MeshBench({{"routing", routing}, {"vcs", "1"}}), foundation::Fault);
    EXPECT_THROW(MeshBench({{"routing", routing}, {"vcs", "3"}, {"vc_groups", "2"}}),
                 foundation::Fault);
    for (const char* flow : {"hold", "deflection", "drop", "static"}) {
      EXPECT_THROW(MeshBench({{"routing", routing}, {"flow_control", flow}}), foundation::Fault);
    }
  }
}

// A configuration that the check refuses deadlocks when it runs.
TEST(Stuck, PacketsWaitInACircleWithoutTheCheck) {
  MeshBench bench({{"width", "4"}, {"height", "4"}, {"injection_queue_packets", "0"}});
  bench.set("routing", "unrestricted");
  bench.set("flow_control", "hold");
  MeshTopology topology(4, 4);
  HoldMesh mesh(bench.config, topology, bench.calendar);
  for (unsigned i = 0; i < 16; ++i) mesh.connect(i, bench.recorders[i]);
  Dice dice(5);
  for (unsigned i = 0; i < 4000; ++i) {
    MeshPacket packet;
    packet.source = static_cast<std::uint16_t>(dice.below(16));
    packet.destination = static_cast<std::uint16_t>(dice.below(16));
    packet.flits = 8;
    mesh.inject(packet, dice.below(4000));
  }
  bench.run(100'000);
  const std::uint64_t stuck = mesh.in_flight();
  EXPECT_GT(stuck, 0u);
  EXPECT_TRUE(mesh.is_stuck());
  EXPECT_EQ(bench.calendar.next(), support::kNever);
  EXPECT_NE(mesh.why_stuck().find("packets wait for each other"), std::string::npos);
  bench.run(100'000);
  EXPECT_EQ(mesh.in_flight(), stuck);
}

/// All single paths of packets, and the closure of successors.
bool has_cycle_by_brute_force(const MeshTopology& topology, const RoutingTable& table) {
  std::set<std::pair<unsigned, unsigned>> follows;
  std::set<unsigned> channels;
  for (unsigned from = 0; from < topology.nodes(); ++from) {
    for (unsigned to = 0; to < topology.nodes(); ++to) {
      // The states (node, input, previous channel), until none is new.
      std::set<std::tuple<unsigned, unsigned, unsigned>> seen;
      std::vector<std::tuple<unsigned, unsigned, unsigned>> left{{from, 0, 9999}};
      while (!left.empty()) {
        const auto [node, in, before] = left.back();
        left.pop_back();
        if (node == to || !seen.insert({node, in, before}).second) continue;
        for (unsigned port = 1; port < kPorts; ++port) {
          const PortMask mask = table.outputs(node, static_cast<Port>(in), to);
          const unsigned next = topology.neighbor(node, static_cast<Port>(port));
          if ((mask >> port & 1) == 0 || next == MeshTopology::kNone) continue;
          const unsigned channel = node * kPorts + port;
          channels.insert(channel);
          if (before != 9999) follows.insert({before, channel});
          left.push_back({next, index(opposite(static_cast<Port>(port))), channel});
        }
      }
    }
  }
  // Removes channels that wait for none until nothing changes. The rest is in a cycle or leads to
  // one.
  for (bool changed = true; changed;) {
    changed = false;
    for (auto it = channels.begin(); it != channels.end();) {
      bool waits = false;
      for (const unsigned other : channels) waits = waits || follows.count({*it, other}) != 0;
      if (!waits) changed = true;
      it = waits ? std::next(it) : channels.erase(it);
    }
  }
  return !channels.empty();
}

TEST(BruteForce, AgreesOnRandomRouting) {
  Dice dice(11);
  unsigned with_cycle = 0;
  unsigned without = 0;
  for (unsigned round = 0; round < 400; ++round) {
    MeshTopology topology(2 + dice.below(2), 2 + dice.below(2));
    RoutingTable table = table_of(topology, "unrestricted");
    // Removes random choices, but leaves one.
    for (unsigned node = 0; node < topology.nodes(); ++node) {
      for (unsigned in = 0; in < kPorts; ++in) {
        for (unsigned to = 0; to < topology.nodes(); ++to) {
          const PortMask mask = table.outputs(node, static_cast<Port>(in), to);
          const auto less = static_cast<PortMask>(mask & (mask - 1));
          const auto lowest = static_cast<PortMask>(mask & ~less);
          if (less != 0 && dice.below(8) != 0) {
            table.set(node, static_cast<Port>(in), to, dice.below(3) != 0 ? less : lowest);
          }
        }
      }
    }
    const bool expected = has_cycle_by_brute_force(topology, table);
    const DeadlockCheck check(topology, table, false);
    EXPECT_EQ(!check.cycle().empty(), expected) << round;
    ++(expected ? with_cycle : without);
  }
  EXPECT_GT(with_cycle, 50u);
  EXPECT_GT(without, 50u);
}

// Long packets, some of which fit into buffers behind others, at loads beyond saturation. All must
// arrive, by the escape channel or because some channels do not wait for each other.
TEST(Escape, LongPacketsGetHomeUnderOverload) {
  struct Case {
    const char* routing;
    const char* vcs;
    const char* buffer;
  };
  for (const auto& [routing, vcs, buffer] :
       {Case{"minimal_adaptive", "2", "2"}, Case{"minimal_adaptive", "3", "2"},
        Case{"minimal_adaptive", "2", "12"}, Case{"minimal_adaptive", "4", "7"},
        Case{"o1turn", "2", "2"}, Case{"valiant", "3", "2"}}) {
    MeshBench bench({{"width", "4"},
                     {"height", "4"},
                     {"routing", routing},
                     {"vcs", vcs},
                     {"buffer_flits", buffer},
                     {"injection_queue_packets", "0"}});
    Dice dice(9);
    for (unsigned i = 0; i < 6000; ++i) {
      bench.send(dice.below(16), dice.below(16), 1 + dice.below(20), dice.below(3000));
    }
    bench.run();
    bench.mesh->check_at_end();
    EXPECT_EQ(bench.deliveries.size(), 6000u);
  }
}

TEST(DeadEnd, IsReported) {
  MeshTopology topology(3, 1);
  RoutingTable table = table_of(topology, "xy");
  table.set(1, Port::kWest, 2, 0);
  const DeadlockCheck check(topology, table, false);
  EXPECT_FALSE(check.is_free());
  EXPECT_NE(check.problem().find("no way on at (1,0)"), std::string::npos) << check.problem();
}

}  // namespace
}  // namespace tvp::mesh::deadlock_test
