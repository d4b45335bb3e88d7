// Writer of the SDPA reduction (BRISC). It sends the local partial result through the forward mux,
// the result of round 1 through the backward mux, and so on in turns. Each is one packet or several
// that also increment the partner's semaphore. It sets up the second mux during the computation of
// round 1.

#include "fabric/packet_header_pool.h"
#include "fabric/tt_fabric_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/kernels/sdpa/data_movement.h"

namespace {

using namespace tvp::kernels::sdpa;
using namespace tt::tt_fabric;

constexpr uint32_t kTiles = get_compile_time_arg_val(kArgTiles);
constexpr uint32_t kSlots = get_compile_time_arg_val(kArgMuxSlots);
constexpr uint32_t kSlotBytes = get_compile_time_arg_val(kArgMuxSlotBytes);
constexpr uint32_t kDevices = get_compile_time_arg_val(kArgDevices);
constexpr uint32_t kRounds = rounds_of(kDevices);
using Mux = WorkerToFabricMuxSender<kSlots>;

FORCE_INLINE uint32_t arg(uint32_t index) { return get_arg_val<uint32_t>(static_cast<int>(index)); }

/// `first` is the mux's first argument, `words` the first of its three semaphores.
FORCE_INLINE Mux build(uint32_t first, uint32_t words) {
  return build_connection_to_fabric_endpoint<kSlots>(
      static_cast<uint8_t>(arg(first + kMuxX)), static_cast<uint8_t>(arg(first + kMuxY)),
      static_cast<uint8_t>(arg(first + kMuxChannel)), kSlots, kSlotBytes,
      arg(first + kMuxChannelBase), arg(first + kMuxInfo), arg(first + kMuxHandshake),
      arg(first + kMuxFlowControl), arg(first + kMuxBufferIndex),
      get_semaphore(words + kForwardCounter), get_semaphore(words + kForwardTeardown),
      get_semaphore(words + kForwardStatus));
}

FORCE_INLINE void wait_ready(uint32_t first, uint32_t words) {
  wait_for_fabric_endpoint_ready(static_cast<uint8_t>(arg(first + kMuxX)),
                                 static_cast<uint8_t>(arg(first + kMuxY)), arg(first + kMuxStatus),
                                 get_semaphore(words + kForwardStatus));
}

/// Writes the partial result at the source to the partner that is `links` links away. Each packet
/// then increments the partner's semaphore.
FORCE_INLINE void send(Mux& mux, uint32_t first, PacketHeaderPool::Header* header, uint32_t links) {
  constexpr uint32_t kBytes = (kTiles + kStatisticsTiles) * kTileBytes;
  constexpr uint32_t kMost = kPacketTiles * kTileBytes;
  const uint32_t x = arg(first + kPacketX);
  const uint32_t y = arg(first + kPacketY);
  fabric_set_unicast_route<false>(header, kRounds > 2 ? links : 1);
  for (uint32_t sent = 0; sent < kBytes; sent += kMost) {
    const uint32_t bytes = kBytes - sent < kMost ? kBytes - sent : kMost;
    header->to_noc_fused_unicast_write_atomic_inc(
        {get_noc_addr(x, y, arg(first + kPacketDestination) + sent),
         get_noc_addr(x, y, arg(first + kPacketSemaphore)), 1, true},
        bytes);
    mux.wait_for_empty_write_slot();
    mux.send_payload_without_header_non_blocking_from_address(arg(first + kPacketSource) + sent,
                                                              bytes);
    mux.send_payload_flush_blocking_from_address(reinterpret_cast<uintptr_t>(header),
                                                 sizeof(PACKET_HEADER_TYPE));
  }
}

/// Rounds from kRound on.
template <uint32_t kRound>
FORCE_INLINE void later_rounds(Mux& forward, Mux& backward, PacketHeaderPool::Header* header) {
  if constexpr (kRound <= kRounds) {
    wait_result<kTiles, kRound - 1>();
    send(kRound % 2 != 0 ? forward : backward, later_packet_arg(kRound), header,
         hops(kDevices, kRound));
    stamp(arg(kWriterStamps), later_stamp(kRound, kLaterSent));
    later_rounds<kRound + 1>(forward, backward, header);
  }
}

FORCE_INLINE void terminate(uint32_t mux) {
  fabric_endpoint_terminate(static_cast<uint8_t>(arg(mux + kMuxX)),
                            static_cast<uint8_t>(arg(mux + kMuxY)), arg(mux + kMuxTermination));
}

/// The master ends both muxes when the other clients have disconnected.
FORCE_INLINE void leave() {
  const uint32_t sync = get_semaphore(kTerminationSync);
  if (arg(kWriterIsMaster) != 0) {
    auto* clients = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(sync);
    noc_semaphore_wait(clients, arg(kWriterClients) - 1);
    terminate(kWriterForwardMux);
    if constexpr (kRounds > 1) terminate(kWriterBackwardMux);
  } else {
    noc_semaphore_inc(get_noc_addr(arg(kWriterMasterX), arg(kWriterMasterY), sync), 1);
    noc_async_atomic_barrier();
  }
}

}  // namespace

void kernel_main() {
  const uint32_t stamps = arg(kWriterStamps);
  stamp(stamps, kWriterStart);
  PacketHeaderPool::reset();
  PacketHeaderPool::Header* header = PacketHeaderPool::allocate_header();

  Mux forward = build(kWriterForwardMux, kForwardStatus);
  wait_ready(kWriterForwardMux, kForwardStatus);
  fabric_client_connect(forward);
  stamp(stamps, kForwardConnected);
  send(forward, kWriterRound1Packet, header, hops(kDevices, 1));
  stamp(stamps, kRound1Sent);

  Mux backward = build(kWriterBackwardMux, kBackwardStatus);
  if constexpr (kRounds > 1) {
    wait_ready(kWriterBackwardMux, kBackwardStatus);
    stamp(stamps, kBackwardReady);
    fabric_client_connect(backward);
    stamp(stamps, kBackwardConnected);
    wait_partial<kTiles>(kResult1Numerator);
    send(backward, kWriterRound2Packet, header, hops(kDevices, 2));
    stamp(stamps, kRound2Sent);
    if constexpr (kRounds > 2) later_rounds<3>(forward, backward, header);
  }

  fabric_client_disconnect(forward);
  if constexpr (kRounds > 1) fabric_client_disconnect(backward);
  stamp(stamps, kDisconnected);
  leave();
  noc_async_full_barrier();
}
