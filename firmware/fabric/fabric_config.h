#pragma once
// What the fabric's firmware and the host side that sets it up have to agree on: where routers and
// muxes keep what in L1, which stream registers carry credits, and the arguments of the two
// kernels. Plain arithmetic, for both compilers.

#include <stdint.h>

#if !defined(FABRIC_1D_PKT_HDR_EXTENSION_WORDS)
#define FABRIC_1D_PKT_HDR_EXTENSION_WORDS 1
#endif

namespace tvp::fabric {

// --- packets
// ---------------------------------------------------------------------------------------- Route of
// two bits a hop: 16 hops in the header's own word, 16 more in each extension word.
constexpr uint32_t kHeaderExtensionWords = FABRIC_1D_PKT_HDR_EXTENSION_WORDS;
constexpr uint32_t kPacketHeaderBytes = 64;
constexpr uint32_t kMaxHops = 16 * (1 + kHeaderExtensionWords);
static_assert(kHeaderExtensionWords >= 1 && kHeaderExtensionWords <= 4);

/// Four tiles of bfp8.
constexpr uint32_t kDefaultMaxPayloadBytes = 4352;

/// A slot holds a packet: header, then payload.
constexpr uint32_t slot_bytes(uint32_t max_payload_bytes) {
  return (kPacketHeaderBytes + max_payload_bytes + 15) & ~15u;
}

// --- states and signals of an endpoint (router or mux), words in its L1
// -------------------------------
constexpr uint32_t kStatusStarted = 0xA0B0C0D0;
constexpr uint32_t kStatusRemoteHandshakeComplete = 0xA1B1C1D1;
constexpr uint32_t kStatusLocalHandshakeComplete = 0xA2B2C2D2;
constexpr uint32_t kStatusReadyForTraffic = 0xA3B3C3D3;
constexpr uint32_t kStatusTerminated = 0xA4B4C4D4;

constexpr uint32_t kKeepRunning = 0;
constexpr uint32_t kTerminateGracefully = 1;   // when nothing is under way any more
constexpr uint32_t kTerminateImmediately = 2;  // at once; packets under way are lost

// --- connection of a client to a channel of an endpoint
// -----------------------------------------------
constexpr uint32_t kConnectionUnused = 0;
constexpr uint32_t kConnectionOpen = 1;
constexpr uint32_t kConnectionCloseRequest = 2;

/// What a client leaves at an endpoint when it connects. Fields lie 16 bytes apart, since each is
/// written on its own over the NoC.
struct ConnectionInfo {
  uint32_t worker_counter_address;  ///< where the client wants the channel's read counter
  uint32_t padding0[3];
  uint32_t worker_teardown_address;  ///< where it wants a 1 once it is disconnected
  uint32_t padding1[3];
  uint32_t worker_xy;  ///< x in the low half, y in the high half
  uint32_t padding2[3];
  uint32_t read_counter;  ///< packets taken out of the channel so far; by the endpoint
  uint32_t padding3[3];
};
static_assert(sizeof(ConnectionInfo) == 64);

/// Addresses of an endpoint's control words and client channels, from a base aligned to 16. The
/// host zeroes [base, channel_base(0)) before it starts the kernel, and on both ends of a link
/// before it starts either router.
struct EndpointLayout {
  uint32_t base;
  uint32_t channels;  ///< for clients
  uint32_t slots;     ///< of each
  uint32_t bytes_per_slot;

  constexpr uint32_t status() const { return base; }
  constexpr uint32_t termination_signal() const { return base + 0x10; }
  /// Router: what the peer's router writes, and what this one sends to it.
  constexpr uint32_t remote_hello() const { return base + 0x20; }
  constexpr uint32_t hello() const { return base + 0x30; }
  /// Router: set by the router of the opposite direction on the same chip.
  constexpr uint32_t neighbor_ready() const { return base + 0x40; }
  /// Mux: its own words as a client of a router.
  constexpr uint32_t client_status() const { return base + 0x50; }
  constexpr uint32_t client_counter() const { return base + 0x60; }
  constexpr uint32_t client_teardown() const { return base + 0x70; }
  constexpr uint32_t client_buffer_index() const { return base + 0x80; }

  constexpr uint32_t connection_info(uint32_t channel) const { return base + 0x90 + channel * 64; }
  constexpr uint32_t connection_handshake(uint32_t channel) const {
    return connection_info(channels) + channel * 16;
  }
  /// The client's write counter while nobody is connected.
  constexpr uint32_t buffer_index(uint32_t channel) const {
    return connection_handshake(channels) + channel * 16;
  }
  /// Of a time when credits were L1 words; kernels pass it on and nobody reads it.
  constexpr uint32_t flow_control(uint32_t channel) const {
    return buffer_index(channels) + channel * 16;
  }
  constexpr uint32_t channel_base(uint32_t channel) const {
    return flow_control(channels) + channel * slots * bytes_per_slot;
  }
  constexpr uint32_t end() const { return channel_base(channels); }
  constexpr uint32_t control_bytes() const { return channel_base(0) - base; }
};

// --- router
// ----------------------------------------------------------------------------------------- Runs on
// the core of an ethernet tile, one for each link. Sender channel 0 takes packets of a client,
// channel 1 those that the router of the opposite direction on the same chip forwards.
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

// --- mux
// -------------------------------------------------------------------------------------------- Runs
// on a data-movement core of a Tensix tile: several clients share channel 0 of one router.
using MuxLayout = EndpointLayout;
constexpr uint32_t kMuxSlots = 8;

constexpr MuxLayout mux_layout(uint32_t base, uint32_t max_payload_bytes, uint32_t clients,
                               uint32_t slots = kMuxSlots) {
  return {base, clients, slots, slot_bytes(max_payload_bytes)};
}
/// Free slots of a client channel, in the mux's tile.
constexpr uint32_t stream_mux_free_slots(uint32_t channel) { return channel; }
constexpr uint32_t kMuxMaxClients = 8;

/// Compile-time arguments of firmware/fabric/mux.cpp.
enum MuxCompileArg : uint32_t {
  kMuxArgBase,
  kMuxArgMaxPayloadBytes,
  kMuxArgClients,
  kMuxArgSlots,
  kMuxArgRouterBase,  ///< layout of the router, whose maximum payload is the same
  kMuxArgRouterSenderSlots,
  kMuxCompileArgs,
};
/// Run-time arguments.
enum MuxRuntimeArg : uint32_t {
  kMuxArgRouterX,
  kMuxArgRouterY,
  kMuxRuntimeArgs,
};

// --- a worker's own connection to a router
// --------------------------------------------------------------
/// Run-time arguments that WorkerToFabricEdmSender::build_from_args takes, in this order.
enum ConnectionRuntimeArg : uint32_t {
  kConnectionArgX,
  kConnectionArgY,
  kConnectionArgChannelBase,
  kConnectionArgSlots,
  kConnectionArgHandshake,
  kConnectionArgInfo,
  kConnectionArgSlotBytes,
  kConnectionArgBufferIndex,
  kConnectionArgStream,
  kConnectionArgCounterSemaphore,  ///< three semaphore ids of the worker's program
  kConnectionArgTeardownSemaphore,
  kConnectionArgBufferIndexSemaphore,
  kConnectionRuntimeArgs,
};

}  // namespace tvp::fabric
