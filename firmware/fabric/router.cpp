// Router of the fabric, on the core of an ethernet tile: takes packets from a client (sender
// channel 0) and from the router of the opposite direction (channel 1), sends them over the link,
// and delivers or forwards what arrives (kernel_api 3.1, 8.3).
//
// Credits. A packet goes into a slot whose owner has counted a free slot down. The slot of a sender
// channel is free again when the peer has reported the packet done with; that of the receiver
// channel when its NoC writes are acknowledged. Counts travel as additions to stream registers; the
// data of a packet is always sent before its count on the same queue or virtual channel.
//
// An iteration of the main loop that finds nothing to do only loads.

#include "firmware/contract/fabric/router.h"

#include "ethernet/dataflow_api.h"
#include "fabric/edm_fabric_worker_adapters.hpp"
#include "fabric/fabric_edm_packet_header.hpp"
#include "fabric/stream_credits.h"

namespace {

using namespace tvp::contract::fabric;
using namespace tvp::fabric;
using tt::tt_fabric::LowLatencyRoutingFields;
using Header = volatile tt::tt_fabric::LowLatencyPacketHeader;

constexpr RouterLayout kLayout = router_layout(get_compile_time_arg_val(kRouterArgBase),
                                               get_compile_time_arg_val(kRouterArgMaxPayloadBytes),
                                               get_compile_time_arg_val(kRouterArgSenderSlots),
                                               get_compile_time_arg_val(kRouterArgReceiverSlots));
constexpr bool kRing = get_compile_time_arg_val(kRouterArgRing) != 0;
constexpr uint32_t kSlotBytes = kLayout.bytes_per_slot;
constexpr uint32_t kHelloWord = 0x4F4C4C45;
constexpr uint32_t kQueue = 0;

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
FORCE_INLINE uint32_t next_slot(uint32_t slot, uint32_t base, uint32_t slots) {
  slot += kSlotBytes;
  return slot == base + slots * kSlotBytes ? base : slot;
}

/// Keeps what an idle iteration does not do out of its way: it then has one backward jump, and can
/// be recognized as a poll.
FORCE_INLINE bool work(bool there_is) { return __builtin_expect(there_is, false); }

/// Packets that wait to go over the link, or have gone and are not done with.
struct SenderChannel {
  uint32_t slot;           ///< of the next packet to send
  uint32_t in_flight = 0;  ///< sent, not completed
};

struct Router {
  SenderChannel sender[kRouterSenderChannels] = {{kLayout.channel_base(0)},
                                                 {kLayout.channel_base(1)}};
  uint32_t remote_slot = kLayout.receiver_base();  ///< in the peer, of the next packet
  uint32_t remote_free = kLayout.receiver_slots;

  uint32_t receive_slot = kLayout.receiver_base();   ///< of the next packet to arrive
  uint32_t complete_slot = kLayout.receiver_base();  ///< of the oldest packet not done with
  uint32_t receive_trid = 1;
  uint32_t complete_trid = 1;
  uint32_t uncompleted = 0;
  uint32_t increment_owed = 0;  ///< bit i: by the packet of transaction id i

  bool has_neighbor;
  uint64_t neighbor;  ///< NoC address of the neighbor's address 0
  uint32_t neighbor_slot = kLayout.channel_base(1);

  uint32_t connection = kConnectionUnused;  ///< kConnectionOpen while there is a client
  uint64_t client_counter = 0;
  uint64_t client_teardown = 0;
  uint32_t client_done = 0;  ///< packets of channel 0 completed since the start

