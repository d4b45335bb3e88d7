#include "sw/workloads/microbenchmarks/fabric_bandwidth.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
namespace kernel = kernels::microbenchmarks;

namespace {

constexpr std::uint32_t kBandwidthPayloads[] = {2048, 4096};
/// To each chip, before the clock is read: fills the slots of the channels on the way.
constexpr std::uint32_t kWarmUp = 16;

}  // namespace

double FabricBandwidth::rate(MeshDevice& mesh, const FabricLine& line, std::uint32_t bytes,
                             std::uint64_t seed, Result& result) const {
  const std::uint32_t devices = config_.hops;
  const std::uint32_t each = config_.packets + kWarmUp;
  const std::uint32_t packets = devices * each;
  const std::uint32_t source_bytes = bytes + packets * kernel::kFabricSourceStep;
  const auto source = MeshBuffer::create(mesh, ShardedBufferConfig{kFirstCore, source_bytes});
  const auto destination = MeshBuffer::create(mesh, ShardedBufferConfig{kFirstCore, each * bytes});
  const auto times = MeshBuffer::create(
      mesh, ShardedBufferConfig{kFirstCore, 4 * kernel::kFabricBandwidthResults});
  std::vector<std::uint8_t> content(source_bytes);
  std::mt19937_64 random(seed);
  std::generate(content.begin(), content.end(),
                [&] { return static_cast<std::uint8_t>(random()); });
  source->write_shard(0, kFirstCore, content);
  for (unsigned device = 1; device <= devices; ++device)
    destination->write_shard(device, kFirstCore, std::vector<std::uint8_t>(each * bytes, 0xA5));

  std::vector<Program> programs(mesh.num_devices());
  Program& program = programs[0];
  const std::uint32_t first = CreateSemaphore(program, kFirstCore, 0);
  for (unsigned i = 1; i < kernel::kFabricSemaphores; ++i) CreateSemaphore(program, kFirstCore, 0);
  const auto code = CreateKernel(program, "firmware/kernels/microbenchmarks/fabric_bandwidth.cpp",
                                 kFirstCore, DataMovementConfig{});
  std::vector<std::uint32_t> args = line.connection(0, true, first);
  args.resize(kernel::kFabricBandwidthArgs);
  // Virtual coordinates, the same on every chip.
  const CoreCoord there = mesh.device(1).worker_core_from_logical_core(kFirstCore);
  args[kernel::kFabricRouterStatus] = line.router_status();
  args[kernel::kFabricResults] = static_cast<std::uint32_t>(times->address());
  args[kernel::kFabricOtherX] = there.x;
  args[kernel::kFabricOtherY] = there.y;
  args[kernel::kFabricBytes] = bytes;
  args[kernel::kFabricSource] = static_cast<std::uint32_t>(source->address());
  args[kernel::kFabricDestination] = static_cast<std::uint32_t>(destination->address());
  args[kernel::kFabricDevices] = devices;
  args[kernel::kFabricPackets] = packets;
  args[kernel::kFabricWarmUp] = devices * kWarmUp;
  SetRuntimeArgs(program, code, kFirstCore, args);
  mesh.enqueue_all(programs);
  mesh.finish_workers();
  // The client has gone when its last packets have left its router.
  mesh.library().clock(100'000);

  for (unsigned device = 1; device <= devices; ++device) {
    const std::vector<std::uint8_t> arrived = destination->read_shard(device, kFirstCore);
    for (std::uint32_t i = 0; i < each; ++i) {
      const auto packet = std::ptrdiff_t{i * devices + device - 1};
      const auto sent = content.begin() + packet * kernel::kFabricSourceStep;
      if (std::equal(sent, sent + bytes, arrived.begin() + std::ptrdiff_t{i * bytes})) continue;
      result.passed = false;
      result.reason = "packet " + std::to_string(packet) + " of " + std::to_string(bytes) +
                      " bytes did not arrive on device " + std::to_string(device);
    }
  }
  std::uint32_t stamps[kernel::kFabricBandwidthResults];
  const runtime::ReadsTimes reads_times(mesh.library());
  std::memcpy(stamps, times->read_shard(0, kFirstCore).data(), sizeof stamps);
  return static_cast<double>(devices * config_.packets * bytes) / (stamps[1] - stamps[0]);
}

void FabricBandwidth::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  FabricLine line(mesh, config_.hops + 1, contract::fabric::kDefaultMaxPayloadBytes);
  line.start();
  for (const std::uint32_t bytes : kBandwidthPayloads)
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), rate(mesh, line, bytes, seed, result), "GB/s"});
  line.stop();
}

}  // namespace tvp::workloads::microbenchmarks
