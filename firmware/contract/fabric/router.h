#pragma once
// The router: runs on the core of an ethernet tile, one for each link. Sender channel 0 takes
// packets of a client, channel 1 those that the router of the opposite direction on the same chip
// forwards.

#include <stdint.h>

#include "firmware/contract/fabric/endpoint.h"
#include "firmware/contract/fabric/packet.h"

namespace tvp::contract::fabric {

constexpr uint32_t kRouterSenderChannels = 2;
constexpr uint32_t kRouterSenderSlots = 8;
constexpr uint32_t kRouterReceiverSlots = 16;

/// Transaction ids 1 .. 8 of the router's NIU stand for receiver slots.
constexpr uint32_t kRouterTransactionIds = 8;

struct RouterLayout : EndpointLayout {
  uint32_t receiver_slots;

  constexpr uint32_t receiver_base() const { return channel_base(channels); }
  constexpr uint32_t end() const { return receiver_base() + receiver_slots * bytes_per_slot; }
};
constexpr RouterLayout router_layout(uint32_t base, uint32_t max_payload_bytes,
                                     uint32_t sender_slots = kRouterSenderSlots,
                                     uint32_t receiver_slots = kRouterReceiverSlots) {
  return {{base, kRouterSenderChannels, sender_slots, slot_bytes(max_payload_bytes)},
          receiver_slots};
}

// Stream registers of an ethernet tile; each counts in its space-available register.
constexpr uint32_t kStreamPacketsSent = 0;  ///< by the peer's router, into the receiver channel
/// By the peer's router: packets of sender channel `channel` that are done with.
constexpr uint32_t stream_completed(uint32_t channel) { return 1 + channel; }
/// Free slots in channel 1 of the router of the opposite direction.
constexpr uint32_t kStreamNeighborFreeSlots = 3;
constexpr uint32_t stream_sender_free_slots(uint32_t channel) { return 22 + channel; }

/// Compile-time arguments of firmware/fabric/router.cpp.
enum RouterCompileArg : uint32_t {
  kRouterArgBase,
  kRouterArgMaxPayloadBytes,
  kRouterArgSenderSlots,
  kRouterArgReceiverSlots,
  kRouterArgRing,  ///< 1: clients leave one slot free, so that traffic around a ring keeps moving
  kRouterCompileArgs,
};
/// Run-time arguments.
enum RouterRuntimeArg : uint32_t {
  kRouterArgHasNeighbor,  ///< is there a router of the opposite direction on this chip?
  kRouterArgNeighborX,
  kRouterArgNeighborY,
  kRouterRuntimeArgs,
};

}  // namespace tvp::contract::fabric
