// Router of the fabric, on the core of an ethernet tile. It takes packets from a client (sender
// channel 0) and from other routers of the chip (the other sender channels). It sends them over the
// link, and delivers or forwards the packets that arrive (kernel_api 3.1, 8.3). Its work has the
// published order: that of tt-metal's fabric_erisc_router.cpp as of February 2026, with one core
// and one transmit queue.

#include "firmware/fabric/router_client.h"
#include "firmware/fabric/router_neighbors.h"

namespace {

using namespace tvp::fabric;
using namespace tvp::fabric::router;

/// On rings and tori, a slot of a sender channel is free when the peer has received its packet.
/// Elsewhere it is free when the peer has completed the packet.
constexpr bool kAcknowledges = kRings;
/// The packets of a receiver channel take these ids in turn. If the number of ids divides the
/// number of slots, a slot always has the same id.
constexpr uint32_t kTransactionIds = kRings ? 8 : 4;
constexpr bool kIdBySlot = is_power_of_2(kLayout.receiver_slots);
/// Busy iterations until the router waits for the signal to end. Idle iterations check it without
/// waiting.
constexpr uint32_t kIterationsBetweenLooks = 32;
/// Sender channels that an iteration asks. In meshes this includes channels of turns that no packet
/// takes.
constexpr uint32_t kVisits = kMesh ? kMaxSenderChannels : kSenders;

/// Packets that wait for the link, or that were sent and still keep their slots.
struct SenderChannel {
  uint32_t slot;           ///< slot of the next packet to send
  uint32_t in_flight = 0;  ///< sent, slot not free again
};

/// The number of packets of a receiver channel that have taken a step, and the slot of the next
/// one.
struct Progress {
  uint32_t packets = 0;
  uint32_t slot = 0;

  void next() {
    ++packets;
    slot = slot + 1 == kLayout.receiver_slots ? 0 : slot + 1;
  }
};

/// Both receiver channels of the link: the peer's, which this router fills, and its own.
struct ReceiverChannel {
  static constexpr uint32_t kBase = kLayout.receiver_base();

  uint32_t remote_slot = kBase;  ///< in the peer, of the next packet
  uint32_t remote_free = kLayout.receiver_slots;

  uint32_t slots[kLayout.receiver_slots];  ///< their addresses
  /// Registers in the peer, indexed by its sender channel, as in tt-metal's routers.
  uint32_t acknowledged_at[kMaxSenderChannels];
  uint32_t completed_at[kMaxSenderChannels];
  uint8_t source[kLayout.receiver_slots];  ///< sender channel at the peer of the packet in each
  uint8_t
      trid[kLayout.receiver_slots];  ///< transaction id of its writes, unless the slot implies it
  uint32_t next_trid = 0;
  Progress acknowledged;  ///< only counted where the router acknowledges
  Progress written;
  Progress completed;

  uint32_t id_of(uint32_t slot) const { return kIdBySlot ? slot % kTransactionIds : trid[slot]; }
  uint32_t take_id(uint32_t slot) {
    if constexpr (!kIdBySlot) {
      trid[slot] = static_cast<uint8_t>(next_trid);
      next_trid = next_trid + 1 == kTransactionIds ? 0 : next_trid + 1;
    }
    return id_of(slot);
  }
};

struct Router {
  SenderChannel sender[kVisits];
  ReceiverChannel receiver;
  Neighbors chip;
  Client client;
  uint32_t reported = 0;       ///< to the host: what is under way
  bool sent_or_wrote = false;  ///< a packet, this iteration

