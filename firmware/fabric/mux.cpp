// Mux of the fabric, on a data-movement core: several clients, each with a channel of slots, share
// the client channel of one router (kernel_api 3.3). One packet of each channel in turn.
//
// An iteration of the main loop that finds nothing to do only loads.

#include "dataflow/dataflow_api.h"
#include "fabric/tt_fabric_mux_interface.hpp"
#include "firmware/fabric/mux_places.h"

namespace {

using namespace tvp::fabric;
using namespace tvp::fabric::mux;
using Header = volatile PACKET_HEADER_TYPE;

// Command buffers of the NIU that keep what does not change between packets: the router's
// coordinates, all of its credit, and how a client's counter is written.
constexpr uint8_t kPacketBuf = write_cmd_buf;
constexpr uint8_t kCreditBuf = read_cmd_buf;  // nothing is read over the NoC after the start
constexpr uint8_t kCounterBuf = write_reg_cmd_buf;
static_assert(!tvp::noc::kDynamic, "in dynamic mode the other core has some of these");

/// Counters go on a virtual channel of their own: on that of packets each would wait until the one
/// before it has left.
constexpr uint32_t kCounterVc = 3;
static_assert(kCounterVc != NOC_UNICAST_WRITE_VC && kCounterVc < NOC_MULTICAST_WRITE_VC);

/// A packet's write to the router has one of two transaction ids in turn.
constexpr uint32_t kFirstTrid = 1;
constexpr uint32_t other_trid(uint32_t trid) { return 2 * kFirstTrid + 1 - trid; }

/// The channel of the router. A packet and its credit go on one virtual channel, so that the credit
/// does not overtake.
class RouterPort : public tt::tt_fabric::WorkerToFabricMuxSender<kRouter.slots> {
 public:
  using Base = tt::tt_fabric::WorkerToFabricMuxSender<kRouter.slots>;
  using Base::Base;

  void take_buffers() {
    at_ = static_cast<uint32_t>(slot());
    noc_async_write_one_packet_with_trid_set_state(there(0), kPacketBuf);
    noc_inline_dw_write_set_state(there(edm_buffer_remote_free_slots_update_addr),
                                  credit_update(-1), 0xF, kCreditBuf);
    NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_CTRL,
                          noc_write_ctrl(kCounterVc, false, false, false) | NOC_CMD_WR_INLINE);
    // An inline write's return address is not used (NoC/MemoryMap.md), but ttsim takes its tile for
    // the destination's, and 0 is DRAM.
    NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_RET_ADDR_COORDINATE,
                          NOC_XY_ENCODING(my_x[noc_index], my_y[noc_index]));
  }
  /// The router has a free slot, and the buffers are.
  FORCE_INLINE void send_packet(uint32_t source, uint32_t bytes, uint32_t trid) {
    NOC_CMD_BUF_WRITE_REG(noc_index, kPacketBuf, NOC_PACKET_TAG,
                          NOC_PACKET_TAG_TRANSACTION_ID(trid));
    NOC_CMD_BUF_WRITE_REG(noc_index, kPacketBuf, NOC_TARG_ADDR_LO, source);
    NOC_CMD_BUF_WRITE_REG(noc_index, kPacketBuf, NOC_RET_ADDR_LO, at_);
    NOC_CMD_BUF_WRITE_REG(noc_index, kPacketBuf, NOC_AT_LEN_BE, bytes);
    noc_send(noc_index, kPacketBuf);
    noc_send(noc_index, kCreditBuf);
    ++written_;
    at_ += kRouter.bytes_per_slot;
    if (at_ == kRouter.channel_base(0) + kRouter.slots * kRouter.bytes_per_slot)
      at_ = kRouter.channel_base(0);
  }

 private:
  uint32_t at_ = 0;  ///< address of the next slot
};

FORCE_INLINE bool buffers_ready() {
  return noc_cmd_buf_ready(noc_index, kPacketBuf) & noc_cmd_buf_ready(noc_index, kCreditBuf) &
         noc_cmd_buf_ready(noc_index, kCounterBuf);
}

