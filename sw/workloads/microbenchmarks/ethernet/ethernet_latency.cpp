#include "sw/workloads/microbenchmarks/ethernet/ethernet_latency.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "sw/runtime/errors.h"
#include "sw/workloads/microbenchmarks/ethernet/ethernet_pair.h"
#include "sw/workloads/microbenchmarks/first_core.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kFlagBytes = 16;

/// Random, except for the flags of all sizes.
Bytes message(std::uint64_t seed) {
  Bytes content = random_bytes(seed, kLargest + kFlagBytes);
  for (std::uint32_t bytes = EthernetPair::kSmallest; bytes <= kLargest; bytes *= 2)
    std::fill_n(content.begin() + bytes, kFlagBytes, std::uint8_t{0});
  return content;
}

}  // namespace

void EthernetLatency::check() const {
  if (!std::has_single_bit(config_.ping_bytes.value()))
    bad_use("ethernet_latency.ping_bytes",
            std::to_string(config_.ping_bytes.value()) + " is not a power of two");
}

void EthernetLatency::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  EthernetPair pair(mesh, name());
  const Bytes content = message(seed);
  pair.write(0, EthernetPair::buffer(), content);
  pair.write(1, EthernetPair::buffer(), Bytes(content.size(), 0));
  std::shared_ptr<MeshBuffer> worker;
  if (config_.worker)
    worker =
        MeshBuffer::create(mesh, ShardedBufferConfig{.cores = kFirstCore, .shard_bytes = kLargest});
  pair.run("firmware/kernels/microbenchmarks/ethernet_round_trip.cpp",
           {EthernetPair::buffer(), config_.rounds, kLargest, config_.ping_bytes, config_.worker},
           worker.get());
  if (pair.read(1, EthernetPair::buffer(), content.size()) != content)
    fail(result, "the receiver does not hold what was sent");
  if (worker && !std::ranges::equal(worker->read_shard(pair.device(1), kFirstCore),
                                    std::span(content).first(kLargest)))
    fail(result, "the worker does not hold what was sent");

  const std::vector<double> trips = zone_cycles(mesh, "round trip", contract::kErisc);
  const auto rounds = static_cast<std::ptrdiff_t>(config_.rounds.value());
  std::uint32_t bytes = EthernetPair::kSmallest;
  for (auto trip = trips.begin(); trip < trips.end(); trip += rounds, bytes *= 2) {
    const double cycles = std::accumulate(trip, trip + rounds, 0.0);
    result.metrics.push_back(
        {"round_trip_" + std::to_string(bytes), cycles / config_.rounds, "ns"});
  }
  double sum = 0;
  for (const double ping : zone_cycles(mesh, "ping", contract::kErisc)) sum += ping;
  result.metrics.push_back({"one_way_ping", sum / config_.rounds / 2, "ns"});
}

}  // namespace tvp::workloads::microbenchmarks
