#include "sw/runtime/fabric/fabric_line.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/end_routers.h"
#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/fabric/fabric_routes.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

namespace {

contract::fabric::RouterShape shape_of(bool ring, std::uint32_t max_payload_bytes) {
  return published_shape(ring ? contract::fabric::kRingRouters : contract::fabric::kLineRouters,
                         max_payload_bytes);
}

}  // namespace

FabricLine::FabricLine(MeshDevice& mesh, unsigned devices, std::uint32_t max_payload_bytes, NOC noc,
                       bool ring, unsigned link)
    : mesh_(mesh),
      devices_(devices),
      ring_(ring),
      noc_(noc),
      max_payload_bytes_(max_payload_bytes),
      layout_(router_layout_in_l1(max_payload_bytes, shape_of(ring, max_payload_bytes))) {
  if (devices > mesh.num_devices())
    bad_use("fabric", "a line of " + std::to_string(devices) + " devices, the system has " +
                          std::to_string(mesh.num_devices()));
  if (ring && devices < 3)
    bad_use("fabric", "a ring of " + std::to_string(devices) + " devices: expected 3 or more");
  for (unsigned device = 0; device + 1 < devices; ++device) join(device, device + 1, link);
  if (ring) join(devices - 1, 0, link);
}

void FabricLine::join(unsigned device, unsigned next, unsigned link_index) {
  unsigned links = 0;
  for (const MeshLink& link : mesh_.links()) {
    const bool forward = link.device_a == device && link.device_b == next;
    const bool backward = link.device_a == next && link.device_b == device;
    if (!forward && !backward) continue;
    if (links++ != link_index) continue;
    routers_.push_back({device, true, forward ? link.channel_a : link.channel_b});
    routers_.push_back({next, false, forward ? link.channel_b : link.channel_a});
    return;
  }
  const std::string found =
      links == 0 ? "no link joins" : "no link " + std::to_string(link_index) + " joins";
  bad_use("fabric", found + " devices " + std::to_string(device) + " and " + std::to_string(next) +
                        ", which are neighbors on the line" +
                        (links == 0 ? "" : ": they have " + std::to_string(links)));
}

const FabricLine::Router* FabricLine::find(unsigned device, bool up) const {
  for (const Router& router : routers_)
    if (router.device == device && router.up == up) return &router;
  return nullptr;
}

/// Writes routes of a mesh of one row, for kernels that send by device number. A line with more
/// devices than a route has hops gets no table.
void FabricLine::leave_tables() {
  using namespace contract::fabric;
  if (devices_ == 0 || devices_ > kMaxMeshHops) return;
  const FabricRoutes routes({1, devices_}, {.rows = ring_});
  for (unsigned index = 0; index < devices_; ++index) {
    RoutingTable table = routes.table(index);
    std::fill(std::begin(table.channel_directions), std::end(table.channel_directions),
              std::uint8_t{kNoDirection});
    for (const Router& router : routers_)
      if (router.device == index && router.channel < kMaxEthernetChannels)
        table.channel_directions[router.channel] = router.up ? kEast : kWest;
    leave_routing_table(mesh_.device(index), table);
  }
}

void FabricLine::start() {
  leave_tables();
  const std::vector<std::uint8_t> zeros(layout_.control_bytes(), 0);
  std::vector<Program> programs(mesh_.num_devices());
  for (const Router& router : routers_) {
    Device& device = mesh_.device(router.device);
    device.tiles().write(device.layout().ethernet_noc0(router.channel), layout_.base, zeros.data(),
                         zeros.size());
    std::vector<std::uint32_t> args(contract::fabric::kRouterRuntimeArgs, 0);
    if (const Router* neighbor = find(router.device, !router.up)) {
      const CoreCoord at = device.ethernet_core_from_channel(neighbor->channel);
      args[contract::fabric::kRouterArgHasNeighbor] = 1;
      args[contract::fabric::kRouterArgNeighborX] = at.x;
      args[contract::fabric::kRouterArgNeighborY] = at.y;
    }
    Program& program = programs[router.device];
    const CoreRangeSet core(CoreCoord{0, router.channel});
    const auto kernel = CreateFabricRouter(program, core,
                                           {.layout = layout_,
                                            .max_payload_bytes = max_payload_bytes_,
                                            .on_ring = ring_,
                                            .noc = noc_});
    SetRuntimeArgs(program, kernel, core, args);
  }
  mesh_.enqueue_all(programs);
}

void FabricLine::stop() {
  std::vector<RunningRouter> running;
  for (const Router& router : routers_) running.push_back({router.device, router.channel});
  end_routers(mesh_, layout_, running);
}

unsigned FabricLine::channel(unsigned device, bool up) const {
  const Router* router = find(device, up);
  if (router == nullptr)
    bad_use("fabric",
            "device " + std::to_string(device) + " has no router on this side of the line");
  return router->channel;
}

std::vector<std::uint32_t> FabricLine::connection(unsigned device, bool up,
                                                  std::uint32_t semaphores) const {
  return connection_args(
      layout_, mesh_.device(device).ethernet_core_from_channel(channel(device, up)), semaphores,
      up ? contract::fabric::kEast : contract::fabric::kWest);  // a mesh of one row
}

}  // namespace tvp::runtime