struct Channel {
  uint32_t slot;  ///< of the next packet to forward
  uint32_t first_slot;
  uint32_t end;                             ///< of the slots
  uint32_t credits;                         ///< address that adds to the free slots
  uint32_t forwarded = 0;                   ///< since the start
  uint32_t connection = kConnectionUnused;  ///< kConnectionOpen while there is a client
  uint64_t client_counter = 0;
  uint32_t client_counter_bytes = 0;  ///< byte enables of its word
  uint64_t client_teardown = 0;
};

/// The poll of all channels and one copy of what is done for a packet fit the instruction cache of
/// the core (2 KiB); whatever is rare lies elsewhere.
class Mux {
 public:
  Mux(uint8_t router_x, uint8_t router_y);
  void run();
  void close();

 private:
  void serve();
  void return_slot(Channel& channel);
  void count_writes();
  void attend();
  void attend(uint32_t index);

  RouterPort router_;
  Channel channels_[kClients];
  /// Whose last packet may still be read out of its slot. While it is, the next one begins.
  Channel* leaving_ = nullptr;
  uint32_t trid_ = kFirstTrid;     ///< of its write
  uint32_t uncounted_writes_ = 0;  ///< that the API does not know of
};

[[gnu::cold]] Mux::Mux(uint8_t router_x, uint8_t router_y)
    : router_(router_x, router_y, kRouter.channel_base(0), kRouter.slots,
              kRouter.connection_handshake(0), kRouter.connection_info(0), kRouter.bytes_per_slot,
              kRouter.buffer_index(0), stream_sender_free_slots(0), &word(kLayout.client_counter()),
              &word(kLayout.client_teardown())) {
  for (uint32_t i = 0; i < kClients; ++i) {
    Channel& channel = channels_[i];
    channel.slot = channel.first_slot = kLayout.channel_base(i);
    channel.end = kLayout.channel_base(i + 1);
    channel.credits = credit_update_address(stream_mux_free_slots(i));
  }
  router_.open();
  noc_async_full_barrier();
  router_.take_buffers();
}

[[gnu::cold]] void Mux::close() {
  count_writes();
  // Command buffers as noc_init leaves them.
  NOC_CMD_BUF_WRITE_REG(noc_index, kPacketBuf, NOC_PACKET_TAG, NOC_PACKET_TAG_TRANSACTION_ID(0));
  NOC_CMD_BUF_WRITE_REG(noc_index, kCreditBuf, NOC_CTRL, noc_read_ctrl());
  NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_TARG_ADDR_COORDINATE,
                        NOC_XY_ENCODING(my_x[noc_index], my_y[noc_index]));
  router_.close();
}

/// Tells the API of the writes of serve(), before something waits for them.
void Mux::count_writes() {
  noc_count_writes(noc_index, uncounted_writes_, 1, false);
  uncounted_writes_ = 0;
}

/// Connects and disconnects clients that ask for it.
[[gnu::cold, gnu::noinline]] void Mux::attend() {
  for (uint32_t i = 0; i < kClients; ++i) attend(i);
}
[[gnu::cold]] void Mux::attend(uint32_t index) {
  Channel& channel = channels_[index];
  const uint32_t handshake = word(kLayout.connection_handshake(index));
  // A client that sends nothing may be quicker than this core looks, and ask to close already.
  const bool there = (handshake & (kConnectionOpen | kConnectionCloseRequest)) != 0;
  if (there && channel.connection == kConnectionUnused) {
    auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(index));
    const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
    const uint32_t counter = info->worker_counter_address;
    channel.client_counter = get_noc_addr(xy.x, xy.y, counter);
    channel.client_counter_bytes = noc_inline_byte_enables(counter, 0xF);
    channel.client_teardown = get_noc_addr(xy.x, xy.y, info->worker_teardown_address);
    channel.connection = kConnectionOpen;
    // What was forwarded since the client read the counter.
    noc_inline_dw_write(channel.client_counter, channel.forwarded);
  }
  // The credit of the client's last packet came before its request, but maybe after it was looked
  // for.
  if (handshake == kConnectionCloseRequest &&
      (!kEndsWithClients || channel.connection == kConnectionOpen) && leaving_ != &channel &&
      credit_read(stream_mux_free_slots(index)) == kLayout.slots) {
    // The last of its counters comes on another virtual channel.
    count_writes();
    noc_async_write_barrier();
    if constexpr (kEndsWithClients) {
      channel.connection = kConnectionCloseRequest;  // its request stands, and nobody comes after
      static uint32_t closed = 0;
      if (++closed == kClients) word(kLayout.termination_signal()) = kTerminateGracefully;
    } else {
      channel.connection = kConnectionUnused;
      word(kLayout.connection_handshake(index)) = kConnectionUnused;
    }
    noc_inline_dw_write(channel.client_teardown, 1);
  }
}

