// A router that stops ends the steps of its mesh, and the mesh names it.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "foundation/warning_sink.h"
#include "tests/unit/mesh/mesh_bench.h"
#include "tests/unit/mesh/wrapped_routers.h"

namespace tvp::mesh {
namespace {

/// A 4 x 4 mesh of wrapped routers, one of them with a defect.
struct StuckBench : MeshBench {
  StuckBench(const char* flow, const Defect& defect)
      : MeshBench({{"width", "4"},
                   {"height", "4"},
                   {"flow_control", flow},
                   {"injection_queue_packets", "0"}}),
        routers(config, MeshTopology(4, 4), defect) {
    mesh = make_mesh(config, MeshTopology(4, 4), calendar, &routers);
    for (unsigned i = 0; i < recorders.size(); ++i) mesh->connect(i, recorders[i]);
  }
  /// Runs until nothing is scheduled; false if that takes too long.
  bool run_to_rest() {
    run(100'000);
    return calendar.next() == support::kNever;
  }
  std::string text() const { return mesh->why_stuck(); }

  WrappedRouters routers;
};

/// Keeps warnings.
struct Warnings : foundation::WarningSink {
  void warn(const foundation::Fault& fault) override { texts.emplace_back(fault.what()); }
  std::vector<std::string> texts;
};

Defect never_ready(unsigned node, Port input) {
  return {.node = node, .not_ready = mask_of(input)};
}
Defect silent(unsigned node, Port output) { return {.node = node, .silent = mask_of(output)}; }

TEST(Stuck, WrappedRoutersWithoutADefectDeliver) {
  for (const char* flow : {"hold", "buffered"}) {
    StuckBench bench(flow, {});
    MeshBench model({{"width", "4"},
                     {"height", "4"},
                     {"flow_control", flow},
                     {"injection_queue_packets", "0"}});
    Dice dice(3);
    for (unsigned i = 0; i < 400; ++i) {
      const unsigned from = dice.below(16), to = dice.below(16), flits = 1 + dice.below(6);
      const support::Cycle when = dice.below(300);
      bench.send(from, to, flits, when, i);
      model.send(from, to, flits, when, i);
    }
    EXPECT_TRUE(bench.run_to_rest());
    model.run();
    EXPECT_FALSE(bench.mesh->is_stuck());
    EXPECT_EQ(bench.text(), "");
    bench.mesh->check_at_end();
    std::vector<support::Cycle> wrapped(400), modelled(400);
    for (const auto& d : bench.deliveries) wrapped[d.packet.tag] = d.when;
    for (const auto& d : model.deliveries) modelled[d.packet.tag] = d.when;
    EXPECT_EQ(wrapped, modelled) << flow;
  }
}

TEST(Stuck, ARouterThatIsNeverReadyIsNamed) {
  StuckBench bench("hold", never_ready(5, Port::kWest));
  bench.send(4, 7, 3, 10);
  EXPECT_TRUE(bench.run_to_rest());
  EXPECT_TRUE(bench.mesh->is_stuck());
  // Two of three flits get into router (0,1), in the cycles 10 and 11.
  EXPECT_EQ(bench.text(),
            "mesh.router (1,1) is never ready at its west input: packet 0 from (0,1) to (3,1), "
            "created at cycle 10, waits in router (0,1), no flit has moved since cycle 12");
  EXPECT_LT(bench.mesh->statistics().cycles, bench.mesh->patience() + 5);
}

TEST(Stuck, ARouterThatReturnsNoCreditIsNamed) {
  StuckBench bench("buffered", never_ready(5, Port::kWest));
  for (unsigned i = 0; i < 4; ++i) bench.send(4, 7, 8, 10);
  EXPECT_TRUE(bench.run_to_rest());
  const std::string text = bench.text();
  EXPECT_TRUE(text.starts_with("mesh.router (1,1) is never ready at its west input: packet "))
      << text;
  EXPECT_NE(text.find("waits in router (0,1)"), std::string::npos) << text;
}

TEST(Stuck, ARouterThatSendsNothingIsNamed) {
  StuckBench hold("hold", silent(5, Port::kEast));
  hold.send(4, 7, 3, 10);
  EXPECT_TRUE(hold.run_to_rest());
  EXPECT_TRUE(hold.text().starts_with(
      "mesh.router (1,1) does not send a flit that came through its west input: packet 0 from "
      "(0,1) to (3,1), created at cycle 10, waits there"))
      << hold.text();
}

TEST(Stuck, AnInjectionQueueWaitsForItsRouter) {
  for (const char* flow : {"hold", "buffered"}) {
    StuckBench bench(flow, never_ready(6, Port::kLocal));
    for (unsigned i = 0; i < 6; ++i) bench.send(6, 15, 8, 5);
    EXPECT_TRUE(bench.run_to_rest());
    const std::string text = bench.text();
    EXPECT_TRUE(text.starts_with("mesh.router (2,1) is never ready at its local input: packet "))
        << text;
    EXPECT_NE(text.find("waits in its injection queue"), std::string::npos) << text;
  }
}

/// Under traffic, many packets wait behind the first one. The culprit is named all the same, and
/// traffic elsewhere arrives.
TEST(Stuck, TheCulpritIsNamedAmongManyWaits) {
  for (const char* flow : {"hold", "buffered"}) {
    for (const Port port : {Port::kNorth, Port::kEast, Port::kSouth, Port::kWest}) {
      StuckBench bench(flow, never_ready(10, port));
      Dice dice(9);
      for (unsigned i = 0; i < 1000; ++i)
        bench.send(dice.below(16), dice.below(16), 1 + dice.below(8), dice.below(500));
      EXPECT_TRUE(bench.run_to_rest());
      const std::string text = bench.text();
      EXPECT_TRUE(text.starts_with(std::string("mesh.router (2,2) is never ready at its ") +
                                   name_of(port) + " input: packet "))
          << text;
      EXPECT_GT(bench.deliveries.size(), 10u);
      bench.mesh->check_conservation();
    }
  }
}

/// A stuck mesh takes further packets, which cost a step each, and delivers those that can pass.
TEST(Stuck, OtherPacketsStillArrive) {
  StuckBench bench("hold", never_ready(5, Port::kWest));
  bench.send(4, 7, 3, 10);
  EXPECT_TRUE(bench.run_to_rest());
  const std::size_t before = bench.deliveries.size();
  bench.send(8, 11, 2, bench.calendar.now() + 5);
  EXPECT_TRUE(bench.run_to_rest());
  EXPECT_EQ(bench.deliveries.size(), before + 1);
  EXPECT_TRUE(bench.text().starts_with("mesh.router (1,1) is never ready")) << bench.text();
  const unsigned edges = bench.routers.edges;
  bench.send(4, 7, 1, bench.calendar.now() + 5);
  EXPECT_TRUE(bench.run_to_rest());
  EXPECT_LT(bench.routers.edges, edges + 100);
}

/// The bytes that arrive are those that left the router, and only the first router that alters them
/// is named.
TEST(Altered, ARouterThatFlipsABitIsNamed) {
  for (const char* flow : {"hold", "buffered"}) {
    StuckBench bench(flow, {.node = 5, .altering = mask_of(Port::kEast), .bit = 13});
    Warnings warnings;
    bench.mesh->report_to(&warnings,
                          [](support::Cycle cycle) { return std::to_string(cycle * 2) + " ns"; });
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct Receiver : Endpoint {
      void deliver(const MeshPacket& packet, support::Cycle) override {
        altered = packet.is_altered;
        got.assign(packet.payload.begin(), packet.payload.end());
      }
      bool altered = false;
      std::vector<std::uint8_t> got;
    } receiver;
    bench.mesh->connect(7, receiver);
    MeshPacket packet;
    packet.source = 4;
    packet.destination = 7;
    packet.flits = 3;
    packet.flit_bytes = 8;
    packet.payload = bytes;
    bench.mesh->inject(packet, 10);
    EXPECT_TRUE(bench.run_to_rest());
    EXPECT_TRUE(receiver.altered);
    // Bit 13 of the second flit's word and of the third's, whose bytes 4 to 7 do not exist.
    EXPECT_EQ(receiver.got,
              (std::vector<std::uint8_t>{1, 2 ^ 0x20, 3, 4, 5, 6, 7, 8, 9, 10 ^ 0x20, 11, 12}));
    ASSERT_EQ(warnings.texts.size(), 3u);
    EXPECT_TRUE(warnings.texts[1].starts_with(
        "mesh.router (1,1): alters bit 13 of the payload at its east output: flit 1 of packet 0 "
        "from (0,1) to (3,1), at "))
        << warnings.texts[1];
    EXPECT_TRUE(warnings.texts[1].ends_with(" ns")) << warnings.texts[1];
    bench.mesh->check_at_end();
  }
}

/// Without a sink for warnings, an altered payload stops the run.
TEST(Altered, SyntheticTrafficStops) {
  StuckBench bench("hold", {.node = 5, .altering = mask_of(Port::kLocal), .bit = 63});
  bench.send(4, 5, 1, 10);
  try {
    bench.run();
    FAIL();
  } catch (const foundation::Fault& fault) {
    EXPECT_EQ(fault.kind(), foundation::FaultKind::kFirmware);
    EXPECT_EQ(std::string(fault.what()),
              "mesh.router (1,1): alters bit 63 of the payload at its local output: flit 0 of "
              "packet 0 from (0,1) to (1,1), at cycle 12");
  }
}

}  // namespace
}  // namespace tvp::mesh
