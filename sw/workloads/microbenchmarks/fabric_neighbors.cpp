#include "sw/workloads/microbenchmarks/fabric_neighbors.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
namespace kernel = kernels::microbenchmarks;
using contract::fabric::Direction;

namespace {

constexpr std::uint32_t kNeighborPayloads[] = {2048, 4096};
/// To each neighbor, before the clock is read: fills all slots on the way, and brings payloads into
/// those of the router.
constexpr std::uint32_t kFillPackets = 32;
constexpr std::uint32_t kNeighborStateBytes = 1024;
constexpr std::uint32_t kNeighborCounterBytes = 16;

}  // namespace

double FabricNeighbors::rate(MeshDevice& mesh, const FabricMesh& fabric, std::uint32_t bytes,
                             std::uint64_t seed, Result& result) const {
  const auto memory = [&](std::uint32_t size) {
    return MeshBuffer::create(mesh, ShardedBufferConfig{kFirstCore, size});
  };
  const auto address = [](const std::shared_ptr<MeshBuffer>& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  const auto source = memory(bytes);
  // A place and a counter for what comes in each direction.
  const auto destination = memory(contract::fabric::kDirections * bytes);
  const auto counters = memory(contract::fabric::kDirections * kNeighborCounterBytes);
  const auto state = memory(kNeighborStateBytes);
  const auto times = memory(4 * kernel::kFabricBandwidthResults);
  std::vector<std::vector<std::uint8_t>> content(mesh.num_devices());
  std::mt19937_64 random(seed);
  std::vector<Program> programs(mesh.num_devices());
  // Virtual coordinates, the same on every chip.
  const CoreCoord there = mesh.device(0).worker_core_from_logical_core(kFirstCore);
  for (unsigned device = 0; device < mesh.num_devices(); ++device) {
    content[device].resize(bytes);
    std::generate(content[device].begin(), content[device].end(),
                  [&] { return static_cast<std::uint8_t>(random()); });
    source->write_shard(device, kFirstCore, content[device]);
    destination->write_shard(
        device, kFirstCore, std::vector<std::uint8_t>(contract::fabric::kDirections * bytes, 0xA5));
    counters->write_shard(
        device, kFirstCore,
        std::vector<std::uint8_t>(contract::fabric::kDirections * kNeighborCounterBytes, 0));

    Program& program = programs[device];
    std::vector<std::uint32_t> args(kernel::kNeighborsArgs);
    args[kernel::kNeighborsRouterStatus] = fabric.router_status();
    args[kernel::kNeighborsResults] = address(times);
    args[kernel::kNeighborsOtherX] = there.x;
    args[kernel::kNeighborsOtherY] = there.y;
    args[kernel::kNeighborsBytes] = bytes;
    args[kernel::kNeighborsSource] = address(source);
    args[kernel::kNeighborsState] = address(state);
    args[kernel::kNeighborsPackets] = config_.packets;
    args[kernel::kNeighborsWarmUp] = kFillPackets;
    std::uint32_t neighbors = 0;
    for (std::uint32_t i = 0; i < contract::fabric::kDirections; ++i) {
      const auto direction = static_cast<Direction>(i);
      if (!fabric.has_router(device, direction)) continue;
      args.push_back(address(destination) + i * bytes);
      args.push_back(config_.fused ? address(counters) + i * kNeighborCounterBytes : 0);
      for (const std::uint32_t word : fabric.connection(device, direction, 3 * neighbors))
        args.push_back(word);
      ++neighbors;
    }
    for (unsigned i = 0; i <= kernel::fabric_status_semaphore(neighbors); ++i)
      CreateSemaphore(program, kFirstCore, 0);
    DataMovementConfig config;
    config.compile_args = {neighbors};
    config.opt_level = KernelBuildOptLevel::O3;  // as tt-metal's
    const auto code = CreateKernel(program, "firmware/kernels/microbenchmarks/fabric_neighbors.cpp",
                                   kFirstCore, config);
    SetRuntimeArgs(program, code, kFirstCore, args);
  }
  mesh.enqueue_all(programs);
  mesh.finish_workers();
  // The clients have gone when their last packets have left their routers.
  mesh.library().clock(100'000);

  const std::uint32_t each = config_.packets + kFillPackets;
  double slowest = 0;
  for (unsigned device = 0; device < mesh.num_devices(); ++device) {
    for (std::uint32_t i = 0; i < contract::fabric::kDirections; ++i) {
      const auto direction = static_cast<Direction>(i);
      if (!fabric.has_router(device, direction)) continue;
      const unsigned to = *fabric.routes().neighbor(device, direction);
      const std::vector<std::uint8_t> arrived = destination->read_shard(to, kFirstCore);
      if (!std::equal(content[device].begin(), content[device].end(),
                      arrived.begin() + std::ptrdiff_t{i * bytes})) {
        result.passed = false;
        result.reason = "packets of " + std::to_string(bytes) + " bytes from device " +
                        std::to_string(device) + " did not arrive on device " + std::to_string(to);
      }
      std::uint32_t counted = 0;
      std::memcpy(&counted, counters->read_shard(to, kFirstCore).data() + i * kNeighborCounterBytes,
                  4);
      if (counted != (config_.fused ? each : 0)) {
        result.passed = false;
        result.reason = "device " + std::to_string(to) + " counted " + std::to_string(counted) +
                        " packets of " + std::to_string(bytes) + " bytes from device " +
                        std::to_string(device);
      }
    }
    std::uint32_t stamps[kernel::kFabricBandwidthResults];
    const runtime::ReadsTimes reads_times(mesh.library());
    std::memcpy(stamps, times->read_shard(device, kFirstCore).data(), sizeof stamps);
    const double rate = static_cast<double>(config_.packets * bytes) / (stamps[1] - stamps[0]);
    slowest = device == 0 ? rate : std::min(slowest, rate);
  }
  return slowest;
}

void FabricNeighbors::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const MeshShape shape{config_.rows, mesh.num_devices() / config_.rows};
  FabricMesh fabric(mesh, shape,
                    {.noc = NOC::NOC_1,
                     .kernel = fabric_router_kernel(config_.kernel.value()),
                     .neighbors_only = true});
  fabric.start();
  for (const std::uint32_t bytes : kNeighborPayloads)
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), rate(mesh, fabric, bytes, seed, result), "GB/s"});
  fabric.stop();
}

}  // namespace tvp::workloads::microbenchmarks