  uint32_t unsent(uint32_t channel) const {
    return kLayout.slots - credit_read(stream_sender_free_slots(channel)) -
           sender[channel].in_flight;
  }
  void start();
  void hand_shake();
  template <uint32_t kChannel>
  void send();
  template <uint32_t kChannel>
  void completed(uint32_t packets);
  void receive();
  void deliver(Header* header, uint32_t payload_bytes);
  void forward(Header* header, uint32_t payload_bytes, bool niu_busy);
  void increment(Header* header);
  void complete();
  void connect();
  void disconnect();
  void run();
};

FORCE_INLINE constexpr uint32_t packet_bytes(uint32_t payload_bytes) {
  return (kPacketHeaderBytes + payload_bytes + 15) & ~15u;
}

// Initiators that keep the state of writes to the neighbor: its coordinates, and all of its credit.
constexpr uint8_t kForwardBuf = write_reg_cmd_buf;
constexpr uint8_t kCreditBuf = read_cmd_buf;  // the router reads nothing over the NoC

void Router::start() {
  word(kLayout.status()) = kStatusStarted;
  for (uint32_t channel = 0; channel < kRouterSenderChannels; ++channel) {
    credit_init(stream_sender_free_slots(channel), kLayout.slots);
    credit_init(stream_completed(channel), 0);
  }
  credit_init(kStreamPacketsSent, 0);
  credit_init(kStreamNeighborFreeSlots, kLayout.slots);
  has_neighbor = get_arg_val<uint32_t>(kRouterArgHasNeighbor) != 0;
  neighbor = get_noc_addr(get_arg_val<uint32_t>(kRouterArgNeighborX),
                          get_arg_val<uint32_t>(kRouterArgNeighborY), 0);
  noc_async_write_one_packet_with_trid_set_state(neighbor, kForwardBuf);
  noc_inline_dw_write_set_state(neighbor | credit_update_address(stream_sender_free_slots(1)),
                                credit_update(-1), 0xF, kCreditBuf);
}

/// With the router at the other end of the link, then with the one of the opposite direction.
/// Whoever has been greeted may count on registers that are set up.
void Router::hand_shake() {
  word(kLayout.hello()) = kHelloWord;
  internal_::eth_send_packet(kQueue, kLayout.hello() >> 4, kLayout.remote_hello() >> 4, 1);
  while (word(kLayout.remote_hello()) != kHelloWord) {
  }
  word(kLayout.status()) = kStatusRemoteHandshakeComplete;
  if (has_neighbor) {
    noc_inline_dw_write(neighbor | kLayout.neighbor_ready(), 1);
    while (word(kLayout.neighbor_ready()) != 1) {
    }
  }
  word(kLayout.status()) = kStatusLocalHandshakeComplete;
  word(kLayout.status()) = kStatusReadyForTraffic;
}

/// Unless the queue is busy.
template <uint32_t kChannel>
FORCE_INLINE void Router::send() {
  SenderChannel& from = sender[kChannel];
  Header* header = reinterpret_cast<Header*>(from.slot);
  const uint32_t payload_bytes = header->payload_size_bytes;
  if (eth_txq_is_busy(kQueue)) return;
  header->src_ch_id = kChannel;
  internal_::eth_send_packet_bytes_unsafe(kQueue, from.slot, remote_slot,
                                          packet_bytes(payload_bytes));
  internal_::eth_write_remote_reg(kQueue, credit_update_address(kStreamPacketsSent),
                                  credit_update(1));
  from.slot = next_slot(from.slot, kLayout.channel_base(kChannel), kLayout.slots);
  ++from.in_flight;
  remote_slot = next_slot(remote_slot, kLayout.receiver_base(), kLayout.receiver_slots);
  --remote_free;
}

/// The peer is done with `packets` packets of a channel: their slots are free here and there.
template <uint32_t kChannel>
FORCE_INLINE void Router::completed(uint32_t packets) {
  credit_add(stream_completed(kChannel), -static_cast<int32_t>(packets));
  sender[kChannel].in_flight -= packets;
  remote_free += packets;
  credit_add(stream_sender_free_slots(kChannel), static_cast<int32_t>(packets));
  if constexpr (kChannel == 0) {
    client_done += packets;
    word(kLayout.connection_info(0) + offsetof(ConnectionInfo, read_counter)) = client_done;
    if (connection == kConnectionOpen) noc_inline_dw_write(client_counter, client_done);
  } else {
    noc_inline_dw_write(neighbor | credit_update_address(kStreamNeighborFreeSlots),
                        credit_update(static_cast<int32_t>(packets)));
  }
}

/// Works on the packet at receive_slot, unless it has to be forwarded and the neighbor has no slot.
FORCE_INLINE void Router::receive() {
  Header* header = reinterpret_cast<Header*>(receive_slot);
  // Everything that may have to be known, at once.
  const uint32_t action = header->hop();
  const uint32_t payload_bytes = header->payload_size_bytes;
  const uint32_t neighbor_free = credit_read(kStreamNeighborFreeSlots);
  const bool niu_busy =
      !noc_cmd_buf_ready(noc_index, kForwardBuf) | !noc_cmd_buf_ready(noc_index, kCreditBuf);
  if (action & LowLatencyRoutingFields::FORWARD_ONLY) {
    if (!has_neighbor) asm volatile("ebreak");  // the route leads off the end of the line
    if (neighbor_free == 0) return;
  }
  if (action & LowLatencyRoutingFields::WRITE_ONLY) deliver(header, payload_bytes);
  if (action & LowLatencyRoutingFields::FORWARD_ONLY) forward(header, payload_bytes, niu_busy);
  credit_add(kStreamPacketsSent, -1);
  receive_slot = next_slot(receive_slot, kLayout.receiver_base(), kLayout.receiver_slots);
  receive_trid = receive_trid == kRouterTransactionIds ? 1 : receive_trid + 1;
  ++uncompleted;
}

FORCE_INLINE void Router::deliver(Header* header, uint32_t payload_bytes) {
  using namespace tt::tt_fabric;
  const uint32_t trid = receive_trid;
  uint32_t payload = reinterpret_cast<uintptr_t>(header) + kPacketHeaderBytes;
  volatile NocCommandFields& command = header->command_fields;
  switch (header->noc_send_type) {
    case NOC_UNICAST_WRITE:
      noc_async_write_one_packet_with_trid(payload, command.unicast_write.noc_address,
                                           payload_bytes, trid);
      break;
    case NOC_UNICAST_INLINE_WRITE:
      noc_inline_dw_write(command.unicast_inline_write.noc_address,
                          command.unicast_inline_write.value);
      break;
    case NOC_UNICAST_ATOMIC_INC:
      if (command.unicast_seminc.flush) noc_async_write_barrier();
      noc_semaphore_inc(command.unicast_seminc.noc_address, command.unicast_seminc.val);
      break;
    case NOC_FUSED_UNICAST_ATOMIC_INC: {
      volatile NocUnicastAtomicIncFusedCommandHeader& fused = command.unicast_seminc_fused;
      noc_async_write_one_packet_with_trid(payload, fused.noc_address, payload_bytes, trid);
      if (fused.flush) {
        increment_owed |= 1u << trid;  // when the write is acknowledged, see complete()
      } else {
        increment(header);  // the virtual channel that both use keeps the order
      }
      break;
    }
    case NOC_UNICAST_SCATTER_WRITE: {
      volatile NocUnicastScatterCommandHeader& scatter = command.unicast_scatter_write;
      const uint32_t last = scatter.chunk_count - 1u;
      uint32_t rest = payload_bytes;
      for (uint32_t i = 0; i <= last; ++i) {
        const uint32_t chunk = i == last ? rest : scatter.chunk_size[i];
        noc_async_write_one_packet_with_trid(payload, scatter.noc_address[i], chunk, trid);
        payload += chunk;
        rest -= chunk;
      }
      break;
    }
    default:
      asm volatile("ebreak");  // a send type that this router does not have
  }
}

FORCE_INLINE void Router::forward(Header* header, uint32_t payload_bytes, bool niu_busy) {
  header->consume_hop();
  if (niu_busy) {
    noc_wait_cmd_buf(noc_index, kForwardBuf);
    noc_wait_cmd_buf(noc_index, kCreditBuf);
  }
  NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_PACKET_TAG,
                        NOC_PACKET_TAG_TRANSACTION_ID(receive_trid));
  NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_TARG_ADDR_LO,
                        reinterpret_cast<uintptr_t>(header));
  NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_RET_ADDR_LO, neighbor_slot);
  NOC_CMD_BUF_WRITE_REG(noc_index, kForwardBuf, NOC_AT_LEN_BE, packet_bytes(payload_bytes));
  noc_send(noc_index, kForwardBuf);
  noc_send(noc_index, kCreditBuf);
  noc_count_writes(noc_index, 2, 1, false);
  credit_add(kStreamNeighborFreeSlots, -1);
  neighbor_slot = next_slot(neighbor_slot, kLayout.channel_base(1), kLayout.slots);
}

