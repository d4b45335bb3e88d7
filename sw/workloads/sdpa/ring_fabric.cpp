#include "sw/workloads/sdpa/ring_fabric.h"

#include <string>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/end_routers.h"
#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/fabric/fabric_router.h"
#include "sw/runtime/host_api.h"

namespace tvp::workloads::sdpa {

RingFabric::RingFabric(runtime::MeshDevice& mesh, unsigned links, std::uint32_t max_payload_bytes)
    : mesh_(mesh),
      max_payload_bytes_(max_payload_bytes),
      layout_(runtime::router_layout_in_l1(max_payload_bytes)) {
  const unsigned devices = mesh.num_devices();
  for (unsigned device = 0; device < devices; ++device) join(device, (device + 1) % devices, links);
}

void RingFabric::join(unsigned a, unsigned b, unsigned links) {
  unsigned found = 0;
  for (const runtime::MeshLink& link : mesh_.links()) {
    const bool forward = link.device_a == a && link.device_b == b;
    const bool backward = link.device_a == b && link.device_b == a;
    if ((!forward && !backward) || found == links) continue;
    ends_.push_back({a, b, found, forward ? link.channel_a : link.channel_b});
    ends_.push_back({b, a, found, forward ? link.channel_b : link.channel_a});
    ++found;
  }
  if (found < links)
    runtime::bad_use("fabric", "devices " + std::to_string(a) + " and " + std::to_string(b) +
                                   " are joined by " + std::to_string(found) + " links, " +
                                   std::to_string(links) + " are needed for a ring");
}

unsigned RingFabric::channel(unsigned device, unsigned neighbor, unsigned link) const {
  for (const End& end : ends_)
    if (end.device == device && end.neighbor == neighbor && end.link == link) return end.channel;
  runtime::bad_use("fabric", "devices " + std::to_string(device) + " and " +
                                 std::to_string(neighbor) + " are no neighbors");
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
    // No packet goes further than one link.
    const auto kernel =
        runtime::CreateFabricRouter(program, runtime::CoreRangeSet(cores),
                                    {.layout = layout_, .max_payload_bytes = max_payload_bytes_});
    std::vector<std::uint32_t> args(contract::fabric::kRouterRuntimeArgs,
                                    0);  // no packet is forwarded
    runtime::SetRuntimeArgs(program, kernel, runtime::CoreRangeSet(cores), args);
  }
  mesh_.enqueue_all(programs);
}

void RingFabric::stop() {
  std::vector<runtime::RunningRouter> routers;
  for (const End& end : ends_) routers.push_back({end.device, end.channel});
  runtime::end_routers(mesh_, layout_, routers);
}

}  // namespace tvp::workloads::sdpa