  static uint32_t unsent(uint32_t channel) {
    return kLayout.slots_of(channel) - credit_read(stream_sender_free_slots(channel));
  }
  void start();
  template <uint32_t kChannel>
  void sender_step();
  template <uint32_t kChannel>
  void send();
  template <uint32_t kChannel>
  void slots_returned(uint32_t packets);
  void attend(uint32_t handshake);
  void receiver_step();
  void acknowledge();
  void write();
  static void deliver(Header* header, uint32_t payload_bytes, uint32_t trid);
  static void called_deliver(Header* header, uint32_t payload_bytes, uint32_t trid);
  template <uint32_t kOutput>
  void forward(Header* header, uint32_t payload_bytes, uint32_t trid);
  template <uint32_t kOutput>
  static void called_forward(Neighbors& chip, Header* header, uint32_t payload_bytes,
                             uint32_t trid);
  void complete();
  uint32_t under_way();
  void run();
};

void Router::start() {
  word(kLayout.status()) = kStatusStarted;
  each<kVisits>([&]<uint32_t i>() __attribute__((always_inline)) {
    sender[i].slot = kLayout.channel_base(i);
    credit_init(stream_sender_free_slots(i), kLayout.slots_of(i));
    credit_init(stream_completed(i), 0);
    credit_init(stream_reported(i), 0);
  });
  credit_init(kStreamPacketsSent, 0);
  for (uint32_t slot = 0; slot < kLayout.receiver_slots; ++slot) {
    receiver.slots[slot] = ReceiverChannel::kBase + slot * kSlotBytes;
    receiver.trid[slot] = 0;
  }
  for (uint32_t i = 0; i < kMaxSenderChannels; ++i) {
    receiver.acknowledged_at[i] = stream_completed(i);
    receiver.completed_at[i] = kAcknowledges ? stream_reported(i) : stream_completed(i);
  }
  chip.start();
}

// --- sender channels

template <uint32_t kChannel>
FORCE_INLINE void Router::sender_step() {
  const bool waits = unsent(kChannel) != 0;
  if (work((receiver.remote_free >= slots_needed(kChannel)) & waits)) {
    if (!eth_txq_is_busy(kQueue)) send<kChannel>();
  }
  if constexpr (kAcknowledges) {
    const uint32_t completed = credit_read(stream_reported(kChannel));
    if (work(completed != 0)) {
      receiver.remote_free += completed;
      credit_add(stream_reported(kChannel), -static_cast<int32_t>(completed));
    }
  }
  const uint32_t returned = credit_read(stream_completed(kChannel));
  if (work(returned != 0)) slots_returned<kChannel>(returned);
  if constexpr (kChannel == kClientChannel) {
    const uint32_t handshake = word(kLayout.connection_handshake(0));
    if (work(handshake != client.connection)) attend(handshake);
  }
}

/// Requires an idle queue. Returns when the packet has left the queue and is counted at the peer.
template <uint32_t kChannel>
FORCE_INLINE void Router::send() {
  SenderChannel& from = sender[kChannel];
  ReceiverChannel& to = receiver;
  sent_or_wrote = true;
  Header* header = reinterpret_cast<Header*>(from.slot);
  advance<kChannel>(header);
  const uint32_t payload_bytes = header->payload_size_bytes;
  header->src_ch_id = kChannel;
  internal_::eth_send_packet_bytes_unsafe(kQueue, from.slot, to.remote_slot,
                                          packet_bytes(payload_bytes));
  from.slot = next_slot(from.slot, kLayout.channel_base(kChannel), kLayout.slots_of(kChannel));
  ++from.in_flight;
  to.remote_slot = next_slot(to.remote_slot, to.kBase, kLayout.receiver_slots);
  --to.remote_free;
  while (eth_txq_is_busy(kQueue)) {
  }
  internal_::eth_write_remote_reg_no_txq_check(kQueue, credit_update_address(kStreamPacketsSent),
                                               credit_update(1));
  credit_add(stream_sender_free_slots(kChannel), 1);
}

/// Frees the slots of `packets` packets of a sender channel.
template <uint32_t kChannel>
FORCE_INLINE void Router::slots_returned(uint32_t packets) {
  if constexpr (!kAcknowledges) receiver.remote_free += packets;
  credit_add(stream_completed(kChannel), -static_cast<int32_t>(packets));
  sender[kChannel].in_flight -= packets;
  if constexpr (kChannel == kClientChannel) {
    client.done += packets;
    if (client.connection == kConnectionOpen) client.report_done();
    word(kLayout.connection_info(0) + offsetof(ConnectionInfo, read_counter)) = client.done;
  } else {
    chip.return_slots<kChannel>(packets);
  }
}

[[gnu::noinline]] void Router::attend(uint32_t handshake) {
  if (handshake == kConnectionOpen) client.connect();
  // The credit of the client's last packet came before its request, but maybe after this iteration
  // looked for the credit.
  if (handshake == kConnectionCloseRequest && unsent(kClientChannel) == 0) client.disconnect();
}

// --- receiver channels

FORCE_INLINE void Router::receiver_step() {
  ReceiverChannel& channel = receiver;
  const uint32_t arrived = credit_read(kStreamPacketsSent);
  if constexpr (kAcknowledges) {
    if (work(arrived != 0)) {
      if (!eth_txq_is_busy(kQueue)) acknowledge();
    }
    if (work(channel.written.packets != channel.acknowledged.packets)) write();
  } else {
    if (work(arrived != 0)) write();
  }
  const bool sent = ncrisc_noc_nonposted_write_with_transaction_id_sent(
      noc_index, channel.id_of(channel.completed.slot));
  if (work((channel.completed.packets != channel.written.packets) & sent)) {
    if (!eth_txq_is_busy(kQueue)) complete();
  }
}

/// Acknowledges a packet to the peer. Requires an idle queue.
FORCE_INLINE void Router::acknowledge() {
  ReceiverChannel& channel = receiver;
  credit_add(kStreamPacketsSent, -1);
  const uint32_t slot = channel.acknowledged.slot;
  const uint8_t source = reinterpret_cast<Header*>(channel.slots[slot])->src_ch_id;
  channel.source[slot] = source;
  internal_::eth_write_remote_reg_no_txq_check(
      kQueue, credit_update_address(channel.acknowledged_at[source]), credit_update(1));
  channel.acknowledged.next();
}

/// Begins the writes of a packet, unless an output that it needs has no slot.
FORCE_INLINE void Router::write() {
  ReceiverChannel& channel = receiver;
  const uint32_t slot = channel.written.slot;
  Header* header = reinterpret_cast<Header*>(channel.slots[slot]);
  const uint32_t action = action_of(header);
  const uint32_t payload_bytes = header->payload_size_bytes;
  if constexpr (!kAcknowledges) channel.source[slot] = header->src_ch_id;
  // All outputs must have a slot. Only this router fills them, so a free slot stays free.
  bool full = false;
  const auto look = [&](uint32_t bit, uint32_t output) __attribute__((always_inline)) {
    if ((action & bit) == 0) return;
    if (!chip.neighbor[neighbor_of(output)].there) stop_as_the_route_leads_off_the_end();
    full |= credit_read(stream_forward_free_slots(output)) == 0;
  };
  look(kForward, kStraight);
  each<kSides>([&]<uint32_t i>()
                   __attribute__((always_inline)) { look(side_bit(i), side_output(i)); });
  if (full) return;
  sent_or_wrote = true;
  const uint32_t trid = channel.take_id(slot);
  if (action & kForward) {
    consume_hop(header);
    forward<kStraight>(header, payload_bytes, trid);
  }
  if (action & kWrite) {
    if constexpr (kMesh) {
      called_deliver(header, payload_bytes, trid);
    } else {
      deliver(header, payload_bytes, trid);
    }
  }
  each<kSides>([&]<uint32_t i>() __attribute__((always_inline)) {
    if (action & side_bit(i)) forward<side_output(i)>(header, payload_bytes, trid);
  });
  channel.written.next();
  if constexpr (!kAcknowledges) credit_add(kStreamPacketsSent, -1);
}

template <uint32_t kOutput>
FORCE_INLINE void Router::forward(Header* header, uint32_t payload_bytes, uint32_t trid) {
  if constexpr (kMesh) {
    called_forward<kOutput>(chip, header, payload_bytes, trid);
  } else {
    chip.forward<kOutput>(header, payload_bytes, trid);
  }
}
template <uint32_t kOutput>
[[gnu::noinline]] void Router::called_forward(Neighbors& chip, Header* header,
                                              uint32_t payload_bytes, uint32_t trid) {
  chip.forward<kOutput>(header, payload_bytes, trid);
}
[[gnu::noinline]] void Router::called_deliver(Header* header, uint32_t payload_bytes,
                                              uint32_t trid) {
  deliver(header, payload_bytes, trid);
}

FORCE_INLINE void Router::deliver(Header* header, uint32_t payload_bytes, uint32_t trid) {
  using namespace tt::tt_fabric;
  const uint32_t payload = reinterpret_cast<uintptr_t>(header) + kPacketHeaderBytes;
  volatile NocCommandFields& command = header->command_fields;
  switch (header->noc_send_type) {
    case NOC_UNICAST_WRITE:
      write_here(payload, command.unicast_write.noc_address, payload_bytes, trid);
      break;
    case NOC_UNICAST_INLINE_WRITE:
      noc_inline_dw_write<InlineWriteDst::DEFAULT, true>(
          on_own_noc(command.unicast_inline_write.noc_address), command.unicast_inline_write.value);
      break;
    case NOC_UNICAST_ATOMIC_INC:
      if (command.unicast_seminc.flush) flush<kTransactionIds>();
      noc_semaphore_inc<true>(l1_on_own_noc(command.unicast_seminc.noc_address),
                              command.unicast_seminc.val);
      break;
    case NOC_FUSED_UNICAST_ATOMIC_INC: {
      auto& fused = command.unicast_seminc_fused;
      write_here(payload, fused.noc_address, payload_bytes, trid);
      const uint64_t semaphore = l1_on_own_noc(fused.semaphore_noc_address);
      const uint32_t value = fused.val;
      if (fused.flush) flush<kTransactionIds>();
      // Without a flush, write and increment stay in order because they share a virtual channel.
      noc_semaphore_inc<true>(semaphore, value);
      break;
    }
    case NOC_UNICAST_SCATTER_WRITE:
      scatter(header, payload, payload_bytes, trid);
      break;
    default:
      rare_packet<kTransactionIds>(header);
  }
}

/// Gives back the slot of the oldest packet, whose writes have left. Requires an idle queue.
FORCE_INLINE void Router::complete() {
  ReceiverChannel& channel = receiver;
  const uint32_t source = channel.source[channel.completed.slot];
  const uint32_t stream = channel.completed_at[source];
  internal_::eth_write_remote_reg_no_txq_check(kQueue, credit_update_address(stream),
                                               credit_update(1));
  channel.completed.next();
}

/// Returns bits of endpoint.h. They are 0 if the peer and the neighbors have given back all slots
/// and all writes have landed.
FORCE_INLINE uint32_t Router::under_way() {
  uint32_t some = 0;
  const uint32_t not_written =
      credit_read(kStreamPacketsSent) |
      (kAcknowledges ? receiver.acknowledged.packets - receiver.written.packets : 0);
  if ((not_written | (receiver.written.packets - receiver.completed.packets)) != 0 ||
      !all_flushed<kTransactionIds>())
    some |= kUnderWayReceiver;
  each<kVisits>([&]<uint32_t i>() __attribute__((always_inline)) {
    if ((unsent(i) | sender[i].in_flight | credit_read(stream_completed(i))) != 0)
      some |= under_way_sender(i);
  });
  return some;
}

void Router::run() {
  const auto ends = [&](uint32_t signal) __attribute__((always_inline)) {
    return work(signal != kKeepRunning) &&
           terminates(
               signal, reported, [&]() __attribute__((always_inline)) { return under_way(); });
  };
  uint32_t left = kIterationsBetweenLooks;
  for (;;) {
    const uint32_t signal = word(kLayout.termination_signal());
    sender_step<kClientChannel>();
    receiver_step();
    each<kVisits - 1>([&]<uint32_t i>() __attribute__((always_inline)) { sender_step<1 + i>(); });
    if (work(sent_or_wrote)) {
      sent_or_wrote = false;
      if (--left != 0) continue;
      left = kIterationsBetweenLooks;
      if (ends(word(kLayout.termination_signal()))) return;
    } else if (ends(signal)) {
      return;
    }
  }
}

}  // namespace

void kernel_main() {
  Router router;
  router.start();
  router.chip.hand_shake();
  router.run();
  end<kTransactionIds>();
}