/// The client of a channel may write the slot again that was forwarded; the buffer is free.
FORCE_INLINE void Mux::return_slot(Channel& channel) {
  const uint32_t forwarded = channel.forwarded + 1;
  channel.forwarded = forwarded;
  if (channel.connection != kConnectionOpen) return;
  NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_TARG_ADDR_LO,
                        static_cast<uint32_t>(channel.client_counter));
  NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_TARG_ADDR_COORDINATE,
                        static_cast<uint32_t>(channel.client_counter >> NOC_ADDR_COORD_SHIFT));
  NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_AT_LEN_BE, channel.client_counter_bytes);
  NOC_CMD_BUF_WRITE_REG(noc_index, kCounterBuf, NOC_AT_DATA, forwarded);
  noc_send(noc_index, kCounterBuf);
  ++uncounted_writes_;
}

/// Begins with a packet of each channel that has one, as long as the router has slots, and ends the
/// packet before each once it has been read out of its slot. Ends the last one when no other comes.
[[gnu::hot, gnu::noinline]] void Mux::serve() {
  bool forwarded = false;
  for (uint32_t i = 0; i < kClients; ++i) {
    // Everything that has to be known, at once: loads overlap.
    Channel& channel = channels_[i];
    const uint32_t slot = channel.slot;
    const uint32_t free = credit_read(stream_mux_free_slots(i));
    const bool space = router_.edm_has_space_for_packet();
    const uint32_t bytes = reinterpret_cast<Header*>(slot)->get_payload_size_including_header();
    uint32_t outgoing = NOC_STATUS_READ_REG(noc_index, NIU_MST_WRITE_REQS_OUTGOING_ID(trid_));
    const bool ready = buffers_ready();
    if (free == kLayout.slots || !space) continue;
    if (!ready) {
      while (!buffers_ready()) {
      }
    }
    const uint32_t before = trid_;
    trid_ = other_trid(before);
    router_.send_packet(slot, bytes, trid_);
    uncounted_writes_ += 2;
    word(channel.credits) = credit_update(1);  // only this core looks at it
    const uint32_t next = slot + kLayout.bytes_per_slot;
    channel.slot = next == channel.end ? channel.first_slot : next;
    while (outgoing != 0) {
      outgoing = NOC_STATUS_READ_REG(noc_index, NIU_MST_WRITE_REQS_OUTGOING_ID(before));
    }
    if (leaving_ != nullptr) return_slot(*leaving_);
    leaving_ = &channel;
    forwarded = true;
  }
  if (forwarded || leaving_ == nullptr) return;
  while (!ncrisc_noc_nonposted_write_with_transaction_id_sent(noc_index, trid_) |
         !noc_cmd_buf_ready(noc_index, kCounterBuf)) {
  }
  return_slot(*leaving_);
  leaving_ = nullptr;
}

[[gnu::hot, gnu::noinline]] void Mux::run() {
  for (;;) {
    // An iteration with nothing to do only loads, and has one backward jump.
    uint32_t packets = 0;
    uint32_t requests = 0;
    each_client([&]<uint32_t i>() __attribute__((always_inline)) {
      packets |= credit_read(stream_mux_free_slots(i)) ^ kLayout.slots;
    });
    each_client([&]<uint32_t i>() __attribute__((always_inline)) {
      requests |= word(kLayout.connection_handshake(i)) ^ channels_[i].connection;
    });
    const uint32_t signal = word(kLayout.termination_signal());
    const bool busy = packets != 0 || leaving_ != nullptr;
    if (work(busy)) serve();
    if (work(requests != 0)) attend();
    if (work(signal != kKeepRunning)) {
      if (signal == kTerminateImmediately || !busy) return;
    }
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
