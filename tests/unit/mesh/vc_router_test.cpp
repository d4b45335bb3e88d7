#include "models/mesh/flow_control/vc_router.h"

#include <gtest/gtest.h>

#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {
namespace {

/// A router in a row of three, where minimal adaptive routing has one output and an escape channel.
struct MiddleOfThree {
  static constexpr unsigned kVcs = 2;

  MiddleOfThree() : topology(3, 1), table(topology, *make_routing("minimal_adaptive")) {
    router.init(parameters, table, 1, PortMask{1U << index(Port::kLocal)});
  }
  /// Sends a packet of one flit to the last router. Returns its virtual channel, or kVcs if it gets
  /// none within ten cycles.
  unsigned channel_of_next() {
    Flit flit;
    flit.destination = 2;
    flit.head = flit.tail = true;
    router.receive(Port::kWest, flit, now);
    for (const support::Cycle end = now + 10; now < end; ++now) {
      VcRouter::Outputs outputs;
      router.step(now, outputs);
      if (outputs.flits != 0) return outputs.flit[index(Port::kEast)].vc;
    }
    return kVcs;
  }

  MeshTopology topology;
  RoutingTable table;
  VcRouter::Parameters parameters{.vcs = kVcs,
                                  .buffer_flits = 1,
                                  .route_cycles = 1,
                                  .vc_allocation_cycles = 1,
                                  .arbitration = Arbitration::kRoundRobin,
                                  .class_weights = {1, 1, 1, 1},
                                  .vc_groups = 1,
                                  .parts = 1};
  VcRouter router;
  support::Cycle now = 0;
};

TEST(VcRouter, TheEscapeChannelIsForPacketsThatGetNoOther) {
  MiddleOfThree middle;
  EXPECT_EQ(middle.channel_of_next(), 1u);
  EXPECT_EQ(middle.channel_of_next(), 0u);  // the other channel is full
  middle.router.credit(Port::kEast, 1);
  EXPECT_EQ(middle.channel_of_next(), 1u);
}

}  // namespace
}  // namespace tvp::mesh
