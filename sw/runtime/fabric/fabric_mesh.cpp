#include "sw/runtime/fabric/fabric_mesh.h"

#include <algorithm>
#include <iterator>

#include "foundation/contract/memory_map.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/end_routers.h"
#include "sw/runtime/fabric/fabric_layout.h"
#include "sw/runtime/host_api.h"

namespace tvp::runtime {

using namespace contract::fabric;

namespace {

RouterShape shape_of(const FabricRoutes& routes, const FabricMesh::Options& options) {
  RouterShape shape = options.neighbors_only ? kNeighborRouters
                      : routes.has_rings()   ? kTorusRouters
                                             : kMeshRouters;
  shape = published_shape(shape, options.max_payload_bytes);
  if (options.sender_slots != 0) {
    shape.sender_slots = options.sender_slots;
    if (shape.forward_slots != 0) shape.forward_slots = options.sender_slots;
  }
  if (options.receiver_slots != 0) shape.receiver_slots = options.receiver_slots;
  return shape;
}

}  // namespace

FabricMesh::FabricMesh(MeshDevice& mesh, const MeshShape& shape, Options options)
    : mesh_(mesh),
      options_(options),
      routes_(shape, options.wraps),
      layout_(router_layout_in_l1(options.max_payload_bytes, shape_of(routes_, options))) {
  if (shape.mesh_size() != mesh.num_devices())
    bad_use("fabric", "a mesh of " + std::to_string(shape.rows) + " x " +
                          std::to_string(shape.columns) + " devices, the system has " +
                          std::to_string(mesh.num_devices()));
  if (options.planes == 0) bad_use("fabric", "no routing plane: expected 1 or more");
  for (unsigned device = 0; device < routes_.devices(); ++device)
    for (const Direction direction : {kEast, kSouth}) join(device, direction);
}

void FabricMesh::join(unsigned device, Direction direction) {
  const auto next = routes_.neighbor(device, direction);
  if (!next) return;
  unsigned links = 0;
  unsigned plane = 0;
  for (const MeshLink& link : mesh_.links()) {
    // Links have the numbers of the whole system, also if the mesh is a part of it.
    const unsigned here = mesh_.device(device).index();
    const unsigned there = mesh_.device(*next).index();
    const bool forward = link.device_a == here && link.device_b == there;
    const bool backward = link.device_a == there && link.device_b == here;
    if (!forward && !backward) continue;
    if (links++ < options_.first_link || plane == options_.planes) continue;
    channels_[{device, direction, plane}] = forward ? link.channel_a : link.channel_b;
    channels_[{*next, opposite(direction), plane}] = forward ? link.channel_b : link.channel_a;
    ++plane;
  }
  if (plane < options_.planes)
    bad_use("fabric", "devices " + std::to_string(device) + " and " + std::to_string(*next) + ", " +
                          to_string(direction) + " of it, are joined by " + std::to_string(plane) +
                          " links: expected " + std::to_string(options_.planes) +
                          ", one a routing plane, on every edge of a mesh of " +
                          std::to_string(routes_.shape().rows) + " x " +
                          std::to_string(routes_.shape().columns));
}

bool FabricMesh::has_router(unsigned device, Direction direction) const {
  return channels_.contains({device, direction, 0});
}

unsigned FabricMesh::channel(unsigned device, Direction direction, unsigned plane) const {
  const auto found = channels_.find({device, direction, plane});
  if (found == channels_.end())
    bad_use("fabric", "device " + std::to_string(device) + " has no router " +
                          to_string(direction) + " of it on routing plane " +
                          std::to_string(plane));
  return found->second;
}

std::vector<std::uint32_t> FabricMesh::neighbors(const Key& router) const {
  const Direction sides[2] = {along_row(router.direction) ? kNorth : kEast,
                              along_row(router.direction) ? kSouth : kWest};
  const Direction neighbors[kRouterNeighbors] = {opposite(router.direction), sides[0], sides[1]};
  std::vector<std::uint32_t> args(kRouterRuntimeArgs, 0);
  if (options_.neighbors_only) return args;
  for (unsigned i = 0; i < kRouterNeighbors; ++i) {
    const auto found = channels_.find({router.device, neighbors[i], router.plane});
    if (found == channels_.end()) continue;
    const CoreCoord at = mesh_.device(router.device).ethernet_core_from_channel(found->second);
    std::uint32_t* neighbor = args.data() + i * kRouterNeighborArgs;
    neighbor[kRouterArgHasNeighbor] = 1;
    neighbor[kRouterArgNeighborX] = at.x;
    neighbor[kRouterArgNeighborY] = at.y;
  }
  return args;
}

void FabricMesh::leave_tables() {
  for (unsigned index = 0; index < routes_.devices(); ++index) {
    RoutingTable table = routes_.table(index);
    std::fill(std::begin(table.channel_directions), std::end(table.channel_directions),
              std::uint8_t{kNoDirection});
    for (const auto& [router, channel] : channels_)
      if (router.device == index && channel < kMaxEthernetChannels)
        table.channel_directions[channel] = static_cast<std::uint8_t>(router.direction);
    leave_routing_table(mesh_.device(index), table);
  }
}

void FabricMesh::start() {
  leave_tables();
  const std::vector<std::uint8_t> zeros(layout_.control_bytes(), 0);
  std::vector<Program> programs(mesh_.num_devices());
  for (const auto& [router, channel] : channels_) {
    Device& device = mesh_.device(router.device);
    device.tiles().write(device.layout().ethernet_noc0(channel), layout_.base, zeros.data(),
                         zeros.size());
    Program& program = programs[router.device];
    const CoreRangeSet core(CoreCoord{0, channel});
    const auto kernel = CreateFabricRouter(
        program, core,
        {.layout = layout_,
         .max_payload_bytes = options_.max_payload_bytes,
         .direction = options_.neighbors_only ? kNoDirection : router.direction,
         .on_ring = !options_.neighbors_only && routes_.on_ring(router.direction),
         .noc = options_.noc});
    SetRuntimeArgs(program, kernel, core, neighbors(router));
  }
  mesh_.enqueue_all(programs);
}

void FabricMesh::stop() {
  std::vector<RunningRouter> running;
  for (const auto& [router, channel] : channels_) running.push_back({router.device, channel});
  end_routers(mesh_, layout_, running);
}

std::vector<std::uint32_t> FabricMesh::connection(unsigned device, Direction direction,
                                                  std::uint32_t semaphores, unsigned plane) const {
  return connection_args(
      layout_, mesh_.device(device).ethernet_core_from_channel(channel(device, direction, plane)),
      semaphores, direction);
}

}  // namespace tvp::runtime
