#include "sw/workloads/microbenchmarks/fabric/fabric_meshes.h"

#include <algorithm>
#include <array>
#include <map>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
using namespace contract::fabric;
namespace kernel = kernels::microbenchmarks;

namespace {

constexpr std::array<std::uint32_t, 2> kMeshPayloads = {2048, 4096};

/// Path of packets, hop by hop.
struct Walk {
  const FabricRoutes& routes;
  std::vector<FabricRoutes::Hop> hops{};
  std::vector<unsigned> chips{};

  unsigned on(unsigned from, Direction direction, unsigned count) {
    for (; count != 0; --count) {
      hops.push_back({from, direction});
      from = *routes.neighbor(from, direction);
      chips.push_back(from);
    }
    return from;
  }
};

}  // namespace

std::vector<FabricMeshes::Route> FabricMeshes::routes(const FabricMesh& fabric) const {
  const MeshShape& shape = fabric.routes().shape();
  std::vector<Route> all;
  const auto add = [&all](unsigned from, std::array<unsigned, kDirections> hops, bool multicast) {
    if (std::any_of(hops.begin(), hops.end(), [](unsigned count) { return count != 0; }))
      all.push_back({from, hops, multicast});
  };
  for (unsigned from = 0; from < shape.mesh_size(); ++from) {
    const unsigned row = from / shape.columns;
    const unsigned column = from % shape.columns;
    if (config_.pattern == "multicast") {
      const unsigned east = shape.columns - 1 - column;
      add(from, {east}, true);
      add(from, {0, column}, true);
      if (row != 0) add(from, {east, column, row}, true);
      if (row != shape.rows - 1) add(from, {east, column, 0, shape.rows - 1 - row}, true);
    } else if (from != 0) {
      add(0, {column, 0, 0, row}, false);
    }
  }
  return all;
}

void FabricMeshes::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const MeshShape shape{config_.rows, mesh.num_devices() / config_.rows};
  const std::uint32_t payload = config_.max_payload;
  FabricMesh fabric(mesh, shape,
                    {.first_link = FabricStreams::first_plane(mesh),
                     .max_payload_bytes = payload != 0 ? payload : kDefaultMaxPayloadBytes,
                     .noc = NOC::NOC_1});
  FabricStreams streams(mesh, fabric.router_status(), FabricStreams::send(config_.send.value()),
                        FabricStreams::senders(config_.senders.value()), config_.packets,
                        FabricMesh::defines());
  std::map<FabricRoutes::Hop, unsigned> over;  // streams over each link
  for (const auto& [from, hops, multicast] : routes(fabric)) {
    Walk walk{fabric.routes()};
    const Direction along_column = hops[kSouth] != 0 ? kSouth : kNorth;
    const unsigned trunk = hops[along_column];
    unsigned chip = from;
    for (unsigned hop = 0; hop < std::max(trunk, 1u); ++hop) {
      if (trunk != 0) chip = walk.on(chip, along_column, 1);
      if (!multicast && hop + 1 < trunk) continue;
      for (const Direction direction : {kEast, kWest}) walk.on(chip, direction, hops[direction]);
    }
    if (!multicast) walk.chips = {walk.chips.back()};
    for (const FabricRoutes::Hop& hop : walk.hops) ++over[hop];
    const Direction first = walk.hops.front().direction;
    std::vector<std::uint32_t> route(kernel::kStreamArgs - kernel::kStreamRoute);
    route[kernel::kRouteMulticast] = multicast ? 1 : 0;
    route[kernel::kRouteEast] = hops[kEast];
    route[kernel::kRouteWest] = hops[kWest];
    route[kernel::kRouteNorth] = hops[kNorth];
    route[kernel::kRouteSouth] = hops[kSouth];
    streams.add(
        {from, first, route, walk.chips, [&fabric, from = from, first](std::uint32_t semaphores) {
           return fabric.connection(from, first, semaphores);
         }});
  }
  const unsigned most =
      std::max_element(over.begin(), over.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->second;
  fabric.start();
  const std::vector<std::uint32_t> payloads =
      payload != 0 ? std::vector{payload} : std::vector(kMeshPayloads.begin(), kMeshPayloads.end());
  for (const std::uint32_t bytes : payloads) {
    const double sent = static_cast<double>(most) * config_.packets * bytes;
    result.metrics.push_back({payload != 0 ? "rate" : "rate_" + std::to_string(bytes),
                              sent / streams.longest(bytes, seed, result), "GB/s"});
  }
  fabric.stop();
}

}  // namespace tvp::workloads::microbenchmarks
