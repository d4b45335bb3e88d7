#include "sw/workloads/microbenchmarks/ethernet/ethernet_bandwidth.h"

#include <algorithm>
#include <memory>

#include "sw/workloads/microbenchmarks/ethernet/ethernet_pair.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {
constexpr std::uint32_t kSyncBytes = 16;
}  // namespace

/// The rings of both directions must fit.
std::uint32_t EthernetBandwidth::largest() const {
  return config_.both_ways ? kLargest / 2 : kLargest;
}

std::uint32_t EthernetBandwidth::ring_bytes() const {
  return config_.slots * (largest() + kSyncBytes);
}

void EthernetBandwidth::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  EthernetPair pair(mesh, name());
  const Bytes content = random_bytes(seed, ring_bytes());
  const unsigned ways = config_.both_ways ? 2 : 1;
  for (unsigned way = 0; way < ways; ++way) {
    const std::uint32_t ring = EthernetPair::buffer() + way * ring_bytes();
    pair.write(way, ring, content);
    pair.write(1 - way, ring, Bytes(ring_bytes(), 0));
  }
  std::shared_ptr<MeshBuffer> worker;
  if (config_.worker)
    worker = MeshBuffer::create(mesh,
                                ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = largest()});
  pair.run("firmware/kernels/microbenchmarks/ethernet_stream.cpp",
           {EthernetPair::buffer(), config_.slots, config_.messages, largest(), config_.both_ways,
            config_.worker},
           worker.get());
  for (unsigned way = 0; way < ways; ++way) {
    compare(pair, way, result);
    if (worker) compare(pair, way, worker->read_shard(pair.device(1 - way), kFirstCore), result);
  }

  std::uint32_t bytes = EthernetPair::kSmallest;
  for (const Zone& zone : mesh.zones()) {
    if (zone.name != "stream" || zone.device != pair.device(0)) continue;
    const double rate =
        static_cast<double>(config_.messages) * bytes / static_cast<double>(zone.end - zone.begin);
    result.metrics.push_back({"rate_" + std::to_string(bytes), rate, "GB/s"});
    bytes *= 2;
  }
}

/// The largest messages came last and overwrite all smaller ones except their sync words, which the
/// sender has also changed in its own copy.
void EthernetBandwidth::compare(EthernetPair& pair, unsigned way, Result& result) const {
  const std::uint32_t ring = EthernetPair::buffer() + way * ring_bytes();
  const Bytes sent = pair.read(way, ring, ring_bytes());
  const Bytes arrived = pair.read(1 - way, ring, ring_bytes());
  for (std::size_t slot = 0; slot < config_.slots; ++slot) {
    const auto begin = static_cast<std::ptrdiff_t>(slot * (largest() + kSyncBytes));
    if (std::equal(sent.begin() + begin, sent.begin() + begin + largest(), arrived.begin() + begin))
      continue;
    fail(result, "slot " + std::to_string(slot) + " does not hold what was sent");
  }
}

/// Compares the last message at a worker.
void EthernetBandwidth::compare(EthernetPair& pair, unsigned way, const Bytes& at_worker,
                                Result& result) const {
  const std::uint32_t slot = (config_.messages - 1) % config_.slots;
  const std::uint32_t message =
      EthernetPair::buffer() + way * ring_bytes() + slot * (largest() + kSyncBytes);
  if (at_worker != pair.read(way, message, largest()))
    fail(result, "a worker does not hold the last message");
}

}  // namespace tvp::workloads::microbenchmarks
