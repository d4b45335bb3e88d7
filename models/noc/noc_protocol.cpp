#include "models/noc/noc_protocol.h"

namespace tvp::noc {

const char* name_of(PacketKind kind) {
  switch (kind) {
    case PacketKind::kReadRequest:
      return "read request";
    case PacketKind::kWrite:
      return "write";
    case PacketKind::kInlineWrite:
      return "inline write";
    case PacketKind::kAtomic:
      return "atomic";
    case PacketKind::kReadResponse:
      return "read response";
    case PacketKind::kWriteAck:
      return "write acknowledgement";
    case PacketKind::kAtomicResponse:
      return "atomic response";
  }
  return "?";
}

Packet::Packet(PacketPool& pool, std::uint32_t large)
    : tlm::tlm_generic_payload(&pool),
      large_(large != 0 ? new std::uint8_t[large] : nullptr),
      data_(large != 0 ? large_.get() : small_) {
  set_extension<NocExtension>(&header_);
}

Packet::~Packet() { clear_extension<NocExtension>(); }

Packet& PacketPool::allocate(std::uint32_t bytes) {
  const bool large = bytes > kSmallBytes;
  auto& available = large ? free_large_ : free_small_;
  if (available.empty()) {
    packets_.push_back(std::make_unique<Packet>(*this, large ? longest_ : 0));
    available.push_back(packets_.back().get());
  }
  Packet& packet = *available.back();
  available.pop_back();
  static_cast<NocExtension&>(packet.header()) = NocExtension{};
  packet.acquire();
  return packet;
}

void PacketPool::free(tlm::tlm_generic_payload* payload) {
  Packet& packet = packet_of(*payload);
  (packet.large() ? free_large_ : free_small_).push_back(&packet);
}

}  // namespace tvp::noc
