#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "models/ethernet/ethernet_packet.h"

namespace tvp::ethernet {

/// A message over a link. It is plain bytes, so that it can go to another process. Times are those
/// of the system, since the ends may have different clocks.
struct LinkMessage {
  std::uint64_t departure_ps = 0;  ///< the first bit is on the line
  std::uint64_t arrival_ps = 0;    ///< the last byte has left the MAC of the other end
  std::uint32_t sequence = 0;      ///< number of messages sent and not lost
  EthernetPacket packet;           ///< last member, since its data may end early

  /// Number of valid bytes of this struct.
  std::size_t size() const {
    return offsetof(LinkMessage, packet) + offsetof(EthernetPacket, data) + packet.bytes;
  }
};
static_assert(std::is_trivially_copyable_v<LinkMessage> && std::is_standard_layout_v<LinkMessage>);

}  // namespace tvp::ethernet
