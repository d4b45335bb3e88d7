#include "platform/system/topology.h"

#include <gtest/gtest.h>

namespace tvp::platform {
namespace {

using Kind = Topology::Kind;

std::vector<unsigned> degrees(const Topology& topology) {
  std::vector<unsigned> degrees(topology.size());
  for (const TopologyEdge& edge : topology.edges()) {
    ++degrees[edge.a];
    ++degrees[edge.b];
  }
  return degrees;
}

std::size_t wraps(const Topology& topology) {
  std::size_t count = 0;
  for (const TopologyEdge& edge : topology.edges()) count += edge.wraps ? 1 : 0;
  return count;
}

TEST(Topology, ALineHasTwoEnds) {
  const Topology line(Kind::kLine, {5});
  EXPECT_EQ(line.size(), 5U);
  EXPECT_EQ(degrees(line), (std::vector<unsigned>{1, 2, 2, 2, 1}));
  EXPECT_EQ(wraps(line), 0U);
}

TEST(Topology, ARingClosesBetweenItsEnds) {
  const Topology ring(Kind::kRing, {4});
  EXPECT_EQ(degrees(ring), (std::vector<unsigned>{2, 2, 2, 2}));
  ASSERT_EQ(wraps(ring), 1U);
  const TopologyEdge& last = ring.edges().back();
  EXPECT_TRUE(last.wraps);
  EXPECT_EQ(last.a, 3U);
  EXPECT_EQ(last.b, 0U);
}

TEST(Topology, AMeshHasCornersRimAndMiddle) {
  const Topology mesh(Kind::kMesh, {3, 4});
  EXPECT_EQ(mesh.edges().size(), 3U * 3 + 2 * 4);
  EXPECT_EQ(degrees(mesh), (std::vector<unsigned>{2, 3, 3, 2, 3, 4, 4, 3, 2, 3, 3, 2}));
  EXPECT_EQ(wraps(mesh), 0U);
  EXPECT_EQ(mesh.place(7), (std::vector<unsigned>{1, 3}));
  EXPECT_EQ(mesh.row(7), 1U);
  EXPECT_EQ(mesh.column(7), 3U);
}

TEST(Topology, ATorusHasTheSameDegreeEverywhere) {
  const Topology torus(Kind::kTorus, {3, 4, 5});
  EXPECT_EQ(torus.edges().size(), 3U * 60);
  for (const unsigned degree : degrees(torus)) EXPECT_EQ(degree, 6U);
  EXPECT_EQ(wraps(torus), 4U * 5 + 3 * 5 + 3 * 4);
  for (const TopologyEdge& edge : torus.edges()) {
    // The next node along the axis, or the first one.
    auto next = torus.place(edge.a);
    next[edge.axis] = (next[edge.axis] + 1) % torus.shape()[edge.axis];
    EXPECT_EQ(torus.place(edge.b), next);
    EXPECT_EQ(edge.wraps, next[edge.axis] == 0);
  }
}

TEST(Topology, AnAxisOfOneHasNoEdges) {
  EXPECT_EQ(Topology(Kind::kTorus, {1, 4}).edges().size(), 4U);
  EXPECT_EQ(Topology(Kind::kMesh, {4, 1}).edges().size(), 3U);
}

TEST(Topology, AnAxisOfTwoHasOneEdge) {
  EXPECT_EQ(Topology(Kind::kTorus, {2, 4}).edges().size(), 4U + 2 * 4);
  EXPECT_EQ(wraps(Topology(Kind::kTorus, {2, 4})), 2U);
  EXPECT_EQ(Topology(Kind::kTorus, {2, 2, 2}).edges().size(), 12U);
}

TEST(Topology, AStarHasItsCenterAtPositionZero) {
  EXPECT_EQ(degrees(Topology(Kind::kStar, {5})), (std::vector<unsigned>{4, 1, 1, 1, 1}));
}

TEST(Topology, ShapesThatMakeNoSenseAreToldApart) {
  EXPECT_FALSE(Topology::complaint(Kind::kMesh, {2, 4}));
  EXPECT_FALSE(Topology::complaint(Kind::kTorus, {1, 3}));
  EXPECT_EQ(Topology::complaint(Kind::kLine, {2, 4}), "one number, how many chips there are");
  EXPECT_EQ(Topology::complaint(Kind::kMesh, {}), "1 to 3 numbers, e.g. [rows, columns]");
  EXPECT_EQ(Topology::complaint(Kind::kMesh, {2, 2, 2, 2}), "1 to 3 numbers, e.g. [rows, columns]");
  EXPECT_EQ(Topology::complaint(Kind::kStar, {1}), "at least 2 chips");
  EXPECT_TRUE(Topology::complaint(Kind::kRing, {2})->starts_with("at least 3 chips"));
  EXPECT_FALSE(Topology::complaint(Kind::kTorus, {2, 4}));
}

TEST(Topology, KindsHaveNames) {
  EXPECT_EQ(Topology::kind_names(), "line, ring, mesh, torus, star");
  EXPECT_EQ(Topology::kind_of("torus"), Kind::kTorus);
  EXPECT_EQ(Topology::kind_of("hypercube"), std::nullopt);
  EXPECT_EQ(Topology(Kind::kTorus, {4}).kind_name(), "torus");
}

}  // namespace
}  // namespace tvp::platform
