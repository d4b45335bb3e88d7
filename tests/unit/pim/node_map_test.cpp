// The places of units at routers, and the packets of a mesh whose units are numbered by columns.

#include "models/pim/network/node_map.h"

#include <gtest/gtest.h>

#include <set>

#include "models/pim/network/rank_mesh.h"
#include "models/pim/network/tiered_network.h"

namespace tvp::pim {
namespace {

using mesh::kPorts;
using mesh::Port;

struct Settings {
  Settings(const char* node_map, const char* width, const char* height) {
    config.node_map.set(node_map);
    mesh.width.set(width);
    mesh.height.set(height);
  }
  PimConfig config;
  mesh::MeshConfig mesh;
};

// The document's list: node 0 at (0, 0), node 1 at (0, 1), node 31 at (3, 7).
TEST(NodeMap, HasThePlacesOfTheDocument) {
  const Settings settings("columns", "4", "8");
  const NodeMap map(settings.config, settings.mesh);
  const mesh::MeshTopology topology(4, 8);
  for (unsigned unit = 0; unit < 32; ++unit) {
    EXPECT_EQ(topology.x_of(map.router_of(unit)), unit / 8) << unit;
    EXPECT_EQ(topology.y_of(map.router_of(unit)), unit % 8) << unit;
    EXPECT_EQ(map.unit_at(map.router_of(unit)), unit);
  }
}

TEST(NodeMap, NumbersRowsByDefault) {
  const Settings settings("rows", "8", "4");
  const NodeMap map(settings.config, settings.mesh);
  for (unsigned unit = 0; unit < 32; ++unit) {
    EXPECT_EQ(map.router_of(unit), unit);
    EXPECT_EQ(map.unit_at(unit), unit);
  }
}

struct Unit : NetworkEndpoint {
  void deliver(const Packet& packet, support::Cycle when) override {
    last = packet;
    at = when;
  }
  void injection_credit(support::Cycle) override {}
  void lost(const Packet&, const std::string&) override {}
  Packet last{};
  support::Cycle at = 0;
};

/// Sends one packet from `from` to `to`, and returns its time on an empty network.
support::Cycle time(Network& network, support::Calendar& calendar, std::vector<Unit>& units,
                    unsigned from, unsigned to) {
  const support::Cycle begin = calendar.now() + 100;
  network.inject({.source = from, .destination = to, .payload = {}, .tag = 5}, begin);
  calendar.run_until(begin + 1000);
  EXPECT_EQ(units[to].last.source, from);
  EXPECT_EQ(units[to].last.destination, to);
  EXPECT_EQ(units[to].last.tag, 5U);
  return units[to].at - begin;
}

// A hop of `hold` takes a cycle, so a packet's time grows by the distance of the routers.
TEST(NodeMap, DecidesTheDistancesInARank) {
  Settings settings("columns", "4", "8");
  settings.mesh.flow_control.set("hold");
  support::Calendar calendar{lookahead(settings.config)};
  RankMesh network(settings.config, settings.mesh, 32, calendar);
  std::vector<Unit> units(32);
  for (unsigned unit = 0; unit < 32; ++unit) network.connect(unit, units[unit]);
  const support::Cycle near = time(network, calendar, units, 0, 1);
  EXPECT_EQ(time(network, calendar, units, 0, 8), near);
  EXPECT_EQ(time(network, calendar, units, 7, 8), near + 7);   // (0, 7) to (1, 0): 8 hops
  EXPECT_EQ(time(network, calendar, units, 31, 0), near + 9);  // the longest step of a ring: 10
  network.check_at_end();
}

TEST(NodeMap, DecidesTheRoutesOfAStaticSchedule) {
  Settings settings("columns", "4", "8");
  settings.mesh.flow_control.set("static");
  support::Calendar calendar{lookahead(settings.config)};
  RankMesh network(settings.config, settings.mesh, 32, calendar);
  std::vector<std::uint32_t> links;
  network.scheduled_route(0, 1, links);
  EXPECT_EQ(links.front(), 0 * kPorts + mesh::index(Port::kNorth));
  network.scheduled_route(0, 8, links);
  EXPECT_EQ(links.front(), 0 * kPorts + mesh::index(Port::kEast));
}

// The gateway of a chip is at (0, 0). Unit 1 of 4 x 2 routers by columns is at (0, 1) and unit 4
// at (2, 0).
TEST(NodeMap, DecidesTheDistancesInAChip) {
  const auto times = [](const char* node_map) {
    Settings settings(node_map, "4", "2");
    settings.config.network.set("tiers");
    settings.mesh.flow_control.set("hold");
    support::Calendar calendar{lookahead(settings.config)};
    foundation::StopOnFault faults;
    const PimHierarchy hierarchy = PimHierarchy::parse("bank=8 chip=2");
    ChannelArray channels(settings.config, hierarchy, *dram::find_preset("ddr4_2400"), faults);
    TieredNetwork network(settings.config, settings.mesh, hierarchy, channels, calendar);
    std::vector<Unit> units(16);
    for (unsigned unit = 0; unit < 16; ++unit) network.connect(unit, units[unit]);
    std::vector<support::Cycle> list;
    for (const unsigned to : {1U, 4U, 2U}) list.push_back(time(network, calendar, units, 0, to));
    // Into another chip, whose unit 3 is at (1, 1) by columns and at (3, 0) by rows.
    list.push_back(time(network, calendar, units, 0, 11));
    network.check_at_end();
    return list;
  };
  const auto rows = times("rows");
  const auto columns = times("columns");
  EXPECT_EQ(rows[1], rows[0]);         // (1, 0) and (0, 1)
  EXPECT_EQ(columns[1], rows[0] + 1);  // (2, 0)
  EXPECT_EQ(columns[2], rows[0]);      // (1, 0)
  EXPECT_LT(columns[3], rows[3]);
}

}  // namespace
}  // namespace tvp::pim
