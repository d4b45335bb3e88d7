#pragma once
// Sizes of packets and of the slots that hold them.

#include <stdint.h>

#if !defined(FABRIC_1D_PKT_HDR_EXTENSION_WORDS)
#define FABRIC_1D_PKT_HDR_EXTENSION_WORDS 1
#endif

namespace tvp::contract::fabric {

/// A route has two bits a hop: 16 hops in the header's own word, 16 more in each extension word.
constexpr uint32_t kHeaderExtensionWords = FABRIC_1D_PKT_HDR_EXTENSION_WORDS;
constexpr uint32_t kPacketHeaderBytes = 64;
/// The route follows the command and lasts until the end of the header. A packet whose route is
/// zero goes nowhere.
constexpr uint32_t kPacketRouteOffset = 44;
constexpr uint32_t kMaxHops = 16 * (1 + kHeaderExtensionWords);
static_assert(kHeaderExtensionWords >= 1 && kHeaderExtensionWords <= 4);

/// Four tiles of bfp8.
constexpr uint32_t kDefaultMaxPayloadBytes = 4352;

/// A slot holds a packet: header, then payload.
constexpr uint32_t slot_bytes(uint32_t max_payload_bytes) {
  return (kPacketHeaderBytes + max_payload_bytes + 15) & ~15u;
}

}  // namespace tvp::contract::fabric
