#include "sw/runtime/fabric/fabric_routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "foundation/fault.h"

namespace tvp::runtime {
namespace {

using namespace contract::fabric;
using Hop = FabricRoutes::Hop;
using Graph = std::map<Hop, std::set<Hop>>;

std::uint8_t leg(unsigned hops, bool positive) {
  return static_cast<std::uint8_t>(hops | (positive ? MeshRoute::kPositive : 0U));
}

/// Merges all links of a ring in one direction: with bubbles, packets there always move.
Hop ring_of(const FabricRoutes& routes, Hop hop) {
  if (!routes.on_ring(hop.direction)) return hop;
  const unsigned columns = routes.shape().columns;
  hop.device = along_row(hop.direction) ? hop.device / columns * columns : hop.device % columns;
  return hop;
}

/// Dependencies of all packets: to every device, and along every branch of every multicast, up to
/// all other devices of a row and column. With `bubbles` off, rings keep no slot free.
Graph waits(const FabricRoutes& routes, bool rings_rows, bool rings_columns, bool bubbles) {
  Graph graph;
  const auto add = [&](std::vector<Hop> path) {
    if (bubbles)
      for (Hop& hop : path) hop = ring_of(routes, hop);
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (path[i] != path[i + 1]) graph[path[i]].insert(path[i + 1]);
  };
  const auto [rows, columns] = routes.shape();
  for (unsigned from = 0; from < routes.devices(); ++from) {
    for (unsigned to = 0; to < routes.devices(); ++to) add(routes.path(from, to));
    for (const bool south : {false, true})
      for (const bool east : {false, true}) {
        const unsigned y = from / columns;
        const unsigned x = from % columns;
        const unsigned most_y = rings_columns ? rows - 1 : south ? rows - 1 - y : y;
        const unsigned most_x = rings_rows ? columns - 1 : east ? columns - 1 - x : x;
        for (unsigned spine = 0; spine <= most_y; ++spine)
          add(routes.path(from, {leg(spine, south), leg(most_x, east)}));
      }
  }
  return graph;
}

bool has_cycle(const Graph& graph) {
  std::map<Hop, unsigned> incoming;
  for (const auto& [from, all] : graph) {
    incoming.try_emplace(from, 0);
    for (const Hop& to : all) ++incoming[to];
  }
  std::vector<Hop> free;
  for (const auto& [hop, count] : incoming)
    if (count == 0) free.push_back(hop);
  std::size_t removed = 0;
  while (!free.empty()) {
    const Hop hop = free.back();
    free.pop_back();
    ++removed;
    const auto found = graph.find(hop);
    if (found == graph.end()) continue;
    for (const Hop& to : found->second)
      if (--incoming[to] == 0) free.push_back(to);
  }
  return removed != incoming.size();
}

TEST(FabricRoutes, ChannelsOfNoShapeWaitForEachOtherInACircle) {
  for (std::uint32_t rows = 1; rows <= 4; ++rows) {
    for (std::uint32_t columns = 1; columns <= 8; ++columns) {
      for (const bool ring_rows : {false, true}) {
        for (const bool ring_columns : {false, true}) {
          if ((ring_rows && columns < 3) || (ring_columns && rows < 3)) continue;
          const FabricRoutes routes({rows, columns}, {ring_rows, ring_columns});
          EXPECT_FALSE(has_cycle(waits(routes, ring_rows, ring_columns, true)))
              << rows << " x " << columns << " " << ring_rows << ring_columns;
          // The check must find a cycle in rings without bubbles.
          EXPECT_EQ(has_cycle(waits(routes, ring_rows, ring_columns, false)),
                    ring_rows || ring_columns);
        }
      }
    }
  }
}

TEST(FabricRoutes, PathsEndWhereTheyShallAndAreNoLongerThanNeedBe) {
  for (const bool rings : {false, true}) {
    const FabricRoutes routes({4, 8}, {rings, rings});
    for (unsigned from = 0; from < 32; ++from) {
      for (unsigned to = 0; to < 32; ++to) {
        unsigned at = from;
        for (const Hop& hop : routes.path(from, to)) {
          EXPECT_EQ(hop.device, at);
          at = routes.neighbor(at, hop.direction).value();
        }
        EXPECT_EQ(at, to);
        const auto along = [&](unsigned a, unsigned b, unsigned positions) {
          const unsigned distance = a > b ? a - b : b - a;
          return rings ? std::min(distance, positions - distance) : distance;
        };
        EXPECT_EQ(routes.path(from, to).size(),
                  along(from / 8, to / 8, 4) + along(from % 8, to % 8, 8));
        if (from != to) {
          EXPECT_EQ(routes.first_direction(from, to), routes.path(from, to)[0].direction);
        }
      }
    }
    EXPECT_EQ(routes.first_direction(5, 5), kNoDirection);
  }
}

TEST(FabricRoutes, LinksAreOnRingsAlongAxesThatWrap) {
  const FabricRoutes rows({3, 4}, {.rows = true});
  const FabricRoutes columns({3, 4}, {.columns = true});
  for (const Direction direction : {kEast, kWest, kNorth, kSouth}) {
    EXPECT_EQ(rows.on_ring(direction), along_row(direction));
    EXPECT_EQ(columns.on_ring(direction), !along_row(direction));
  }
}

TEST(FabricRoutes, OfTwoEqualWaysRoundARingHalfTakesEach) {
  const FabricRoutes routes({1, 8}, {.rows = true});
  EXPECT_EQ(routes.first_direction(0, 4), kEast);
  EXPECT_EQ(routes.first_direction(1, 5), kWest);
  EXPECT_EQ(routes.first_direction(0, 5), kWest);
  EXPECT_EQ(routes.path(0, 5).size(), 3u);
}

TEST(FabricRoutes, TablesHoldHopsAndDirections) {
  const RoutingTable table = FabricRoutes({2, 4}, {}).table(2);
  EXPECT_EQ(table.device, 2);
  EXPECT_EQ(table.devices, 8);
  EXPECT_EQ(table.rows, 2);
  EXPECT_EQ(table.columns, 4);
  EXPECT_EQ(table.routes[4].column, leg(1, true));
  EXPECT_EQ(table.routes[4].row, leg(2, false));
  EXPECT_EQ(table.routes[3].column, leg(0, false));
  EXPECT_EQ(table.routes[3].row, leg(1, true));
}

TEST(FabricRoutes, RefusesWhatIsNoMesh) {
  EXPECT_THROW(FabricRoutes({0, 4}, {}), foundation::Fault);
  EXPECT_THROW(FabricRoutes({1, 34}, {}), foundation::Fault);
  EXPECT_THROW(FabricRoutes({2, 4}, {.columns = true}), foundation::Fault);
  EXPECT_THROW(FabricRoutes({4, 2}, {.rows = true}), foundation::Fault);
  EXPECT_NO_THROW(FabricRoutes({1, 32}, {.rows = true}));
}

}  // namespace
}  // namespace tvp::runtime
