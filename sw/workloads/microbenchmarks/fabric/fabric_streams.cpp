#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "firmware/kernels/microbenchmarks/fabric_arguments.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/reads_times.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;
namespace kernel = kernels::microbenchmarks;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// Packets of each stream before the first clock read. They fill all slots on the way and write
/// payloads into those of the router.
constexpr std::uint32_t kFillPackets = 32;
constexpr std::uint32_t kStateBytes = 1024;
constexpr std::uint32_t kCounterBytes = 16;
/// Distance of places: NIUs write to the same address modulo 16 as they read.
constexpr std::uint32_t stride(std::uint32_t bytes) { return (bytes + 15) / 16 * 16; }
constexpr std::uint32_t kStreamsPerReceiver = 4;

}  // namespace

/// The same addresses on all chips; a place and a counter for each stream.
struct FabricStreams::Memory {
  Memory(MeshDevice& mesh, CoreRange senders, std::uint32_t streams, std::uint32_t bytes)
      : per_receiver(std::max(kStreamsPerReceiver,
                              (streams + senders.end_coord.y) / (senders.end_coord.y + 1))),
        source(
            MeshBuffer::create(mesh, ShardedBufferConfig{.cores = senders, .shard_bytes = bytes})),
        state(MeshBuffer::create(
            mesh, ShardedBufferConfig{.cores = senders, .shard_bytes = kStateBytes})),
        times(MeshBuffer::create(
            mesh, ShardedBufferConfig{.cores = senders,
                                      .shard_bytes = 4 * kernel::kFabricBandwidthResults})) {
    const CoreRangeSet receivers(CoreRange({0, 0}, receiver(streams - 1)));
    const std::uint32_t places = per_receiver * stride(bytes);
    const std::uint32_t words = per_receiver * kCounterBytes;
    destination =
        MeshBuffer::create(mesh, ShardedBufferConfig{.cores = receivers, .shard_bytes = places});
    counters =
        MeshBuffer::create(mesh, ShardedBufferConfig{.cores = receivers, .shard_bytes = words});
    for (unsigned device = 0; device < mesh.num_devices(); ++device) {
      for (std::uint32_t i = 0; i < streams; i += per_receiver) {
        destination->write_shard(device, receiver(i), Bytes(places, 0xA5));
        counters->write_shard(device, receiver(i), Bytes(words, 0));
      }
    }
  }
  CoreCoord receiver(std::uint32_t stream) const { return {0, stream / per_receiver}; }
  std::uint32_t place(std::uint32_t stream) const { return stream % per_receiver; }

  std::uint32_t per_receiver;
  std::shared_ptr<MeshBuffer> source, state, times, destination, counters;
};

FabricSendersKey::FabricSendersKey(foundation::SettingGroup& group)
    : Choice(group,
             {"senders", "",
              "cores of a chip that send: one, for all ways in turn, or each_way, one for each, as "
              "tt-metal's benchmark of March 2026 has",
              "workload"},
             {.value = "one", .choices = {"one", "each_way"}}) {}

FabricStreams::FabricStreams(MeshDevice& mesh, std::uint32_t router_status, Send send,
                             Senders senders, std::uint32_t packets,
                             std::map<std::string, std::string> defines)
    : mesh_(mesh),
      router_status_(router_status),
      send_(send),
      senders_(senders),
      packets_(packets),
      defines_(std::move(defines)) {}

CoreCoord FabricStreams::core(std::size_t sender) const {
  const CoreCoord grid = mesh_.device(0).layout().grid_size();
  return {grid.x - 1, grid.y - 1 - static_cast<std::uint32_t>(sender)};
}

std::vector<FabricStreams::Sender> FabricStreams::senders_of(unsigned device) const {
  std::vector<Sender> senders;
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    const Stream& stream = streams_[i];
    if (stream.from != device) continue;
    const auto sends = [&](const Sender& sender) {
      return senders_ == Senders::kOne || sender.ways.front() == stream.way;
    };
    auto sender = std::find_if(senders.begin(), senders.end(), sends);
    if (sender == senders.end()) sender = senders.insert(sender, {.core = core(senders.size())});
    if (std::count(sender->ways.begin(), sender->ways.end(), stream.way) == 0)
      sender->ways.push_back(stream.way);
    sender->streams.push_back(i);
  }
  return senders;
}

FabricStreams::Send FabricStreams::send(const std::string& name) {
  if (name == "fused") return Send::kFused;
  return name == "scatter" ? Send::kScatter : Send::kWrite;
}

FabricStreams::Senders FabricStreams::senders(const std::string& name) {
  return name == "each_way" ? Senders::kEachWay : Senders::kOne;
}

unsigned FabricStreams::first_plane(MeshDevice& mesh) {
  unsigned links = 0;
  unsigned first = 0;
  std::uint32_t leftmost = ~0u;
  for (const MeshLink& link : mesh.links()) {
    if (std::minmax(link.device_a, link.device_b) != std::minmax(0u, 1u)) continue;
    const unsigned channel = link.device_a == 0 ? link.channel_a : link.channel_b;
    const std::uint32_t column = mesh.device(0).layout().ethernet_noc0(channel).x;
    if (column < leftmost) {
      leftmost = column;
      first = links;
    }
    ++links;
  }
  return first;
}

