// Latency and throughput under synthetic traffic, compared with bounds from the topology and with
// published figures of other simulators.
#include <gtest/gtest.h>

#include "tests/unit/mesh/sweep_bench.h"

namespace tvp::mesh::load_test {
namespace {

// T0 = p H + 2 + (L - 1), the published law of a detailed simulator with the same pipeline, within
// 1 %. For uniform pairs of 8 x 8, including the node itself, H is 1 + 2 (64 - 1) / 24 = 6.25.
TEST(ZeroLoad, MeanLatencyOfUniformTraffic) {
  for (const unsigned flits : {1u, 5u}) {
    Sweep sweep(Setting{"traffic.load", "0.002"},
                Setting{"traffic.packet_flits", std::to_string(flits)},
                Setting{"traffic.measure_cycles", "400000"});
    const LoadPoint point = sweep.run().at(0);
    const double law = 4 * 6.25 + 2 + (flits - 1);
    EXPECT_NEAR(point.mean_latency / law, 1, 0.01) << flits;
    EXPECT_NEAR(point.zero_load_latency / law, 1, 0.01) << flits;
    EXPECT_FALSE(point.is_saturated);
  }
}

// A virtual channel of B flits passes B flits per credit loop, which is 6 cycles by default, as in
// BookSim2 with a credit_delay of 1. BookSim2 was measured on a line of 3 routers with packets of
// 64 flits to the neighbor. It accepts 0.1662, 0.3311, 0.4949, 0.6576, 0.8156 flits per node and
// cycle with 1 to 5 flits of buffer. With 1 flit and a credit_delay of 2 and 3 it accepts 0.1424
// and 0.1247. Packets alternate per cycle, which costs below 2 % in both.
TEST(CreditLoop, IsAsLongAsPublished) {
  struct Row {
    unsigned buffer;
    unsigned credit_cycles;
    double published;
  };
  for (const Row& row : {Row{1, 3, 0.1662}, Row{2, 3, 0.3311}, Row{3, 3, 0.4949}, Row{4, 3, 0.6576},
                         Row{5, 3, 0.8156}, Row{1, 4, 0.1424}, Row{1, 5, 0.1247}}) {
    Sweep sweep(Setting{"mesh.width", "3"}, Setting{"mesh.height", "1"}, Setting{"mesh.vcs", "1"},
                Setting{"traffic.pattern", "neighbor"}, Setting{"traffic.packet_flits", "64"},
                Setting{"traffic.load", "1"}, Setting{"traffic.measure_cycles", "20000"},
                Setting{"mesh.buffer_flits", std::to_string(row.buffer)});
    if (row.credit_cycles != 3) {
      sweep.set("mesh.credit_cycles", std::to_string(row.credit_cycles));
    }
    EXPECT_NEAR(sweep.run().at(0).accepted / row.published, 1, 0.02)
        << row.buffer << " flits, " << row.credit_cycles << " cycles";
  }
}

// A packet of L flits behind a channel of B flits leaves its source in the time of the credit loop
// between source and router. BookSim2 was measured with all nodes offering one flit a cycle to
// their neighbors. Its credit_delay, here 1, does not change these figures.
TEST(SourceLoop, IsAsLongAsPublished) {
  struct Row {
    unsigned side, vcs, buffer, packet;
    double published;
  };
  for (const Row& row : {Row{4, 4, 2, 3, 0.5}, Row{4, 4, 3, 4, 0.6667}, Row{4, 4, 4, 5, 0.8333},
                         Row{4, 4, 2, 4, 0.5}, Row{4, 4, 2, 5, 0.3846}, Row{4, 2, 3, 7, 0.5385},
                         Row{7, 4, 4, 5, 0.8333}, Row{6, 1, 4, 6, 0.5913}}) {
    const std::string side = std::to_string(row.side);
    Sweep sweep(Setting{"mesh.width", side}, Setting{"mesh.height", side},
                Setting{"mesh.vcs", std::to_string(row.vcs)},
                Setting{"mesh.buffer_flits", std::to_string(row.buffer)},
                Setting{"traffic.packet_flits", std::to_string(row.packet)},
                Setting{"traffic.pattern", "neighbor"}, Setting{"traffic.load", "1"});
    EXPECT_NEAR(sweep.run().at(0).accepted / row.published, 1, 0.003)
        << row.side << " x " << row.side << ", " << row.vcs << " x " << row.buffer << " flits, "
        << row.packet;
  }
}

// BookSim2 gives channels in turn, also to those whose buffer is not empty yet. With buffers of two
// flits a packet then waits for a credit that the emptiest channel would have.
TEST(VcSelection, RotatingIsAsSlowAsPublished) {
  struct Row {
    const char* side;
    const char* packet;
    const char* load;
    double published;
  };
  for (const Row& row : {Row{"8", "1", "0.3", 30.21}, Row{"8", "1", "0.37", 34.81},
                         Row{"8", "4", "0.3", 52.33}, Row{"6", "2", "0.4", 29.95}}) {
    const auto latency = [&](const char* selection) {
      Sweep sweep(Setting{"mesh.width", row.side}, Setting{"mesh.height", row.side},
                  Setting{"mesh.vcs", "8"}, Setting{"mesh.buffer_flits", "2"},
                  Setting{"mesh.vc_selection", selection},
                  Setting{"traffic.packet_flits", row.packet}, Setting{"traffic.load", row.load},
                  Setting{"traffic.measure_cycles", "6000"});
      return sweep.run().at(0).mean_latency;
    };
    const double rotating = latency("rotating");
    EXPECT_NEAR(rotating / row.published, 1, 0.02) << row.side << ", load " << row.load;
    EXPECT_LT(latency("most_credits"), 0.98 * rotating) << row.side << ", load " << row.load;
  }
}

// Sources of a saturated network go on while the measured packets drain. Packets that waited in
// their source since the warm-up count, so half of the time before the measurement counts, too.
// BookSim2 was measured with 6000 cycles of warm-up and as many of measurement.
TEST(Overload, LatencyIsAsPublished) {
  struct Row {
    const char *buffer, *packet;
    double published;
  };
  for (const Row& row : {Row{"2", "3", 7482}, Row{"3", "4", 3982}, Row{"2", "5", 11349}}) {
    Sweep sweep(Setting{"mesh.width", "4"}, Setting{"mesh.height", "4"}, Setting{"mesh.vcs", "4"},
                Setting{"mesh.buffer_flits", row.buffer},
                Setting{"traffic.packet_flits", row.packet}, Setting{"traffic.pattern", "neighbor"},
                Setting{"traffic.load", "1"}, Setting{"traffic.warmup_cycles", "6000"},
                Setting{"traffic.measure_cycles", "6000"},
                Setting{"traffic.drain_cycles", "20000"});
    const LoadPoint point = sweep.run().at(0);
    EXPECT_NEAR(point.mean_latency / row.published, 1, 0.05) << row.buffer;
    EXPECT_TRUE(point.is_saturated);
  }
}

// With XY routing, transpose loads one link of each row with 7 nodes. If half of the packets go y
// first, x and y links share the load, and throughput doubles. Valiant routing makes uniform
// traffic over twice the distance: at most half of the 0.5 of uniform traffic, for any pattern.
TEST(Drawn, ThroughputIsThatOfTheLiterature) {
  const auto throughput = [](const char* routing, const char* pattern) {
    Sweep sweep(Setting{"mesh.routing", routing}, Setting{"mesh.vcs", "4"},
                Setting{"traffic.pattern", pattern}, Setting{"traffic.warmup_cycles", "1000"},
                Setting{"traffic.measure_cycles", "2000"}, Setting{"traffic.drain_cycles", "100"});
    return sweep.throughput();
  };
  const double xy = throughput("xy", "transpose");
  const double o1turn = throughput("o1turn", "transpose");
  EXPECT_GT(o1turn, 1.4 * xy);
  EXPECT_LE(o1turn, 2.0 * 8 / 7 * xy);
  for (const char* pattern : {"transpose", "uniform", "neighbor"}) {
    const double valiant = throughput("valiant", pattern);
    EXPECT_LE(valiant, 0.25) << pattern;
    EXPECT_GE(valiant, 0.13) << pattern;
  }
  EXPECT_NEAR(throughput("o1turn", "uniform"), throughput("xy", "uniform"), 0.05);
}

// Twice the distance: 2 H - 1 routers, H to a random router and H to the destination.
TEST(Drawn, ValiantGoesByARandomRouter) {
  Sweep sweep(Setting{"mesh.routing", "valiant"}, Setting{"traffic.load", "0.002"},
              Setting{"traffic.measure_cycles", "200000"});
  const LoadPoint point = sweep.run().at(0);
  EXPECT_NEAR(point.mean_latency / (4 * (2 * 6.25 - 1) + 2), 1, 0.02);
}

// Half of all flits cross the middle: at most 0.5 flits per node and cycle. BookSim2 reaches 0.397
// with these buffers.
TEST(Uniform, DimensionOrderSaturatesWhereItIsPublished) {
  const double xy = Sweep().throughput();
  EXPECT_GE(xy, 0.39);
  EXPECT_LT(xy, 0.5);
  const double yx = Sweep(Setting{"mesh.routing", "yx"}).throughput();
  EXPECT_NEAR(yx, xy, 0.02);
}

// With XY routing, 7 nodes of a row send over one link to their transposes: 1/7 flit per cycle
// each. Adaptive hops spread them.
TEST(Transpose, DimensionOrderIsBoundByItsLinks) {
  Sweep xy(Setting{"traffic.pattern", "transpose"}, Setting{"traffic.drain_cycles", "5000"});
  const double saturation = xy.saturation(0.01);
  EXPECT_LE(saturation, 1.0 / 7);
  EXPECT_GE(saturation, 0.12);
}

// Tornado: every node sends to (3, 3) further; around the edge that is 5 back.
TEST(Tornado, IsBoundByItsLinks) {
  Sweep sweep(Setting{"traffic.pattern", "tornado"});
  // Links east carry packets of sources x to x + 3 <= 7 that pass: 3 at most. Links west carry
  // those of x >= 5 that go back 5: 3 at most.
  EXPECT_LE(sweep.saturation(0.04), 1.0 / 3);
}

// 1 of 8 nodes sends all the way back, alone.
TEST(Neighbor, OnlyTheWayBackIsShared) {
  Sweep sweep(Setting{"traffic.pattern", "neighbor"}, Setting{"traffic.load", "0.6"});
  EXPECT_FALSE(sweep.run().at(0).is_saturated);
}

// The hot spot takes one flit per cycle and gets 10 % + 0.9 / 64 of the packets of 64 nodes.
TEST(Hotspot, IsBoundByOneEjectionPort) {
  Sweep sweep(Setting{"traffic.pattern", "hotspot"});
  const double bound = 1 / (64 * (0.1 + 0.9 / 64));
  const double saturation = sweep.saturation(0.02);
  EXPECT_LE(saturation, bound);
  EXPECT_GE(saturation, 0.75 * bound);
}

TEST(WestFirst, LosesOnUniformAndWinsOnTranspose) {
  const Setting load{"traffic.load", "0.38"};
  EXPECT_TRUE(Sweep(load, Setting{"mesh.routing", "west_first"}).run().at(0).is_saturated);
  EXPECT_FALSE(Sweep(load, Setting{"mesh.routing", "xy"}).run().at(0).is_saturated);
  const Setting transpose{"traffic.pattern", "transpose"};
  EXPECT_GT(Sweep(transpose, Setting{"mesh.routing", "west_first"}).throughput(),
            Sweep(transpose, Setting{"mesh.routing", "xy"}).throughput());
}

TEST(Offered, IsWhatWasAskedFor) {
  for (const char* flits : {"1", "4"}) {
    Sweep sweep(Setting{"traffic.load", "0.2"}, Setting{"traffic.packet_flits", flits},
                Setting{"traffic.measure_cycles", "20000"});
    EXPECT_NEAR(sweep.run().at(0).accepted, 0.2, 0.004);
  }
}

}  // namespace
}  // namespace tvp::mesh::load_test
