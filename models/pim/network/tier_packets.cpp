#include "models/pim/network/tier_packets.h"

#include "models/pim/network/rank_mesh.h"

namespace tvp::pim {

std::uint32_t TierPackets::keep(const Packet& packet) {
  if (free_.empty()) {
    packets_.push_back({packet, 0});
    return static_cast<std::uint32_t>(packets_.size() - 1);
  }
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  packets_[slot].packet = packet;
  return slot;
}

Packet TierPackets::take(std::uint32_t slot) {
  free_.push_back(slot);
  return packets_[slot].packet;
}

std::uint16_t TierPackets::flits_of(std::uint32_t slot) const {
  return RankMesh::flits(static_cast<std::uint32_t>(packets_[slot].packet.payload.size()),
                         flit_bytes_);
}

}  // namespace tvp::pim
