#include "models/mesh/flow_control/vc_router.h"

#include <gtest/gtest.h>

#include "models/mesh/routing/routing_registry.h"

namespace tvp::mesh {
namespace {

/// One router of a row of three, on which minimal adaptive routing has one way to go, and an
/// escape.
struct MiddleOfThree {
  static constexpr unsigned kVcs = 2;

  MiddleOfThree() : topology(3, 1), table(topology, *make_routing("minimal_adaptive")) {
    router.init(parameters, table, 1, PortMask{1U << index(Port::kLocal)});
  }
  /// A packet of one flit for the last router; which channel of its output it gets, kVcs for none
  /// within ten cycles.
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
  EXPECT_EQ(middle.channel_of_next(), 0u);  // the other one has no room
  middle.router.credit(Port::kEast, 1);
  EXPECT_EQ(middle.channel_of_next(), 1u);
}

}  // namespace
}  // namespace tvp::mesh
