#include "sw/workloads/microbenchmarks/fabric/fabric_neighbors.h"

#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
using contract::fabric::Direction;

namespace {

constexpr std::uint32_t kNeighborPayloads[] = {2048, 4096};

}  // namespace

void FabricNeighbors::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const MeshShape shape{config_.rows, mesh.num_devices() / config_.rows};
  FabricMesh fabric(
      mesh, shape,
      {.first_link = FabricStreams::first_plane(mesh), .noc = NOC::NOC_1, .neighbors_only = true});
  FabricStreams streams(mesh, fabric.router_status(),
                        config_.fused ? FabricStreams::Send::kFused : FabricStreams::Send::kWrite,
                        FabricStreams::senders(config_.senders.value()), config_.packets);
  for (unsigned device = 0; device < mesh.num_devices(); ++device) {
    for (std::uint32_t i = 0; i < contract::fabric::kDirections; ++i) {
      const auto direction = static_cast<Direction>(i);
      if (!fabric.has_router(device, direction)) continue;
      streams.add({device,
                   i,
                   {1, 1},
                   {*fabric.routes().neighbor(device, direction)},
                   [&fabric, device, direction](std::uint32_t semaphores) {
                     return fabric.connection(device, direction, semaphores);
                   }});
    }
  }
  fabric.start();
  for (const std::uint32_t bytes : kNeighborPayloads) {
    const double sent = static_cast<double>(config_.packets) * bytes;
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), sent / streams.longest(bytes, seed, result), "GB/s"});
  }
  fabric.stop();
}

}  // namespace tvp::workloads::microbenchmarks
