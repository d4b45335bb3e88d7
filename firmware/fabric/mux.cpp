// Mux of the fabric, on a data-movement core: several clients, each with a channel of slots, share
// the client channel of one router (kernel_api 3.3). One packet of each channel in turn.
//
// An iteration of the main loop that finds nothing to do only loads.

#include "firmware/contract/fabric/mux.h"

#include <utility>

#include "dataflow/dataflow_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/contract/fabric/router.h"

namespace {

using namespace tvp::contract::fabric;
using namespace tvp::fabric;
using Header = volatile PACKET_HEADER_TYPE;

constexpr uint32_t kMaxPayload = get_compile_time_arg_val(kMuxArgMaxPayloadBytes);
constexpr uint32_t kClients = get_compile_time_arg_val(kMuxArgClients);
constexpr MuxLayout kLayout = mux_layout(get_compile_time_arg_val(kMuxArgBase), kMaxPayload,
                                         kClients, get_compile_time_arg_val(kMuxArgSlots));
constexpr EndpointLayout kRouter = {get_compile_time_arg_val(kMuxArgRouterBase),
                                    get_compile_time_arg_val(kMuxArgRouterSenderChannels),
                                    get_compile_time_arg_val(kMuxArgRouterSenderSlots),
                                    slot_bytes(kMaxPayload)};
static_assert(kClients >= 1 && kClients <= kMuxMaxClients);

using RouterConnection =
    tt::tt_fabric::WorkerToFabricMuxSender<static_cast<uint8_t>(kRouter.slots)>;

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

/// Keeps what an idle iteration does not do out of its way: it then has one backward jump, and can
/// be recognized as a poll.
FORCE_INLINE bool work(bool there_is) { return __builtin_expect(there_is, false); }

struct Channel {
  uint32_t slot = 0;                        ///< of the next packet to forward
  uint32_t forwarded = 0;                   ///< since the start
  uint32_t connection = kConnectionUnused;  ///< kConnectionOpen while there is a client
  uint64_t client_counter = 0;
  uint64_t client_teardown = 0;
};

void connect(Channel& channel, uint32_t index) {
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(index));
  const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  channel.client_counter = get_noc_addr(xy.x, xy.y, info->worker_counter_address);
  channel.client_teardown = get_noc_addr(xy.x, xy.y, info->worker_teardown_address);
  channel.connection = kConnectionOpen;
  // What was forwarded since the client read the counter.
  noc_inline_dw_write(channel.client_counter, channel.forwarded);
}

void disconnect(Channel& channel, uint32_t index) {
  channel.connection = kConnectionUnused;
  word(kLayout.connection_handshake(index)) = kConnectionUnused;
  noc_inline_dw_write(channel.client_teardown, 1);
}

/// Moves one packet to the router, which has a free slot.
FORCE_INLINE void forward(Channel& channel, uint32_t index, RouterConnection& router) {
  const uint32_t slot = channel.slot;
  const uint32_t bytes = reinterpret_cast<Header*>(slot)->get_payload_size_including_header();
  router.send_payload_flush_non_blocking_from_address(slot, bytes);
  // While it leaves. The store to L1 comes last: loads of registers would wait for it.
  const uint32_t forwarded = channel.forwarded + 1;
  const uint32_t next = slot + kLayout.bytes_per_slot;
  channel.forwarded = forwarded;
  channel.slot = next == kLayout.channel_base(index + 1) ? kLayout.channel_base(index) : next;
  noc_async_writes_flushed();
  credit_add(stream_mux_free_slots(index), 1);
  if (channel.connection == kConnectionOpen) noc_inline_dw_write(channel.client_counter, forwarded);
}

FORCE_INLINE uint32_t waiting_packets(uint32_t index) {
  return kLayout.slots - credit_read(stream_mux_free_slots(index));
}

/// True when the channel holds packets.
FORCE_INLINE bool serve(Channel& channel, uint32_t index, RouterConnection& router) {
  const uint32_t waiting = waiting_packets(index);
  const uint32_t handshake = word(kLayout.connection_handshake(index));
  if (work(waiting != 0)) {
    if (router.edm_has_space_for_packet()) forward(channel, index, router);
  }
  if (work(handshake != channel.connection)) {
    if (handshake == kConnectionOpen) connect(channel, index);
    // The credit of the client's last packet came before its request, but maybe after `waiting`.
    if (handshake == kConnectionCloseRequest && waiting_packets(index) == 0) {
      disconnect(channel, index);
    }
  }
  return waiting != 0;
}

/// Unrolled, so that an idle iteration has one backward jump.
template <uint32_t... kIndex>
FORCE_INLINE bool serve_all(Channel (&channels)[kClients], RouterConnection& router,
                            std::integer_sequence<uint32_t, kIndex...>) {
  return (serve(channels[kIndex], kIndex, router) | ...);
}

void run(Channel (&channels)[kClients], RouterConnection& router) {
  for (;;) {
    const bool busy = serve_all(channels, router, std::make_integer_sequence<uint32_t, kClients>{});
    const uint32_t signal = word(kLayout.termination_signal());
    if (work(signal != kKeepRunning)) {
      if (signal == kTerminateImmediately || !busy) return;
    }
  }
}

}  // namespace

void kernel_main() {
  word(kLayout.status()) = kStatusStarted;
  Channel channels[kClients];
  for (uint32_t i = 0; i < kClients; ++i) {
    channels[i].slot = kLayout.channel_base(i);
    credit_init(stream_mux_free_slots(i), kLayout.slots);
  }

  const auto router_x = static_cast<uint8_t>(get_arg_val<uint32_t>(kMuxArgRouterX));
  const auto router_y = static_cast<uint8_t>(get_arg_val<uint32_t>(kMuxArgRouterY));
  tt::tt_fabric::wait_for_fabric_endpoint_ready(router_x, router_y, kRouter.status(),
                                                kLayout.client_status());
  RouterConnection router(router_x, router_y, kRouter.channel_base(0), kRouter.slots,
                          kRouter.connection_handshake(0), kRouter.connection_info(0),
                          kRouter.bytes_per_slot, kRouter.buffer_index(0),
                          stream_sender_free_slots(0), &word(kLayout.client_counter()),
                          &word(kLayout.client_teardown()));
  router.open();
  word(kLayout.status()) = kStatusReadyForTraffic;

  run(channels, router);

  router.close();
  noc_async_write_barrier();
  noc_async_atomic_barrier();
  word(kLayout.status()) = kStatusTerminated;
}
