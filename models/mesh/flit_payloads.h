#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "models/mesh/mesh_packet.h"

namespace tvp::mesh {

/// The payload of flits, as the pins of external routers carry it: 64 bits of each flit. These are
/// the first 8 bytes of the flit's share of the packet's bytes. Flits without bytes (headers,
/// packets of synthetic traffic) carry a hash of the packet's tag and the flit's number.
class FlitPayloads {
 public:
  std::uint64_t of(std::uint32_t number, const MeshPacket& packet, unsigned flit) const;
  /// A router has sent another payload.
  void alter(std::uint32_t number, unsigned flit, std::uint64_t payload) {
    altered_[number][flit] = payload;
  }
  bool is_altered(std::uint32_t number) const {
    return !altered_.empty() && altered_.contains(number);
  }
  /// The packet's bytes as they arrive.
  std::vector<std::uint8_t> bytes(std::uint32_t number, const MeshPacket& packet) const;
  /// The packet has left the mesh or starts again.
  void forget(std::uint32_t number) {
    if (!altered_.empty()) altered_.erase(number);
  }

 private:
  std::unordered_map<std::uint32_t, std::map<unsigned, std::uint64_t>> altered_;
};

}  // namespace tvp::mesh
