#include "sw/workloads/sdpa/ring_fabric.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/end_routers.h"
#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/fabric/fabric_router.h"
#include "sw/runtime/host_api.h"

namespace tvp::workloads::sdpa {

namespace {

contract::fabric::RouterShape shape_of(unsigned devices, std::uint32_t max_payload_bytes) {
  if (devices <= 4) return contract::fabric::kLineRouters;
  return runtime::published_shape(contract::fabric::kRingRouters, max_payload_bytes);
}

}  // namespace

RingFabric::RingFabric(runtime::MeshDevice& mesh, unsigned links, std::uint32_t max_payload_bytes)
    : mesh_(mesh),
      max_payload_bytes_(max_payload_bytes),
      layout_(runtime::router_layout_in_l1(max_payload_bytes,
                                           shape_of(mesh.num_devices(), max_payload_bytes))) {
  const unsigned devices = mesh.num_devices();
  for (unsigned device = 0; device + 1 < devices; ++device) join(device, device + 1, links);
  if (devices > 2) join(devices - 1, 0, links);
}

void RingFabric::join(unsigned a, unsigned b, unsigned links) {
  unsigned found = 0;
  for (const runtime::MeshLink& link : mesh_.links()) {
    const bool forward = link.device_a == a && link.device_b == b;
    const bool backward = link.device_a == b && link.device_b == a;
    if ((!forward && !backward) || found == links) continue;
    ends_.push_back({a, found, forward ? link.channel_a : link.channel_b, true});
    ends_.push_back({b, found, forward ? link.channel_b : link.channel_a, false});
    ++found;
  }
  if (found < links)
    runtime::bad_use("fabric", "devices " + std::to_string(a) + " and " + std::to_string(b) +
                                   " are joined by " + std::to_string(found) + " links, " +
                                   std::to_string(links) + " are needed for a ring");
}

unsigned RingFabric::channel(unsigned device, bool to_next, unsigned link) const {
  for (const End& end : ends_)
    if (end.device == device && end.to_next == to_next && end.link == link) return end.channel;
  runtime::bad_use("fabric", "device " + std::to_string(device) + " has no link " +
                                 std::to_string(link) + " to the " +
                                 (to_next ? "next" : "previous") + " device");
}

std::vector<std::uint32_t> RingFabric::args_of(const End& end) const {
  std::vector<std::uint32_t> args(contract::fabric::kRouterRuntimeArgs, 0);
  if (!forwards()) return args;
  const runtime::CoreCoord opposite =
      mesh_.device(end.device)
          .ethernet_core_from_channel(channel(end.device, !end.to_next, end.link));
  args[contract::fabric::kRouterArgHasNeighbor] = 1;
  args[contract::fabric::kRouterArgNeighborX] = opposite.x;
  args[contract::fabric::kRouterArgNeighborY] = opposite.y;
  return args;
}

void RingFabric::start() {
  const std::vector<std::uint8_t> zeros(layout_.control_bytes(), 0);
  for (const End& end : ends_) {
    runtime::Device& device = mesh_.device(end.device);
    device.tiles().write(device.layout().ethernet_noc0(end.channel), layout_.base, zeros.data(),
                         zeros.size());
  }
  std::vector<runtime::Program> programs(mesh_.num_devices());
  for (unsigned index = 0; index < mesh_.num_devices(); ++index) {
    std::vector<runtime::CoreCoord> cores;
    for (const End& end : ends_)
      if (end.device == index) cores.push_back({0, end.channel});
    runtime::Program& program = programs[index];
    const auto kernel = runtime::CreateFabricRouter(
        program, runtime::CoreRangeSet(cores),
        {.layout = layout_, .max_payload_bytes = max_payload_bytes_, .on_ring = forwards()});
    for (const End& end : ends_)
      if (end.device == index)
        runtime::SetRuntimeArgs(program, kernel,
                                runtime::CoreRangeSet(runtime::CoreCoord{0, end.channel}),
                                args_of(end));
  }
  mesh_.enqueue_all(programs);
}

void RingFabric::stop() {
  std::vector<runtime::RunningRouter> routers;
  for (const End& end : ends_) routers.push_back({end.device, end.channel});
  runtime::end_routers(mesh_, layout_, routers);
}

}  // namespace tvp::workloads::sdpa
