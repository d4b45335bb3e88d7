#include "tests/cli/fabric_runs.h"

namespace tvp {
namespace {

using test::expect;

class CliFabric : public FabricRuns {};

// Checks bytes and counters. Two streams share the rate of one.
TEST_F(CliFabric, StreamsOfTheFabricGoOneWayAndBoth) {
  const auto rate = [&](const std::string& workload, const std::string& settings,
                        const std::string& metric, unsigned packets = 8) {
    const std::string report = path("fabric.json");
    expect("run " + workload + " --set packets=" + std::to_string(packets) + "," + settings +
               " --report " + report,
           0, {workload, "passed"});
    return test::read_json(report)["metrics"][metric]["value"].get<double>();
  };
  const double alone = rate("fabric_bandwidth", "hops=1", "rate_4096", 32);
  const double both = rate("fabric_bandwidth", "hops=1,both_ways=true,fused=true", "rate_4096", 32);
  EXPECT_GT(alone, 11);
  // Routers wait for each write before its increment: 5.81 GB/s on silicon.
  EXPECT_NEAR(both, 5.81, 0.581);
  // A mux takes 187 and 275 cycles on silicon.
  EXPECT_NEAR(rate("mux_bandwidth", "clients=8", "cycles_16", 64), 187, 10);
  EXPECT_NEAR(rate("mux_bandwidth", "clients=2", "cycles_4096", 64), 275, 12);
}

// A core that sends to all neighbors of its chip limits the rate for packets of any size. With
// increments, routers limit it.
TEST_F(CliFabric, ChipsOfAMeshSendToAllOfTheirNeighbors) {
  const auto plain = rates("fabric_neighbors", "packets=32");
  EXPECT_NEAR(plain.second / plain.first, 2, 0.01);
  const auto fused = rates("fabric_neighbors", "packets=32,fused=true");
  EXPECT_LT(fused.first, 0.8 * plain.first);
  EXPECT_LT(fused.second, 0.8 * plain.second);
  // With one core per neighbor, routers limit the rate.
  EXPECT_GT(rates("fabric_neighbors", "packets=32,senders=each_way").first, 1.2 * plain.first);
  expect("run fabric_neighbors --set rows=3", 2, {"a mesh of 3 x 2 devices", "the system has 8"});
}

// A ring as full as its bubbles allow still moves, and no sender is much slower than the others. In
// a row, both directions load the link in the middle, which sets the pace. Sending both ways
// therefore takes as long as sending the longer way only.
TEST_F(CliFabric, ChipsOfARingSendBothWays) {
  EXPECT_GT(rates("fabric_ring", "packets=64").second, 7);
  EXPECT_GT(rates("fabric_ring", "packets=64,pattern=half").second, 8.7);
  EXPECT_GT(rates("fabric_ring", "packets=64,pattern=last").second, 7);
  const std::string row = "packets=64,send=fused,chips=4,pattern=";
  const auto both_ways = rates("fabric_ring", row + "line");
  EXPECT_GT(both_ways.second, 6.5);
  EXPECT_NEAR(both_ways.first / 3, rates("fabric_ring", row + "longer").first / 2, 0.1);
  // With one core per direction, chips near the middle finish earlier and those at the ends last.
  EXPECT_LT(rates("fabric_ring", row + "line,senders=each_way").first, 0.95 * both_ways.first);
  expect("run fabric_ring --set packets=64,send=scatter,chips=3,system=quad_ring,pattern=line", 0,
         {"passed"});
  expect("run fabric_ring --set chips=1", 2, {"fabric_ring.chips", "expected 2 or more"});
  expect("run fabric_ring --set chips=2", 2, {"a ring of 2 devices", "expected 3 or more"});
}

}  // namespace
}  // namespace tvp
