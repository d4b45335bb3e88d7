#include "models/noc/torus/route.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "tests/unit/noc/wormhole_grid.h"

namespace tvp::noc::route_test {
namespace {

std::string unicast(unsigned noc, Node from, Node to) {
  NocExtension header;
  header.source = from;
  header.target = to;
  std::vector<RouteLeg> legs;
  find_route(wormhole_grid(), header, noc, legs);
  std::string text;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    EXPECT_EQ(legs[i].feeder, i > 0 ? i - 1 : 0) << "a chain";
    text += "XYNI"[static_cast<unsigned>(legs[i].port())];
    text += legs[i].dateline ? "'" : "";
  }
  return text;
}

TEST(Route, Noc0GoesRightThenDown) {
  EXPECT_EQ(unicast(0, {1, 1}, {3, 2}), "IXXYN");
  EXPECT_EQ(unicast(0, {1, 1}, {1, 1}), "IN");
}

TEST(Route, Noc1GoesAlongYFirst) { EXPECT_EQ(unicast(1, {1, 1}, {3, 2}), "IYXXN"); }

TEST(Route, DatelineBitFlipsWhereTheRingClosesAndClearsAtTheTurn) {
  EXPECT_EQ(unicast(0, {8, 10}, {1, 1}), "IXX'X'YY'Y'N'");
}

TEST(Route, RequestAndAnswerCompleteTheRings) {
  for (unsigned noc = 0; noc < 2; ++noc) {
    const Node from{2, 3}, to{7, 10};
    const auto hops = unicast(noc, from, to) + unicast(noc, to, from);
    EXPECT_EQ(std::count(hops.begin(), hops.end(), 'X'), 10);
    EXPECT_EQ(std::count(hops.begin(), hops.end(), 'Y'), 12);
  }
}

struct BroadcastCase {
  Node source, start, end;
  bool y_major, include;
};

class BroadcastRoute : public ::testing::TestWithParam<BroadcastCase> {};

TEST_P(BroadcastRoute, VisitsEachTileOfTheRectangleOnceAndNoLinkTwice) {
  const BroadcastCase& c = GetParam();
  NocExtension header;
  header.broadcast = true;
  header.source = c.source;
  header.start = c.start;
  header.target = c.end;
  header.y_major = c.y_major;
  header.source_included = c.include;
  std::vector<RouteLeg> legs;
  find_route(wormhole_grid(), header, 0, legs);
  std::set<unsigned> links, delivered, expected;
  for (std::size_t i = 0; i < legs.size(); ++i) {
    EXPECT_TRUE(links.insert(legs[i].link).second) << "link twice";
    EXPECT_LT(legs[i].feeder, i > 0 ? i : 1);
    if (legs[i].port() == Port::kNiu) delivered.insert(legs[i].node());
  }
  auto wanted = [](unsigned v, unsigned start, unsigned end) {
    return start <= end ? v >= start && v <= end : v <= end || v >= start;
  };
  for (unsigned y = 0; y < wormhole_grid().rows(); ++y) {
    for (unsigned x = 0; x < wormhole_grid().columns(); ++x) {
      const Node n{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
      if (!wanted(x, c.start.x, c.end.x) || !wanted(y, c.start.y, c.end.y)) continue;
      if (n == c.source && !c.include) continue;
      expected.insert(n.index());
    }
  }
  EXPECT_EQ(delivered, expected);
}

INSTANTIATE_TEST_SUITE_P(Rectangles, BroadcastRoute,
                         ::testing::Values(BroadcastCase{{2, 2}, {3, 5}, {7, 9}, false, false},
                                           BroadcastCase{{2, 2}, {3, 5}, {7, 9}, true, false},
                                           BroadcastCase{{5, 6}, {3, 5}, {7, 9}, false, false},
                                           BroadcastCase{{5, 6}, {3, 5}, {7, 9}, true, true},
                                           BroadcastCase{{5, 6}, {8, 10}, {1, 2}, false, false},
                                           BroadcastCase{{9, 11}, {8, 10}, {1, 2}, true, false},
                                           BroadcastCase{{0, 0}, {0, 0}, {9, 11}, false, true},
                                           BroadcastCase{{4, 4}, {4, 4}, {4, 4}, false, true}));

TEST(Route, XMajorReachesTheColumnsFirstThenBranchesAlongRows) {
  NocExtension header;
  header.broadcast = true;
  header.source = {2, 2};
  header.start = {3, 5};
  header.target = {4, 6};
  std::vector<RouteLeg> legs;
  find_route(wormhole_grid(), header, 0, legs);
  std::string text;
  for (const RouteLeg& leg : legs) text += "XYNI"[static_cast<unsigned>(leg.port())];
  // To column 3, down it to rows 5 and 6, each row to the right.
  EXPECT_EQ(text, "IXYYYNXNYNXN");
}

}  // namespace
}  // namespace tvp::noc::route_test
