#include "sw/workloads/microbenchmarks/fabric/fabric_ring.h"

#include <algorithm>
#include <array>

#include "sw/runtime/errors.h"
#include "sw/runtime/fabric/fabric_line.h"
#include "sw/workloads/microbenchmarks/fabric/fabric_streams.h"

namespace tvp::workloads::microbenchmarks {

using namespace tvp::runtime;

namespace {

constexpr std::uint32_t kRingPayloads[] = {2048, 4096};

}  // namespace

bool FabricRing::ring() const {
  return !(config_.pattern == "line" || config_.pattern == "longer");
}

/// tt-metal's benchmark orders directions west, east, south, north (split_multicast_hops). A ring
/// is the edge of a mesh of two rows.
bool FabricRing::up_first(unsigned chip, unsigned chips) const {
  if (!ring()) return false;
  return chip == 0 || (chip >= chips / 2 && chip + 1 < chips);
}

std::vector<FabricRing::Way> FabricRing::ways(unsigned chips) const {
  std::vector<Way> all;
  for (unsigned chip = 0; chip < chips; ++chip) {
    std::array<unsigned, 2> hops{chips - 1, chips - 1};
    if (config_.pattern == "half") {
      hops = {chips / 2, chips - 1 - chips / 2};
      if (chip % 2 == 0) std::swap(hops[0], hops[1]);
    }
    if (!ring()) hops = {chips - 1 - chip, chip};
    if (config_.pattern == "longer") hops[chip < chips / 2 ? 1 : 0] = 0;
    const unsigned first = up_first(chip, chips) ? 0 : 1;
    for (const unsigned way : {first, 1 - first})
      if (hops[way] != 0) all.push_back({chip, way == 0, hops[way]});
  }
  return all;
}

void FabricRing::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const unsigned chips = config_.chips == 0 ? mesh.num_devices() : config_.chips.value();
  if (chips < 2) bad_use("fabric_ring.chips", "1: expected 2 or more, or 0 for all of the system");
  FabricLine line(mesh, chips, contract::fabric::kDefaultMaxPayloadBytes, NOC::NOC_1, ring(),
                  FabricStreams::first_plane(mesh));
  FabricStreams streams(mesh, line.router_status(), FabricStreams::send(config_.send.value()),
                        FabricStreams::senders(config_.senders.value()), config_.packets);
  std::vector<std::array<unsigned, 2>> over(chips);  // streams over the link up and down of a chip
  unsigned most = 0;
  for (const auto& [from, up, hops] : ways(chips)) {
    const unsigned first = config_.pattern == "last" ? hops : 1;
    std::vector<unsigned> reached;
    for (unsigned hop = 1; hop <= hops; ++hop) {
      const unsigned before = (from + (up ? hop - 1 : chips - hop + 1)) % chips;
      most = std::max(most, ++over[before][up ? 0 : 1]);
      if (hop >= first) reached.push_back((from + (up ? hop : chips - hop)) % chips);
    }
    streams.add({from,
                 up ? 0u : 1u,
                 {first, hops - first + 1},
                 reached,
                 [&line, from = from, up = up](std::uint32_t semaphores) {
                   return line.connection(from, up, semaphores);
                 }});
  }
  line.start();
  for (const std::uint32_t bytes : kRingPayloads) {
    const double sent = static_cast<double>(most) * config_.packets * bytes;
    result.metrics.push_back(
        {"rate_" + std::to_string(bytes), sent / streams.longest(bytes, seed, result), "GB/s"});
  }
  line.stop();
}

}  // namespace tvp::workloads::microbenchmarks