/// The second half of a fused packet.
FORCE_INLINE void Router::increment(Header* header) {
  auto& fused = header->command_fields.unicast_seminc_fused;
  noc_semaphore_inc(fused.semaphore_noc_address, fused.val);
}

/// Reports the oldest packet to the peer when all its writes have landed.
void Router::complete() {
  if (!ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc_index, complete_trid)) return;
  Header* header = reinterpret_cast<Header*>(complete_slot);
  if ((increment_owed >> complete_trid & 1u) != 0) {
    increment(header);
    increment_owed &= ~(1u << complete_trid);
  }
  if (eth_txq_is_busy(kQueue)) return;
  const uint32_t channel = header->src_ch_id;
  internal_::eth_write_remote_reg_no_txq_check(
      kQueue, credit_update_address(stream_completed(channel)), credit_update(1));
  complete_slot = next_slot(complete_slot, kLayout.receiver_base(), kLayout.receiver_slots);
  complete_trid = complete_trid == kRouterTransactionIds ? 1 : complete_trid + 1;
  --uncompleted;
}

void Router::connect() {
  auto* info = reinterpret_cast<volatile ConnectionInfo*>(kLayout.connection_info(0));
  const auto xy = tt::tt_fabric::WorkerXY::from_uint32(info->worker_xy);
  client_counter = get_noc_addr(xy.x, xy.y, info->worker_counter_address);
  client_teardown = get_noc_addr(xy.x, xy.y, info->worker_teardown_address);
  connection = kConnectionOpen;
  // What was completed since the client read the counter.
  noc_inline_dw_write(client_counter, client_done);
}

