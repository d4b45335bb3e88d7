// Mux of the fabric, on a data-movement core. Several clients, each with a channel of slots, share
// the client channel of one router (kernel_api 3.3). The order of its work is the published order,
// that of tt-metal's mux. For a packet the mux waits for a slot of the router, writes the packet
// there, waits until it has left, adds the router's credit and writes the client's counter. The
// next packet begins after that. A round asks each channel in turn, and after each channel whether
// its client connects or disconnects. The mux reads the signal to end every 32 rounds.

#include "foundation/contract/fabric/mux.h"

#include <stdint.h>

#include "dataflow/dataflow_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/fabric/idle_iteration.h"
#include "foundation/contract/fabric/router.h"

namespace {

using namespace tvp::fabric;
using namespace tvp::contract::fabric;
using Header = volatile PACKET_HEADER_TYPE;

constexpr uint32_t kMaxPayload = get_compile_time_arg_val(kMuxArgMaxPayloadBytes);
constexpr uint32_t kClients = get_compile_time_arg_val(kMuxArgClients);
constexpr MuxLayout kLayout = mux_layout(get_compile_time_arg_val(kMuxArgBase), kMaxPayload,
                                         kClients, get_compile_time_arg_val(kMuxArgSlots));
constexpr EndpointLayout kRouter = {get_compile_time_arg_val(kMuxArgRouterBase),
                                    get_compile_time_arg_val(kMuxArgRouterSenderChannels),
                                    get_compile_time_arg_val(kMuxArgRouterSenderSlots),
                                    slot_bytes(kMaxPayload)};
/// True: each channel has one client, and the mux ends after the last client has disconnected.
constexpr bool kEndsWithClients = get_compile_time_arg_val(kMuxArgEndsWithClients) != 0;
static_assert(kClients >= 1 && kClients <= kMuxMaxClients);

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

/// Calls f.operator()<i>() for each client.
template <typename F>
FORCE_INLINE void each_client(F&& f) {
  each<kClients>(static_cast<F&&>(f));
}

/// tt-metal test_fabric_mux_bandwidth.py: num_iters_between_teardown_checks.
constexpr uint32_t kRoundsBetweenSignals = 32;

/// The channel of the router. The credit follows the packet only after the packet has left.
class RouterPort : public tt::tt_fabric::WorkerToFabricMuxSender<kRouter.slots> {
 public:
  using Base = tt::tt_fabric::WorkerToFabricMuxSender<kRouter.slots>;
  using Base::Base;

  FORCE_INLINE void send_packet(uint32_t source, uint32_t bytes) {
    noc_async_write(source, slot(), bytes);
    noc_async_writes_flushed();
    next_slot();
    take_credit();
  }
};

struct Channel {
  uint32_t slots[kLayout.slots];  ///< their addresses
  uint32_t slot = 0;              ///< index of the next to forward
  uint32_t forwarded = 0;         ///< since the start
  bool connected = false;
  uint64_t client_counter = 0;
};

class Mux {
 public:
  Mux(uint8_t router_x, uint8_t router_y);
  void run();
  void close() { router_.close(); }

 private:
  bool round();
  bool rounds_end();
  bool forward(uint32_t index);
  void attend(uint32_t index, uint32_t handshake);
  static bool drained();

  RouterPort router_;
  Channel channels_[kClients];
};

[[gnu::cold]] Mux::Mux(uint8_t router_x, uint8_t router_y)
    : router_(router_x, router_y, kRouter.channel_base(0), kRouter.slots,
              kRouter.connection_handshake(0), kRouter.connection_info(0), kRouter.bytes_per_slot,
              kRouter.buffer_index(0), stream_sender_free_slots(0), &word(kLayout.client_counter()),
              &word(kLayout.client_teardown())) {
  for (uint32_t i = 0; i < kClients; ++i) {
    for (uint32_t slot = 0; slot < kLayout.slots; ++slot)
      channels_[i].slots[slot] = kLayout.channel_base(i) + slot * kLayout.bytes_per_slot;
  }
  router_.open();
}

/// Connects or disconnects a client.
[[gnu::cold, gnu::noinline]] void Mux::attend(uint32_t index, uint32_t handshake) {
  Channel& channel = channels_[index];
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(index));
  const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  if (!channel.connected) {
    channel.client_counter = get_noc_addr(xy.x, xy.y, info->worker_counter_address);
    channel.connected = true;
    // The client read the counter before packets that were forwarded since.
    noc_inline_dw_write<InlineWriteDst::L1, true>(channel.client_counter, channel.forwarded);
    return;
  }
  // The credit of the client's last packet came before its request, but maybe after this round
  // looked for the credit. The mux answers after that packet has gone.
  if (handshake != kConnectionCloseRequest ||
      credit_read(stream_mux_free_slots(index)) != kLayout.slots)
    return;
  channel.connected = false;
  word(kLayout.connection_handshake(index)) = kConnectionUnused;
  if constexpr (kEndsWithClients) {
    static uint32_t closed = 0;
    if (++closed == kClients) word(kLayout.termination_signal()) = kTerminateGracefully;
  }
  noc_inline_dw_write(get_noc_addr(xy.x, xy.y, info->worker_teardown_address), 1);
}