void FabricStreams::add_kernel(const Sender& sender, const Memory& memory, std::uint32_t bytes,
                               Program& program) const {
  const auto address = [](const std::shared_ptr<MeshBuffer>& buffer) {
    return static_cast<std::uint32_t>(buffer->address());
  };
  std::vector<std::uint32_t> args(kernel::kStreamsArgs);
  args[kernel::kStreamsRouterStatus] = router_status_;
  args[kernel::kStreamsResults] = address(memory.times);
  args[kernel::kStreamsBytes] = bytes;
  args[kernel::kStreamsSource] = address(memory.source);
  args[kernel::kStreamsState] = address(memory.state);
  args[kernel::kStreamsPackets] = packets_;
  args[kernel::kStreamsWarmUp] = kFillPackets;
  args[kernel::kStreamsScatters] = send_ == Send::kScatter ? 1 : 0;
  std::vector<std::uint32_t> connections;
  std::size_t connected = 0;
  for (const std::uint32_t i : sender.streams) {
    const Stream& stream = streams_[i];
    const auto way = std::find(sender.ways.begin(), sender.ways.end(), stream.way);
    const auto connection = static_cast<std::uint32_t>(way - sender.ways.begin());
    if (connection == connected) {
      const auto words = stream.connection(3 * connection);
      connections.insert(connections.end(), words.begin(), words.end());
      ++connected;
    }
    // Virtual coordinates, the same on every chip.
    const CoreCoord there = mesh_.device(0).worker_core_from_logical_core(memory.receiver(i));
    const std::uint32_t place = memory.place(i);
    std::uint32_t block[kernel::kStreamArgs] = {};
    block[kernel::kStreamConnection] = connection;
    block[kernel::kStreamToX] = there.x;
    block[kernel::kStreamToY] = there.y;
    block[kernel::kStreamDestination] = address(memory.destination) + place * stride(bytes);
    block[kernel::kStreamCounter] =
        send_ == Send::kFused ? address(memory.counters) + place * kCounterBytes : 0;
    std::copy(stream.route.begin(), stream.route.end(), block + kernel::kStreamRoute);
    args.insert(args.end(), std::begin(block), std::end(block));
  }
  args.insert(args.end(), connections.begin(), connections.end());
  const auto ways_out = static_cast<std::uint32_t>(sender.ways.size());
  for (unsigned i = 0; i <= kernel::fabric_status_semaphore(ways_out); ++i)
    CreateSemaphore(program, sender.core, 0);
  DataMovementConfig config;
  config.compile_args = {static_cast<std::uint32_t>(sender.streams.size()), ways_out};
  config.defines = defines_;
  config.opt_level = KernelBuildOptLevel::O3;  // as tt-metal's
  const auto code = CreateKernel(program, "firmware/kernels/microbenchmarks/fabric_streams.cpp",
                                 sender.core, config);
  SetRuntimeArgs(program, code, sender.core, args);
}

void FabricStreams::check(const Memory& memory, std::uint32_t bytes,
                          const std::vector<Bytes>& content, Result& result) const {
  const std::uint32_t expected = send_ == Send::kFused ? packets_ + kFillPackets : 0;
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    const unsigned from = streams_[i].from;
    for (const unsigned to : streams_[i].reached) {
      const CoreCoord core = memory.receiver(i);
      const std::uint32_t place = memory.place(i);
      const Bytes arrived = memory.destination->read_shard(to, core);
      const Bytes counts = memory.counters->read_shard(to, core);
      std::uint32_t counted = 0;
      std::memcpy(&counted, counts.data() + place * kCounterBytes, sizeof counted);
      const auto begin = arrived.begin() + std::ptrdiff_t{place} * stride(bytes);
      const auto [sent, wrong] = std::mismatch(content[from].begin(), content[from].end(), begin);
      const bool same = sent == content[from].end();
      if ((same && counted == expected) || !result.passed) continue;
      result.passed = false;
      result.reason = "packets of " + std::to_string(bytes) + " bytes from device " +
                      std::to_string(from) + " did not all arrive on device " + std::to_string(to);
      if (same)
        result.reason += ": counted " + std::to_string(counted) + ", expected " +
                         std::to_string(expected) +
                         memory.counters->origin(to, core, place * kCounterBytes);
      else
        result.reason += ", from byte " + std::to_string(wrong - begin) + " on" +
                         memory.destination->origin(
                             to, core, static_cast<std::uint32_t>(wrong - arrived.begin()));
    }
  }
}

std::uint32_t FabricStreams::longest(std::uint32_t bytes, std::uint64_t seed,
                                     Result& result) const {
  std::size_t most = 1;
  for (unsigned device = 0; device < mesh_.num_devices(); ++device)
    most = std::max(most, senders_of(device).size());
  const Memory memory(mesh_, CoreRange(core(most - 1), core(0)),
                      static_cast<std::uint32_t>(streams_.size()), bytes);
  std::mt19937_64 random(seed);
  std::vector<Bytes> content(mesh_.num_devices(), Bytes(bytes));
  std::vector<Program> programs(mesh_.num_devices());
  for (unsigned device = 0; device < mesh_.num_devices(); ++device) {
    std::generate(content[device].begin(), content[device].end(),
                  [&] { return static_cast<std::uint8_t>(random()); });
    for (const Sender& sender : senders_of(device)) {
      memory.source->write_shard(device, sender.core, content[device]);
      add_kernel(sender, memory, bytes, programs[device]);
    }
  }
  mesh_.enqueue_all(programs);
  mesh_.finish_workers();
  // Waits until the last packets have left the routers and the clients have disconnected.
  mesh_.library().clock(100'000);
  check(memory, bytes, content, result);

  const runtime::ReadsTimes reads_times(mesh_.library());
  std::uint32_t longest = 0;
  for (unsigned device = 0; device < mesh_.num_devices(); ++device) {
    for (const Sender& sender : senders_of(device)) {
      std::uint32_t stamps[kernel::kFabricBandwidthResults];
      std::memcpy(stamps, memory.times->read_shard(device, sender.core).data(), sizeof stamps);
      longest = std::max(longest, stamps[1] - stamps[0]);
    }
  }
  return longest;
}

}  // namespace tvp::workloads::microbenchmarks
