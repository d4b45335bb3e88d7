#pragma once
// An endpoint of the fabric, router or mux: its states, the control words and client channels in
// its L1, and what a client leaves there when it connects.

#include <stdint.h>

namespace tvp::contract::fabric {

// States and signals: words in the L1 of the endpoint.
constexpr uint32_t kStatusStarted = 0xA0B0C0D0;
constexpr uint32_t kStatusRemoteHandshakeComplete = 0xA1B1C1D1;
constexpr uint32_t kStatusLocalHandshakeComplete = 0xA2B2C2D2;
constexpr uint32_t kStatusReadyForTraffic = 0xA3B3C3D3;
constexpr uint32_t kStatusTerminated = 0xA4B4C4D4;

constexpr uint32_t kKeepRunning = 0;
constexpr uint32_t kTerminateGracefully = 1;   // when nothing is in flight any more
constexpr uint32_t kTerminateImmediately = 2;  // at once; packets in flight are lost
/// A router continues and reports in EndpointLayout::under_way() what is in flight. If all routers
/// report nothing at the same moment, none of them waits for another.
constexpr uint32_t kReportUnderWay = 3;
constexpr uint32_t kReported = 1u << 31;
/// Bits for packets of a sender channel, and for packets that arrive over the link and are
/// incomplete.
constexpr uint32_t under_way_sender(uint32_t channel) { return 1u << channel; }
constexpr uint32_t kUnderWayReceiver = 1u << 8;

// Connection states of a channel.
constexpr uint32_t kConnectionUnused = 0;
constexpr uint32_t kConnectionOpen = 1;
constexpr uint32_t kConnectionCloseRequest = 2;

/// A client writes this to an endpoint to connect. The fields are 16 bytes apart, since each is a
/// separate NoC write.
struct ConnectionInfo {
  uint32_t worker_counter_address;  ///< where the client wants the channel's read counter
  uint32_t padding0[3];
  uint32_t worker_teardown_address;  ///< where it wants a 1 once it is disconnected
  uint32_t padding1[3];
  uint32_t worker_xy;  ///< x in the low half, y in the high half
  uint32_t padding2[3];
  uint32_t read_counter;  ///< packets taken out of the channel so far; written by the endpoint
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
  /// Router: the word that the peer's router writes, and the word that this one sends to it.
  constexpr uint32_t remote_hello() const { return base + 0x20; }
  constexpr uint32_t hello() const { return base + 0x30; }
  /// Router: the routers of other directions on the same chip set these words. 0 is the opposite
  /// direction. 1 and 2 are east and west for routers to the north and south, and vice versa. Muxes
  /// use the same words for other purposes.
  constexpr uint32_t neighbor_ready(uint32_t neighbor) const { return base + 0x40 + neighbor * 16; }
  /// Router: kReported and the bits in flight, after kReportUnderWay.
  constexpr uint32_t under_way() const { return base + 0x70; }
  /// Mux: its own words as a client of a router.
  constexpr uint32_t client_status() const { return base + 0x50; }
  constexpr uint32_t client_counter() const { return base + 0x60; }
  constexpr uint32_t client_teardown() const { return base + 0x70; }
  constexpr uint32_t client_buffer_index() const { return base + 0x80; }

  constexpr uint32_t connection_info(uint32_t channel) const { return base + 0x90 + channel * 64; }
  constexpr uint32_t connection_handshake(uint32_t channel) const {
    return connection_info(channels) + channel * 16;
  }
  /// The client's write counter while no client is connected.
  constexpr uint32_t buffer_index(uint32_t channel) const {
    return connection_handshake(channels) + channel * 16;
  }
  /// Credits used to be L1 words. Kernels still pass this address on; nothing reads it.
  constexpr uint32_t flow_control(uint32_t channel) const {
    return buffer_index(channels) + channel * 16;
  }
  constexpr uint32_t channel_base(uint32_t channel) const {
    return flow_control(channels) + channel * slots * bytes_per_slot;
  }
  constexpr uint32_t end() const { return channel_base(channels); }
  constexpr uint32_t control_bytes() const { return channel_base(0) - base; }
};

}  // namespace tvp::contract::fabric
