#include "sw/collectives/execution/neighbor_fabric.h"

#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/host_api.h"

namespace tvp::collectives {

namespace {

/// Packets go over one link.
contract::fabric::RouterShape shape() {
  return runtime::published_shape(contract::fabric::kNeighborRouters,
                                  NeighborFabric::kPayloadBytes);
}

}  // namespace

NeighborFabric::NeighborFabric(runtime::MeshDevice& devices, const runtime::FabricMesh& mesh)
    : devices_(devices),
      mesh_(mesh),
      layout_(runtime::router_layout_in_l1(kPayloadBytes, shape())) {
  for (unsigned device = 0; device < devices.num_devices(); ++device) {
    for (unsigned d = 0; d < contract::fabric::kDirections; ++d) {
      const auto direction = static_cast<runtime::Direction>(d);
      if (!mesh.has_router(device, direction)) continue;
      for (unsigned plane = 0; plane < mesh.planes(); ++plane)
        routers_.push_back({device, mesh.channel(device, direction, plane)});
    }
  }
}

void NeighborFabric::start() {
  const std::vector<std::uint8_t> zeros(layout_.control_bytes(), 0);
  std::vector<runtime::Program> programs(devices_.num_devices());
  const std::vector<std::uint32_t> no_neighbors(contract::fabric::kRouterRuntimeArgs, 0);
  for (const runtime::RunningRouter& router : routers_) {
    runtime::Device& device = devices_.device(router.device);
    device.tiles().write(device.layout().ethernet_noc0(router.channel), layout_.base, zeros.data(),
                         zeros.size());
    const runtime::CoreRangeSet core(runtime::CoreCoord{0, router.channel});
    runtime::Program& program = programs[router.device];
    const auto kernel = runtime::CreateFabricRouter(
        program, core, {.layout = layout_, .max_payload_bytes = kPayloadBytes});
    runtime::SetRuntimeArgs(program, kernel, core, no_neighbors);
  }
  devices_.enqueue_all(programs);
}

void NeighborFabric::stop() { runtime::end_routers(devices_, layout_, routers_); }

std::vector<std::uint32_t> NeighborFabric::connection(unsigned device, runtime::Direction direction,
                                                      std::uint32_t semaphores,
                                                      unsigned plane) const {
  return runtime::connection_args(
      layout_,
      devices_.device(device).ethernet_core_from_channel(mesh_.channel(device, direction, plane)),
      semaphores, direction);
}

}  // namespace tvp::collectives
