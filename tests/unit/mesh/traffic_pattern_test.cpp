// Destinations of synthetic traffic (Dally, Towles: Principles and Practices of Interconnection
// Networks, section 3.2).
#include "models/mesh/traffic/traffic_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "foundation/fault.h"

namespace tvp::mesh::traffic_pattern_test {
namespace {

TEST(Pattern, PartnersAreThoseOfTheTextbook) {
  MeshTrafficConfig config;
  const MeshTopology topology(8, 8);
  foundation::Random random(1);
  const auto partner = [&](const char* pattern, unsigned x, unsigned y) {
    config.pattern.set(pattern);
    return TrafficPattern(config, topology).destination(topology.node_at(x, y), random);
  };
  EXPECT_EQ(partner("transpose", 2, 5), topology.node_at(5, 2));
  EXPECT_EQ(partner("bit_reverse", 1, 0), topology.node_at(0, 4));  // 000001 to 100000
  EXPECT_EQ(partner("bit_reverse", 3, 2), topology.node_at(2, 6));  // 010011 to 110010
  EXPECT_EQ(partner("tornado", 6, 1), topology.node_at(1, 4));
  EXPECT_EQ(partner("neighbor", 7, 3), topology.node_at(0, 4));
  config.pattern.set("uniform");
  std::vector<unsigned> seen(64, 0);
  const TrafficPattern uniform(config, topology);
  for (unsigned i = 0; i < 64'000; ++i) ++seen[uniform.destination(5, random)];
  // Five standard deviations of a count of 1000.
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 1000 - 5 * std::sqrt(1000));
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 1000 + 5 * std::sqrt(1000));
}

// A permutation loads every node alike, whatever the shape of the mesh.
TEST(Pattern, EveryNodeHasOnePartner) {
  for (const auto& [width, height] : {std::pair{8u, 8u}, {4u, 4u}, {5u, 4u}, {7u, 3u}, {8u, 2u}}) {
    const MeshTopology topology(width, height);
    foundation::Random random(1);
    for (const char* name : {"transpose", "bit_reverse", "tornado", "neighbor"}) {
      MeshTrafficConfig config;
      config.pattern.set(name);
      const bool square = width == height;
      const bool whole = std::has_single_bit(topology.nodes());
      if (name == std::string("transpose") ? !square : name == std::string("bit_reverse") && !whole)
        continue;
      const TrafficPattern pattern(config, topology);
      std::set<unsigned> partners;
      for (unsigned node = 0; node < topology.nodes(); ++node) {
        partners.insert(pattern.destination(node, random));
      }
      EXPECT_EQ(partners.size(), topology.nodes()) << name << ' ' << width << 'x' << height;
      EXPECT_EQ(*partners.rbegin(), topology.nodes() - 1);
    }
  }
}

TEST(Pattern, AHotspotGetsItsShareBesideTheOthers) {
  MeshTrafficConfig config;
  const MeshTopology topology(4, 4);
  config.pattern.set("hotspot");
  config.hotspot.set("15");
  config.hotspot_share.set("0.25");
  foundation::Random random(1);
  const TrafficPattern pattern(config, topology);
  unsigned hits = 0;
  for (unsigned i = 0; i < 16'000; ++i) hits += pattern.destination(3, random) == 15;
  const double expected = 16'000 * (0.25 + 0.75 / 16);
  EXPECT_NEAR(hits, expected, 5 * std::sqrt(expected));
}

TEST(Pattern, IsRefusedWhereItIsNotDefined) {
  const auto on = [](const char* pattern, unsigned width, unsigned height, const char* hotspot) {
    MeshTrafficConfig config;
    config.pattern.set(pattern);
    config.hotspot.set(hotspot);
    const TrafficPattern made(config, MeshTopology(width, height));
  };
  EXPECT_THROW(on("transpose", 8, 4, "0"), foundation::Fault);
  EXPECT_THROW(on("bit_reverse", 8, 5, "0"), foundation::Fault);
  EXPECT_THROW(on("hotspot", 8, 5, "40"), foundation::Fault);
  EXPECT_NO_THROW(on("hotspot", 8, 5, "39"));
}

}  // namespace
}  // namespace tvp::mesh::traffic_pattern_test
