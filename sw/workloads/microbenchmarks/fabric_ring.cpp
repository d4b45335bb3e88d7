#include "sw/workloads/microbenchmarks/fabric_ring.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
namespace kernel = kernels::microbenchmarks;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint32_t kRingPayloads[] = {2048, 4096};
constexpr std::uint32_t kCounterBytes = 16;
/// Up and down; packets come to a core of their own, which neither sends.
constexpr std::array<CoreCoord, 2> kSenders{CoreCoord{0, 0}, CoreCoord{1, 0}};
constexpr CoreCoord kReceiver{2, 0};

}  // namespace

std::vector<FabricRing::Stream> FabricRing::streams(unsigned chips) const {
  std::vector<Stream> all;
  const std::string pattern = config_.pattern.value();
  for (unsigned chip = 0; chip < chips; ++chip) {
    std::array<unsigned, 2> ranges{chips - 1, chips - 1};
    if (pattern == "half") {
      ranges = {chips / 2, chips - 1 - chips / 2};
      if (chip % 2 == 0) std::swap(ranges[0], ranges[1]);
    }
    if (pattern == "line") ranges = {chips - 1 - chip, chip};
    for (unsigned way = 0; way < 2; ++way)
      if (ranges[way] != 0) all.push_back({chip, way == 0, ranges[way]});
  }
  return all;
}

double FabricRing::rate(MeshDevice& mesh, const FabricLine& line, unsigned chips,
                        std::uint32_t bytes, std::uint64_t seed, Result& result) const {
  const std::vector<Stream> all = streams(chips);
  const CoreRangeSet senders(std::vector<CoreCoord>(kSenders.begin(), kSenders.end()));
  const auto source = MeshBuffer::create(mesh, ShardedBufferConfig{senders, bytes});
  const auto times =
      MeshBuffer::create(mesh, ShardedBufferConfig{senders, 4 * kernel::kFabricBandwidthResults});
  // A place and a counter for each stream.
  const auto count = static_cast<std::uint32_t>(all.size());
  const auto destination = MeshBuffer::create(mesh, ShardedBufferConfig{kReceiver, count * bytes});
  const auto counters =
      MeshBuffer::create(mesh, ShardedBufferConfig{kReceiver, count * kCounterBytes});
  for (unsigned chip = 0; chip < chips; ++chip) {
    destination->write_shard(chip, kReceiver, Bytes(count * bytes, 0xA5));
    counters->write_shard(chip, kReceiver, Bytes(count * kCounterBytes, 0));
  }
  std::mt19937_64 random(seed);
  std::vector<Bytes> content(count, Bytes(bytes));
  std::vector<Program> programs(mesh.num_devices());
  const CoreCoord there = mesh.device(0).worker_core_from_logical_core(kReceiver);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [from, up, range] = all[i];
    const CoreCoord core = kSenders[up ? 0 : 1];
    std::generate(content[i].begin(), content[i].end(),
                  [&] { return static_cast<std::uint8_t>(random()); });
    source->write_shard(from, core, content[i]);
    Program& program = programs[from];
    const std::uint32_t first = CreateSemaphore(program, core, 0);
    for (unsigned s = 1; s < kernel::kFabricSemaphores; ++s) CreateSemaphore(program, core, 0);
    const auto code = CreateKernel(program, "firmware/kernels/microbenchmarks/fabric_ring.cpp",
                                   core, DataMovementConfig{.opt_level = KernelBuildOptLevel::O3});
    std::vector<std::uint32_t> args = line.connection(from, up, first);
    args.resize(kernel::kFabricRingArgs);
    args[kernel::kFabricRouterStatus] = line.router_status();
    args[kernel::kFabricResults] = static_cast<std::uint32_t>(times->address());
    args[kernel::kFabricOtherX] = there.x;
    args[kernel::kFabricOtherY] = there.y;
    args[kernel::kFabricBytes] = bytes;
    args[kernel::kFabricSource] = static_cast<std::uint32_t>(source->address());
    args[kernel::kFabricDestination] =
        static_cast<std::uint32_t>(destination->address()) + i * bytes;
    args[kernel::kFabricRange] = range;
    args[kernel::kFabricPackets] = config_.packets;
    args[kernel::kFabricScatters] = config_.send.value() == "scatter" ? 1 : 0;
    args[kernel::kFabricCounter] =
        config_.send.value() == "fused"
            ? static_cast<std::uint32_t>(counters->address()) + i * kCounterBytes
            : 0;
    SetRuntimeArgs(program, code, core, args);
  }
  mesh.enqueue_all(programs);
  mesh.finish_workers();
  // The clients have gone when their last packets have left their routers.
  mesh.library().clock(100'000);

  const runtime::ReadsTimes reads_times(mesh.library());
  std::vector<std::array<unsigned, 2>> over(chips);  // streams over the link up and down of a chip
  std::uint32_t longest = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [from, up, range] = all[i];
    for (unsigned hop = 1; hop <= range; ++hop) {
      ++over[(from + (up ? hop - 1 : chips - hop + 1)) % chips][up ? 0 : 1];
      const unsigned chip = (from + (up ? hop : chips - hop)) % chips;
      const Bytes arrived = destination->read_shard(chip, kReceiver);
      std::uint32_t counted = 0;
      std::memcpy(&counted, counters->read_shard(chip, kReceiver).data() + i * kCounterBytes, 4);
      if (std::equal(content[i].begin(), content[i].end(),
                     arrived.begin() + std::ptrdiff_t{i} * bytes) &&
          counted == (config_.send.value() == "fused" ? config_.packets.value() : 0U))
        continue;
      result.passed = false;
      result.reason = "packets of " + std::to_string(bytes) + " bytes from device " +
                      std::to_string(from) + (up ? " up" : " down") +
                      " did not all arrive on device " + std::to_string(chip);
    }
    std::uint32_t stamps[kernel::kFabricBandwidthResults];
    std::memcpy(stamps, times->read_shard(from, kSenders[up ? 0 : 1]).data(), sizeof stamps);
    longest = std::max(longest, stamps[1] - stamps[0]);
  }
  unsigned most = 0;
  for (const auto& links : over) most = std::max({most, links[0], links[1]});
  return static_cast<double>(most) * config_.packets * bytes / longest;
}

void FabricRing::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const unsigned chips = config_.chips == 0 ? mesh.num_devices() : config_.chips.value();
  if (chips < 2) bad_use("fabric_ring.chips", "1: expected 2 or more, or 0 for all of the system");
  FabricLine line(mesh, chips, contract::fabric::kDefaultMaxPayloadBytes, NOC::NOC_1,
                  config_.pattern.value() != "line", fabric_router_kernel(config_.kernel.value()));
  line.start();
  for (const std::uint32_t bytes : kRingPayloads)
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), rate(mesh, line, chips, bytes, seed, result), "GB/s"});
  line.stop();
}

}  // namespace tvp::workloads::microbenchmarks