FORCE_INLINE bool Mux::forward(uint32_t index) {
  Channel& channel = channels_[index];
  const bool packet = credit_read(stream_mux_free_slots(index)) != kLayout.slots;
  if (packet) {
    const uint32_t source = channel.slots[channel.slot];
    router_.wait_for_empty_write_slot();
    router_.send_packet(source,
                        reinterpret_cast<Header*>(source)->get_payload_size_including_header());
    channel.slot = channel.slot + 1 == kLayout.slots ? 0 : channel.slot + 1;
    ++channel.forwarded;
    if (channel.connected)
      noc_inline_dw_write<InlineWriteDst::L1, true>(channel.client_counter, channel.forwarded);
    credit_add(stream_mux_free_slots(index), 1);
  }
  const uint32_t handshake = word(kLayout.connection_handshake(index));
  if (channel.connected ? handshake == kConnectionCloseRequest : handshake != kConnectionUnused)
    attend(index, handshake);
  return packet;
}

/// Returns true if a channel had a packet.
FORCE_INLINE bool Mux::round() {
  bool packets = false;
  for (uint32_t i = 0; i < kClients; ++i) packets |= forward(i);
  return packets;
}

FORCE_INLINE bool Mux::drained() {
  bool all = true;
  for (uint32_t i = 0; i < kClients; ++i)
    all &= credit_read(stream_mux_free_slots(i)) == kLayout.slots;
  return all;
}

/// Runs rounds as long as there are packets. Returns false if the mux has to end.
[[gnu::hot, gnu::noinline]] bool Mux::rounds_end() {
  for (;;) {
    const uint32_t signal = word(kLayout.termination_signal());
    if (signal == kTerminateImmediately) return false;
    if (signal != kKeepRunning && drained()) return false;
    for (uint32_t i = 0; i < kRoundsBetweenSignals; ++i) {
      if (!round()) return true;
    }
  }
}

/// An iteration with nothing to do only loads, and has one backward jump: idle cores sleep.
[[gnu::hot, gnu::noinline]] void Mux::run() {
  for (;;) {
    uint32_t something = 0;
    each_client([&]<uint32_t i>() __attribute__((always_inline)) {
      something |= credit_read(stream_mux_free_slots(i)) ^ kLayout.slots;
      something |= word(kLayout.connection_handshake(i)) ^
                   (channels_[i].connected ? kConnectionOpen : kConnectionUnused);
    });
    something |= word(kLayout.termination_signal());
    if (work(something != 0) && !rounds_end()) return;
  }
}

}  // namespace

void kernel_main() {
  word(kLayout.status()) = kStatusStarted;
  for (uint32_t i = 0; i < kClients; ++i) credit_init(stream_mux_free_slots(i), kLayout.slots);
  const auto router_x = static_cast<uint8_t>(get_arg_val<uint32_t>(kMuxArgRouterX));
  const auto router_y = static_cast<uint8_t>(get_arg_val<uint32_t>(kMuxArgRouterY));
  tt::tt_fabric::wait_for_fabric_endpoint_ready(router_x, router_y, kRouter.status(),
                                                kLayout.client_status());
  Mux mux(router_x, router_y);
  word(kLayout.status()) = kStatusReadyForTraffic;
  mux.run();
  mux.close();
  noc_async_write_barrier();
  noc_async_atomic_barrier();
  word(kLayout.status()) = kStatusTerminated;
}
