#include "tests/cli/fabric_runs.h"

namespace tvp {
namespace {

using test::expect;

class CliFabricMesh : public FabricRuns {};

// Packets with 2D routes are written on all chips (checked by the workload). tt-metal has few
// slots, so a core that sends to all chips of a mesh waits for slots, not for the link.
TEST_F(CliFabricMesh, ChipsOfAMeshSendToAllOthers) {
  const auto all = rates("fabric_mesh", "packets=128");
  EXPECT_NEAR(all.first, 4.19, 1.05);
  EXPECT_NEAR(all.second, 7.62, 1.9);
  const auto few = rates("fabric_mesh", "packets=32,pattern=one_to_all");
  EXPECT_NEAR(few.first, 3.46, 0.65);
  EXPECT_NEAR(few.second, 6.48, 0.97);
  const auto rate = [&](const std::string& settings) {
    return metrics("fabric_mesh", "packets=16," + settings)["rate"]["value"].get<double>();
  };
  // Packets of 7616 B leave two slots, packets of 5440 B four.
  EXPECT_LT(rate("max_payload=7616"), 0.85 * rate("max_payload=5440"));
  expect("run fabric_mesh --set packets=8,max_payload=1,send=fused", 0, {"passed"});
  expect("run fabric_mesh --set packets=8,max_payload=101,send=scatter", 0, {"passed"});
  expect("run fabric_mesh --set rows=3", 2, {"a mesh of 3 x 2 devices", "the system has 8"});
  expect("run fabric_mesh --set max_payload=8192", 2, {"slots for payloads of 8192 bytes"});
}

// Extra time of routers of rings and meshes per packet; silicon takes 834, 904 and 934 ns.
TEST_F(CliFabricMesh, APacketTakesLongerOverRingsAndMeshes) {
  const auto one_hop = [&](const std::string& system, const std::string& topology) {
    return metrics("fabric_latency --system " + system,
                   "samples=64,fused=true,topology=" + topology)["one_hop_16"]["value"]
        .get<double>();
  };
  const double line = one_hop("t3000", "line");
  const double ring = one_hop("t3000_line", "ring");
  const double mesh = one_hop("t3000", "mesh");
  EXPECT_NEAR(line, 834, 42);
  EXPECT_NEAR(ring, 904, 45);
  EXPECT_NEAR(mesh, 934, 75);
  EXPECT_GT(ring, line);
  EXPECT_GT(mesh, line);
  expect("run fabric_latency --system t3000 --set topology=mesh,hops=4", 2,
         {"fabric_latency.hops", "fewer than the 4 devices of a row"});
}

}  // namespace
}  // namespace tvp
