// Traffic classes, ages and throttling: priority and its effect under load.
#include <gtest/gtest.h>

#include "foundation/fault.h"
#include "tests/unit/mesh/mesh_bench.h"
#include "tests/unit/mesh/sweep_bench.h"

namespace tvp::mesh::qos_test {
namespace {

// Beyond saturation, urgent packets cross almost as in an empty mesh, but only with priority and
// their own channels.
TEST(Strict, UrgentPacketsCrossASaturatedMesh) {
  const auto urgent_latency = [](const char* arbitration, const char* groups) {
    Sweep sweep(Setting{"mesh.vcs", "4"}, Setting{"mesh.vc_groups", groups},
                Setting{"mesh.arbitration", arbitration}, Setting{"traffic.load", "0.55"},
                Setting{"traffic.urgent_share", "0.1"}, Setting{"traffic.drain_cycles", "3000"});
    return sweep.run().at(0).urgent_latency;
  };
  const double empty = 4 * 6.25 + 2;
  EXPECT_LT(urgent_latency("strict", "2"), 1.25 * empty);
  EXPECT_GT(urgent_latency("default", "1"), 3 * empty);
}

// Two full streams share a link in the ratio of their weights.
TEST(Weighted, SharesALinkByWeights) {
  for (const auto& [weights, share] :
       {std::pair{"1:3:1:1", 0.75}, {"1:1:1:1", 0.5}, {"5:2:1:1", 2.0 / 7}}) {
    MeshBench bench({{"width", "3"},
                     {"height", "2"},
                     {"vcs", "4"},
                     {"vc_groups", "2"},
                     {"arbitration", "weighted"},
                     {"class_weights", weights},
                     {"injection_queue_packets", "0"}});
    for (unsigned i = 0; i < 3000; ++i) {
      bench.send(1, 5, 1, 0, 0, 0);  // (1,0) east and north to (2,1)
      bench.send(0, 5, 1, 0, 1, 1);  // (0,0) through (1,0)
    }
    bench.run(2000);
    double urgent = 0;
    double all = 0;
    for (const auto& delivery : bench.deliveries) {
      if (delivery.when < 500) continue;
      ++all;
      urgent += delivery.packet.traffic_class;
    }
    EXPECT_GT(all, 1400);
    EXPECT_NEAR(urgent / all, share, 0.02) << weights;
    bench.run();
    bench.mesh->check_at_end();
  }
}

// The oldest packet goes first, so fewer packets starve.
TEST(Oldest, ShortensTheTail) {
  const auto tail = [](const char* arbitration) {
    Sweep sweep(Setting{"mesh.arbitration", arbitration}, Setting{"traffic.load", "0.39"},
                Setting{"traffic.measure_cycles", "8000"});
    return sweep.run().at(0).p99;
  };
  EXPECT_LT(tail("oldest"), tail("round_robin"));
}

TEST(Strict, BeatsAgeWhereNothingIsBuffered) {
  // Both are at (2,1) in the same cycle and go north. The first one is older by a cycle and comes
  // from the south, or from the west.
  struct {
    unsigned older, newer;
  } const sources[] = {{1, 5}, {4, 2}};
  for (const char* flow : {"hold", "deflection", "drop"}) {
    for (const char* arbitration : {"oldest", "strict"}) {
      for (const auto& from : sources) {
        MeshBench bench({{"width", "4"},
                         {"height", "3"},
                         {"flow_control", flow},
                         {"arbitration", arbitration}});
        bench.send(from.older, 10, 1, 0, 1, 0);
        bench.send(from.newer, 10, 1, 1, 2, 1);
        bench.run(100);
        ASSERT_EQ(bench.deliveries.size(), 2u);
        const bool strict = std::string(arbitration) == "strict";
        EXPECT_EQ(bench.deliveries[0].packet.tag, strict ? 2u : 1u)
            << flow << " " << arbitration << " " << from.older;
        EXPECT_EQ(bench.mesh->statistics().packets_blocked, 1u) << flow;  // the other packet
      }
    }
  }
}

TEST(Strict, UrgentPacketsOvertakeInTheInjectionQueue) {
  MeshBench bench({{"width", "4"}, {"height", "1"}, {"arbitration", "strict"}});
  bench.send(0, 3, 8, 0, 1, 0);
  bench.send(0, 3, 8, 0, 2, 0);
  bench.send(0, 3, 2, 3, 3, 2);
  bench.run(200);
  ASSERT_EQ(bench.deliveries.size(), 3u);
  // The first packet is being sent already.
  EXPECT_EQ(bench.deliveries[0].packet.tag, 1u);
  EXPECT_EQ(bench.deliveries[1].packet.tag, 3u);
}

// Adaptive routing loses throughput beyond saturation; sources that wait for their router keep it.
TEST(Throttle, KeepsThroughputBeyondSaturation) {
  const auto throughput = [](const char* limit) {
    Sweep sweep(Setting{"mesh.routing", "west_first"}, Setting{"mesh.throttle_flits", limit});
    return sweep.throughput();
  };
  EXPECT_GT(throughput("12"), 1.2 * throughput("0"));
}

TEST(BadWeights, AreRefused) {
  for (const char* weights :
       {"", "1:2:3", "1:2:3:0", "1:2:3:256", "1:2:3:4:5", "1,2,3,4", "a:b:c:d"}) {
    EXPECT_THROW(parse_weights(weights), foundation::Fault) << weights;
  }
  EXPECT_EQ(parse_weights("9:8:7:6"), (std::array<std::uint8_t, 4>{9, 8, 7, 6}));
  EXPECT_THROW(MeshBench({{"vcs", "2"}, {"vc_groups", "3"}}), foundation::Fault);
  EXPECT_THROW(MeshBench({{"flow_control", "hold"}, {"arbitration", "weighted"}}),
               foundation::Fault);
  EXPECT_THROW(MeshBench({{"flow_control", "drop"}, {"arbitration", "round_robin"}}),
               foundation::Fault);
  EXPECT_THROW(MeshBench({{"routing", "minimal_adaptive"}, {"vcs", "4"}, {"vc_groups", "2"}}),
               foundation::Fault);
  MeshBench bench({{"width", "2"}, {"height", "2"}});
  EXPECT_THROW(bench.send(0, 1, 1, 0, 0, 4), foundation::Fault);
}

// Checks conservation of packets for every arbitration.
TEST(Arbitration, LosesNothingUnderHeavyLoad) {
  for (const char* arbitration : {"round_robin", "oldest", "strict", "weighted"}) {
    MeshBench bench({{"width", "4"},
                     {"height", "4"},
                     {"arbitration", arbitration},
                     {"vc_groups", "2"},
                     {"vcs", "3"},
                     {"throttle_flits", "20"},
                     {"injection_queue_packets", "0"}});
    Dice dice(3);
    for (unsigned i = 0; i < 3000; ++i) {
      bench.send(dice.below(16), dice.below(16), 1 + dice.below(6), dice.below(1500), i,
                 dice.below(4));
    }
    bench.run();
    bench.mesh->check_at_end();
    EXPECT_EQ(bench.deliveries.size(), 3000u) << arbitration;
    std::uint64_t counted = 0;
    for (const support::LatencyHistogram& histogram : bench.mesh->statistics().latency) {
      EXPECT_GT(histogram.count(), 600u);
      counted += histogram.count();
    }
    EXPECT_EQ(counted, 3000u);
  }
}

}  // namespace
}  // namespace tvp::mesh::qos_test
