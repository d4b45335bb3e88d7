#include "sw/workloads/microbenchmarks/fabric/fabric_bandwidth.h"

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
/// Packets to each chip before the clock is read. They fill the slots of the channels on the way.
constexpr std::uint32_t kWarmUp = 16;

}  // namespace

double FabricBandwidth::rate(MeshDevice& mesh, const FabricLine& line, std::uint32_t bytes,
                             std::uint64_t seed, Result& result) const {
  const std::uint32_t hops = config_.hops;
  const std::uint32_t each = config_.packets + kWarmUp;
  const std::uint32_t packets = hops * each;
  const std::uint32_t streams = config_.both_ways ? 2 : 1;
  const std::uint32_t source_bytes = bytes + packets * kernel::kFabricSourceStep;
  const std::uint32_t stream_bytes = each * bytes;
  const auto source = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = source_bytes});
  const auto destination = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = streams * stream_bytes});
  const auto counters = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = 16 * streams});
  const auto times = MeshBuffer::create(
      mesh,
      ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = 4 * kernel::kFabricBandwidthResults});
  std::vector<std::uint8_t> content(source_bytes);
  std::mt19937_64 random(seed);
  std::generate(content.begin(), content.end(),
                [&] { return static_cast<std::uint8_t>(random()); });
  for (unsigned device = 0; device <= hops; ++device) {
    source->write_shard(device, kFirstCore, content);
    destination->write_shard(device, kFirstCore,
                             std::vector<std::uint8_t>(streams * stream_bytes, 0xA5));
    counters->write_shard(device, kFirstCore, std::vector<std::uint8_t>(16 * streams, 0));
  }

  // Stream 0 from the first chip up, stream 1 from the last one down.
  std::vector<Program> programs(mesh.num_devices());
  for (std::uint32_t stream = 0; stream < streams; ++stream) {
    const unsigned from = stream == 0 ? 0 : hops;
    Program& program = programs[from];
    const std::uint32_t first = CreateSemaphore(program, kFirstCore, 0);
    for (unsigned i = 1; i < kernel::kFabricSemaphores; ++i)
      CreateSemaphore(program, kFirstCore, 0);
    const auto code =
        CreateKernel(program, "firmware/kernels/microbenchmarks/fabric_bandwidth.cpp", kFirstCore,
                     DataMovementConfig{.opt_level = KernelBuildOptLevel::O3});
    std::vector<std::uint32_t> args = line.connection(from, stream == 0, first);
    args.resize(kernel::kFabricBandwidthArgs);
    // Virtual coordinates, the same on every chip.
    const CoreCoord there = mesh.device(1).worker_core_from_logical_core(kFirstCore);
    args[kernel::kFabricRouterStatus] = line.router_status();
    args[kernel::kFabricResults] = static_cast<std::uint32_t>(times->address());
    args[kernel::kFabricOtherX] = there.x;
    args[kernel::kFabricOtherY] = there.y;
    args[kernel::kFabricBytes] = bytes;
    args[kernel::kFabricSource] = static_cast<std::uint32_t>(source->address());
    args[kernel::kFabricDestination] =
        static_cast<std::uint32_t>(destination->address()) + stream * stream_bytes;
    args[kernel::kFabricDevices] = hops;
    args[kernel::kFabricPackets] = packets;
    args[kernel::kFabricWarmUp] = hops * kWarmUp;
    if (config_.fused)
      args[kernel::kFabricCounter] = static_cast<std::uint32_t>(counters->address()) + 16 * stream;
    SetRuntimeArgs(program, code, kFirstCore, args);
  }
  mesh.enqueue_all(programs);
  mesh.finish_workers();
  // Waits until the last packets have left the router and the client has disconnected.
  mesh.library().clock(100'000);

  double slowest = 0;
  for (std::uint32_t stream = 0; stream < streams; ++stream) {
    const unsigned from = stream == 0 ? 0 : hops;
    for (unsigned hop = 1; hop <= hops; ++hop) {
      const unsigned device = stream == 0 ? hop : hops - hop;
      const std::vector<std::uint8_t> arrived = destination->read_shard(device, kFirstCore);
      for (std::uint32_t i = 0; i < each; ++i) {
        const auto packet = std::ptrdiff_t{i * hops + hop - 1};
        const auto sent = content.begin() + packet * kernel::kFabricSourceStep;
        if (std::equal(sent, sent + bytes,
                       arrived.begin() + std::ptrdiff_t{stream * stream_bytes + i * bytes}))
          continue;
        result.passed = false;
        result.reason = "packet " + std::to_string(packet) + " of " + std::to_string(bytes) +
                        " bytes did not arrive on device " + std::to_string(device) +
                        destination->origin(device, kFirstCore, stream * stream_bytes + i * bytes);
      }
      std::uint32_t counted = 0;
      std::memcpy(&counted, counters->read_shard(device, kFirstCore).data() + 16 * stream, 4);
      if (counted == (config_.fused ? each : 0)) continue;
      result.passed = false;
      result.reason = "device " + std::to_string(device) + " counted " + std::to_string(counted) +
                      " packets of " + std::to_string(bytes) + " bytes";
    }
    std::uint32_t stamps[kernel::kFabricBandwidthResults];
    const runtime::ReadsTimes reads_times(mesh.library());
    std::memcpy(stamps, times->read_shard(from, kFirstCore).data(), sizeof stamps);
    const double rate =
        static_cast<double>(hops * config_.packets * bytes) / (stamps[1] - stamps[0]);
    slowest = stream == 0 ? rate : std::min(slowest, rate);
  }
  return slowest;
}

void FabricBandwidth::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  FabricLine line(mesh, config_.hops + 1, contract::fabric::kDefaultMaxPayloadBytes,
                  config_.router_noc == 0 ? NOC::NOC_0 : NOC::NOC_1);
  line.start();
  for (const std::uint32_t bytes : kBandwidthPayloads)
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), rate(mesh, line, bytes, seed, result), "GB/s"});
  line.stop();
}

}  // namespace tvp::workloads::microbenchmarks