void Router::disconnect() {
  connection = kConnectionUnused;
  word(kLayout.connection_handshake(0)) = kConnectionUnused;
  noc_inline_dw_write(client_teardown, 1);
}

void Router::run() {
  // Clients of a ring leave a slot to the traffic that is on its way around, or all might wait for
  // each other.
  constexpr uint32_t kClientReserve = kRing ? 1 : 0;
  for (;;) {
    // What packets wait for first. Loads in a row overlap.
    const uint32_t arrived = credit_read(kStreamPacketsSent);
    const uint32_t unsent0 = unsent(0);
    const uint32_t unsent1 = unsent(1);
    if (work(arrived != 0)) {
      if (uncompleted < kRouterTransactionIds) receive();
    }
    if (work(unsent1 != 0)) {
      if (remote_free != 0) send<1>();
    }
    if (work(unsent0 != 0)) {
      if (remote_free > kClientReserve) send<0>();
    }

    const uint32_t done0 = credit_read(stream_completed(0));
    const uint32_t done1 = credit_read(stream_completed(1));
    const uint32_t handshake = word(kLayout.connection_handshake(0));
    const uint32_t signal = word(kLayout.termination_signal());
    if (work(uncompleted != 0)) complete();
    if (work(done0 != 0)) completed<0>(done0);
    if (work(done1 != 0)) completed<1>(done1);
    if (work(handshake != connection)) {
      if (handshake == kConnectionOpen) connect();
      // The credit of the client's last packet came before its request, but maybe after unsent0.
      if (handshake == kConnectionCloseRequest && unsent(0) == 0) disconnect();
    }
    if (work(signal != kKeepRunning)) {
      const bool idle = unsent0 + unsent1 + sender[0].in_flight + sender[1].in_flight + arrived +
                            uncompleted + done0 + done1 ==
                        0;
      if (idle || signal == kTerminateImmediately) return;
    }
  }
}

}  // namespace

void kernel_main() {
  Router router;
  router.start();
  router.hand_shake();
  router.run();
  noc_async_write_barrier();
  noc_async_atomic_barrier();
  noc_init(MEM_NOC_ATOMIC_RET_VAL_ADDR);  // initiators as the next kernel expects them
  word(kLayout.status()) = kStatusTerminated;
}
