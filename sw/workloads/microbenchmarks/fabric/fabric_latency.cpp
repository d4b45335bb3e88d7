#include "sw/workloads/microbenchmarks/fabric/fabric_latency.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_line.h"
#include "sw/runtime/fabric/fabric_mesh.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
using contract::fabric::kEast;
using contract::fabric::kWest;
namespace kernel = kernels::microbenchmarks;

namespace {

constexpr std::uint32_t kLatencyPayloads[] = {16, 1024, 2048, 4096};
constexpr std::uint32_t kCountBytes = 16;

double mean_of(const std::vector<std::uint8_t>& words, std::uint32_t count) {
  double sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t word;
    std::memcpy(&word, words.data() + 4 * i, 4);
    sum += word;
  }
  return sum / count;
}

}  // namespace

double FabricLatency::one_way(MeshDevice& mesh, const Fabric& fabric, unsigned hops,
                              std::uint32_t bytes, std::uint64_t seed, Result& result) const {
  const std::uint32_t samples = config_.samples;
  const auto source =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = bytes});
  const auto destination =
      MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = bytes});
  const auto times = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = 4 * samples});
  const auto counter = MeshBuffer::create(
      mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = kCountBytes});
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> content[2];
  std::vector<Program> programs(mesh.num_devices());
  for (const bool begins : {true, false}) {
    const unsigned device = begins ? 0 : hops;
    const unsigned other = begins ? hops : 0;
    std::vector<std::uint8_t>& bytes_sent = content[begins ? 0 : 1];
    bytes_sent.resize(bytes);
    std::generate(bytes_sent.begin(), bytes_sent.end(),
                  [&] { return static_cast<std::uint8_t>(random()); });
    // The last word counts.
    std::memcpy(bytes_sent.data() + bytes - 4, &samples, 4);
    source->write_shard(device, kFirstCore, bytes_sent);
    destination->write_shard(device, kFirstCore, std::vector<std::uint8_t>(bytes, 0));
    counter->write_shard(device, kFirstCore, std::vector<std::uint8_t>(kCountBytes, 0));

    Program& program = programs[device];
    const std::uint32_t first = CreateSemaphore(program, kFirstCore, 0);
    for (unsigned i = 1; i < kernel::kFabricSemaphores; ++i)
      CreateSemaphore(program, kFirstCore, 0);
    const auto code = CreateKernel(
        program, "firmware/kernels/microbenchmarks/fabric_latency.cpp", kFirstCore,
        DataMovementConfig{.defines = fabric.defines, .opt_level = KernelBuildOptLevel::O3});
    std::vector<std::uint32_t> args = fabric.connection(device, begins, first);
    args.resize(kernel::kFabricLatencyArgs);
    const CoreCoord there = mesh.device(other).worker_core_from_logical_core(kFirstCore);
    args[kernel::kFabricRouterStatus] = fabric.router_status;
    args[kernel::kFabricResults] = static_cast<std::uint32_t>(times->address());
    args[kernel::kFabricOtherX] = there.x;
    args[kernel::kFabricOtherY] = there.y;
    args[kernel::kFabricBytes] = bytes;
    args[kernel::kFabricSource] = static_cast<std::uint32_t>(source->address());
    args[kernel::kFabricDestination] = static_cast<std::uint32_t>(destination->address());
    args[kernel::kFabricBegins] = begins ? 1 : 0;
    args[kernel::kFabricHops] = hops;
    args[kernel::kFabricDirection] = begins ? kEast : kWest;
    args[kernel::kFabricIncrements] =
        config_.fused ? static_cast<std::uint32_t>(counter->address()) : 0;
    args[kernel::kFabricSamples] = samples;
    SetRuntimeArgs(program, code, kFirstCore, args);
  }
  mesh.enqueue_all(programs);
  mesh.finish_workers();

  for (const unsigned device : {hops, 0U}) {
    if (destination->read_shard(device, kFirstCore) == content[device == 0 ? 1 : 0]) continue;
    result.passed = false;
    result.reason = "a packet of " + std::to_string(bytes) + " bytes over " + std::to_string(hops) +
                    " hops did not bring the bytes that were sent" +
                    destination->origin(device, kFirstCore, 0);
  }
  const runtime::ReadsTimes reads_times(mesh.library());
  const double exchange = mean_of(times->read_shard(0, kFirstCore), samples);
  const double answer = mean_of(times->read_shard(hops, kFirstCore), samples);
  if (hops == 1) result.metrics.push_back({"answer_" + std::to_string(bytes), answer, "ns"});
  return (exchange - answer) / 2;
}

void FabricLatency::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const NOC noc = config_.router_noc == 0 ? NOC::NOC_0 : NOC::NOC_1;
  const unsigned plane = FabricStreams::first_plane(mesh);
  if (config_.topology == "mesh") {
    const MeshShape shape{config_.rows, mesh.num_devices() / config_.rows};
    if (config_.hops >= shape.columns)
      bad_use("fabric_latency.hops", std::to_string(config_.hops) + ": expected fewer than the " +
                                         std::to_string(shape.columns) +
                                         " devices of a row of the mesh");
    FabricMesh fabric(mesh, shape, {.first_link = plane, .noc = noc});
    fabric.start();
    run_over(mesh,
             {fabric.router_status(), FabricMesh::defines(),
              [&fabric](unsigned device, bool on, std::uint32_t semaphores) {
                return fabric.connection(device, on ? kEast : kWest, semaphores);
              }},
             seed, result);
    fabric.stop();
    return;
  }
  const bool ring = config_.topology == "ring";
  FabricLine line(mesh, ring ? mesh.num_devices() : config_.hops + 1,
                  contract::fabric::kDefaultMaxPayloadBytes, noc, ring, plane);
  line.start();
  run_over(mesh,
           {line.router_status(),
            {},
            [&line](unsigned device, bool on, std::uint32_t semaphores) {
              return line.connection(device, on, semaphores);
            }},
           seed, result);
  line.stop();
}

void FabricLatency::run_over(MeshDevice& mesh, const Fabric& fabric, std::uint64_t seed,
                             Result& result) const {
  const unsigned hops = config_.hops;
  for (const std::uint32_t bytes : kLatencyPayloads) {
    const std::string size = std::to_string(bytes);
    const double one = one_way(mesh, fabric, 1, bytes, seed, result);
    const double all = one_way(mesh, fabric, hops, bytes, seed, result);
    result.metrics.push_back({"one_hop_" + size, one, "ns"});
    result.metrics.push_back({"all_hops_" + size, all, "ns"});
    result.metrics.push_back({"further_hop_" + size, (all - one) / (hops - 1), "ns"});
  }
}

}  // namespace tvp::workloads::microbenchmarks
