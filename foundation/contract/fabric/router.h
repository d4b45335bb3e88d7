#pragma once
// A router runs on the core of an ethernet tile, one for each link. Its sender channels take the
// packets of a client and those that the opposite router forwards. In a mesh they also take packets
// that turn from north and south to east and west. All packets that leave over the link arrive in
// the receiver channel of the peer.

#include <stdint.h>

#include "foundation/contract/fabric/endpoint.h"
#include "foundation/contract/fabric/packet.h"
#include "foundation/contract/fabric/routing.h"

namespace tvp::contract::fabric {

constexpr uint32_t kMaxSenderChannels = 4;

/// Sender channels: one of the client and one for packets that go straight on. A mesh adds one for
/// packets from the north (side 0) and one for packets from the south (side 1).
constexpr uint32_t kClientChannel = 0;
constexpr uint32_t kStraightChannel = 1;
constexpr uint32_t turn_channel(uint32_t side) { return 2 + side; }

/// The properties that all routers of a fabric share.
struct RouterShape {
  bool mesh = false;
  bool rings = false;            ///< some links close rings
  uint32_t sender_slots = 8;     ///< slots of the client's channel
  uint32_t forward_slots = 8;    ///< slots of other channels; 0: packets cross only one link
  uint32_t receiver_slots = 16;  ///< at least kLeastRingSlots if there are rings

  constexpr uint32_t sender_channels() const { return forward_slots == 0 ? 1 : 2 + (mesh ? 2 : 0); }
};
// The slots of tt-metal's routers at the default payload.
constexpr RouterShape kLineRouters = {};
constexpr RouterShape kNeighborRouters = {.sender_slots = 16, .forward_slots = 0};
constexpr RouterShape kRingRouters = {.rings = true};
constexpr RouterShape kMeshRouters = {
    .mesh = true, .sender_slots = 4, .forward_slots = 4, .receiver_slots = 8};
constexpr RouterShape kTorusRouters = {
    .mesh = true, .rings = true, .sender_slots = 4, .forward_slots = 4, .receiver_slots = 8};

/// Free slots of the peer that a packet needs to enter a ring, from a client or by a turn. A packet
/// that goes straight on needs one. A slot of the ring therefore stays free (a bubble), and its
/// packets can always move (Puente et al., The Adaptive Bubble Router, 2001).
constexpr uint32_t kLeastRingSlots = 2;

struct RouterLayout : EndpointLayout {
  uint32_t forward_slots;
  uint32_t receiver_slots;
  bool rings;

  constexpr uint32_t slots_of(uint32_t channel) const {
    return channel == kClientChannel ? slots : forward_slots;
  }
  constexpr uint32_t channel_base(uint32_t channel) const {
    const uint32_t before = channel == kClientChannel ? 0 : slots + (channel - 1) * forward_slots;
    return flow_control(channels) + before * bytes_per_slot;
  }
  constexpr uint32_t receiver_base() const { return channel_base(channels); }
  constexpr uint32_t end() const { return receiver_base() + receiver_slots * bytes_per_slot; }
};
constexpr RouterLayout router_layout(uint32_t base, uint32_t max_payload_bytes,
                                     const RouterShape& shape = kLineRouters) {
  return {{base, shape.sender_channels(), shape.sender_slots, slot_bytes(max_payload_bytes)},
          shape.forward_slots,
          shape.receiver_slots,
          shape.rings};
}

// Stream registers of an ethernet tile. Each one counts in its space-available register.
/// The peer's router counts the packets that it sent to the receiver channel.
constexpr uint32_t kStreamPacketsSent = 0;
/// Stream register in which the peer's router counts the completed packets of sender channel
/// `channel`. If RouterShape::rings is set, it counts acknowledged packets instead.
constexpr uint32_t stream_completed(uint32_t channel) { return 2 + channel; }
/// Stream register of the completed packets of sender channel `channel` if RouterShape::rings is
/// set.
constexpr uint32_t stream_reported(uint32_t channel) { return 12 + channel; }
/// Stream register with the free slots of another router on the chip to which this one forwards.
/// Output 0 is straight on; 1 and 2 are sides 0 (east) and 1 (west) for routers to the north and
/// south.
constexpr uint32_t stream_forward_free_slots(uint32_t output) { return 8 + output; }
constexpr uint32_t stream_sender_free_slots(uint32_t channel) { return 22 + channel; }

/// Compile-time arguments of firmware/fabric/router.cpp.
enum RouterCompileArg : uint32_t {
  kRouterArgBase,
  kRouterArgMaxPayloadBytes,
  kRouterArgSenderSlots,
  kRouterArgForwardSlots,
  kRouterArgReceiverSlots,
  kRouterArgRings,      ///< 1: some links of the fabric close rings
  kRouterArgRing,       ///< 1: the link is part of a ring
  kRouterArgDirection,  ///< Direction of the link in a mesh; kNoDirection on a line or ring
  kRouterCompileArgs,
};
/// Run-time arguments for each neighbor on the chip (EndpointLayout::neighbor_ready).
enum RouterNeighborArg : uint32_t {
  kRouterArgHasNeighbor,
  kRouterArgNeighborX,
  kRouterArgNeighborY,
  kRouterNeighborArgs,
};
constexpr uint32_t kRouterNeighbors = 3;
constexpr uint32_t kRouterRuntimeArgs = kRouterNeighbors * kRouterNeighborArgs;

}  // namespace tvp::contract::fabric
