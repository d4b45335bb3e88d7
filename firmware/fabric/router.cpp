// Router of the fabric, on the core of an ethernet tile: takes packets from a client (sender
// channel 0) and from other routers of the chip (channels from 1 on), sends them over the link, and
// delivers or forwards what arrives (kernel_api 3.1, 8.3).
//
// Credits. A packet goes into a slot whose owner has counted a free slot down. The slot of a sender
// channel is free again when the peer has reported the packet done with; that of a receiver
// channel when its NoC writes have left. Counts travel as additions to stream registers; the
// data of a packet is always sent before its count on the same queue or virtual channel.
//
// Nothing here waits while it holds what others wait for, but for slots: README.md shows why no
// cycle of full channels comes about.
//
// An iteration of the main loop that finds nothing to do only loads.

#include <algorithm>

#include "firmware/fabric/router_client.h"
#include "firmware/fabric/router_neighbors.h"

namespace {

using namespace tvp::fabric;
using namespace tvp::fabric::router;

constexpr bool kAcknowledges = kShape.acknowledges();
/// Of the peer's slots, for a packet to enter a ring. The least keep a ring from standing still; as
/// full as that it moves at half its rate or less, and what enters last comes last.
constexpr uint32_t kToEnter = std::max(kLeastRingSlots, kLayout.receiver_slots / 2);
/// Of writes of received packets, in turn.
constexpr uint32_t kTransactionIds = 8;
constexpr bool kPosted = true;  ///< what goes on, credits and increments

/// Packets that wait to go over the link, or have gone and are not done with.
struct SenderChannel {
  uint32_t slot;           ///< of the next packet to send
  uint32_t in_flight = 0;  ///< sent, not completed
};

/// The receiver channels of the link: the peer's slots as this router fills them, and its own.
struct ReceiverChannel {
  static constexpr uint32_t kBase = kLayout.receiver_base();

  uint32_t remote_slot = kBase;  ///< in the peer, of the next packet
  uint32_t remote_free = kLayout.receiver_slots;

  uint32_t receive_slot = kBase;   ///< of the next packet to begin with
  uint32_t complete_slot = kBase;  ///< of the oldest packet not done with
  uint32_t receive_trid = 0;
  uint32_t complete_trid = 0;
  uint32_t uncompleted = 0;
  uint32_t increment_owed = 0;  ///< bit i: by the packet of transaction id i
  uint32_t note_slot = kBase;   ///< of the next packet to note, on rings
  uint32_t noted = 0;           ///< not begun with; on rings

  static uint32_t next_id(uint32_t id) { return id == kTransactionIds - 1 ? 0 : id + 1; }
};

/// Of a count of packets of a sender channel, each of which keeps its slot until it is counted.
constexpr uint32_t kCountBits = 6;
static_assert(kMaxSenderChannels * kCountBits <= 32);
static_assert(!kAcknowledges ||
              (kLayout.slots < 1u << kCountBits && kLayout.forward_slots < 1u << kCountBits));

struct Router {
  SenderChannel sender[kSenders];
  ReceiverChannel receiver;
  uint32_t unacknowledged = 0;  ///< kCountBits for each sender channel of the peer
  Neighbors<kPosted> chip;
  Client<noc_index, kPosted> client;
  uint32_t told = 0;  ///< to the host, of what is under way

  uint32_t unsent(uint32_t channel) const {
    return kLayout.slots_of(channel) - credit_read(stream_sender_free_slots(channel)) -
           sender[channel].in_flight;
  }
  void start();
  template <uint32_t kChannel>
  void send();
  template <uint32_t kChannel>
  void completed(uint32_t packets);
  void note();
  void receive();
  void deliver(Header* header, uint32_t payload_bytes, uint32_t trid, uint32_t& increment_owed);
  void complete();
  void acknowledge();
  uint32_t under_way();
  void run();
};

void Router::start() {
  word(kLayout.status()) = kStatusStarted;
  each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) {
    sender[i].slot = kLayout.channel_base(i);
    credit_init(stream_sender_free_slots(i), kLayout.slots_of(i));
    credit_init(stream_completed(i), 0);
  });
  credit_init(kStreamPacketsSent, 0);
  credit_init(kStreamReported, 0);
  chip.start();
}

/// Unless the queue is busy.
template <uint32_t kChannel>
FORCE_INLINE void Router::send() {
  SenderChannel& from = sender[kChannel];
  ReceiverChannel& to = receiver;
  Header* header = reinterpret_cast<Header*>(from.slot);
  const uint32_t payload_bytes = header->payload_size_bytes;
  if (eth_txq_is_busy(kQueue)) return;
  header->src_ch_id = kChannel;
  advance<kChannel>(header);
  internal_::eth_send_packet_bytes_unsafe(kQueue, from.slot, to.remote_slot,
                                          packet_bytes(payload_bytes));
  internal_::eth_write_remote_reg(kQueue, credit_update_address(kStreamPacketsSent),
                                  credit_update(1));
  from.slot = next_slot(from.slot, kLayout.channel_base(kChannel), kLayout.slots_of(kChannel));
  ++from.in_flight;
  to.remote_slot = next_slot(to.remote_slot, to.kBase, kLayout.receiver_slots);
  --to.remote_free;
}

/// The peer is done with `packets` packets of a channel, whose slots are free here and there; or it
/// acknowledges them, and they are free here.
template <uint32_t kChannel>
FORCE_INLINE void Router::completed(uint32_t packets) {
  credit_add(stream_completed(kChannel), -static_cast<int32_t>(packets));
  sender[kChannel].in_flight -= packets;
  if constexpr (!kAcknowledges) receiver.remote_free += packets;
  credit_add(stream_sender_free_slots(kChannel), static_cast<int32_t>(packets));
  if constexpr (kChannel == kClientChannel) {
    client.done += packets;
    if (client.connection == kConnectionOpen) client.tell_done();
    word(kLayout.connection_info(0) + offsetof(ConnectionInfo, read_counter)) = client.done;
  } else {
    chip.return_slots<kChannel>(packets);
  }
}

/// Of a packet that has arrived: its sender channel has a free slot again, though it may have to
/// wait here. One that kept both slots would need two of its ring, which has but one to spare.
FORCE_INLINE void Router::note() {
  unacknowledged += 1u << reinterpret_cast<Header*>(receiver.note_slot)->src_ch_id * kCountBits;
  receiver.note_slot = next_slot(receiver.note_slot, receiver.kBase, kLayout.receiver_slots);
  ++receiver.noted;
}

/// Works on the packet at receive_slot, unless it has to be forwarded and a neighbor has no slot.
FORCE_INLINE void Router::receive() {
  ReceiverChannel& from = receiver;
  Header* header = reinterpret_cast<Header*>(from.receive_slot);
  // Everything that may have to be known, at once.
  const uint32_t action = action_of(header);
  const uint32_t payload_bytes = header->payload_size_bytes;
  uint32_t free[kOutputs];
  each<kOutputs>([&]<uint32_t i>() __attribute__((always_inline)) {
    free[i] = credit_read(stream_forward_free_slots(i));
  });
  const bool niu_busy =
      !noc_cmd_buf_ready(noc_index, kForwardBuf) | !noc_cmd_buf_ready(noc_index, kCreditBuf);
  // All outputs must have a slot. Only this router fills them: what is free stays free.
  bool full = false;
  const auto look = [&](uint32_t bit, uint32_t output) __attribute__((always_inline)) {
    if ((action & bit) == 0) return;
    if (!chip.neighbor[neighbor_of(output)].there) stop_as_the_route_leads_off_the_end();
    full |= free[output] == 0;
  };
  look(kForward, kStraight);
  each<kSides>([&]<uint32_t i>()
                   __attribute__((always_inline)) { look(side_bit(i), side_output(i)); });
  if (full) return;
  if (action & kWrite) deliver(header, payload_bytes, from.receive_trid, from.increment_owed);
  if (action & kForward) {
    consume_hop(header);
    chip.forward<kStraight>(header, payload_bytes, from.receive_trid, niu_busy);
  }
  each<kSides>([&]<uint32_t i>() __attribute__((always_inline)) {
    if (action & side_bit(i))
      chip.forward<side_output(i)>(header, payload_bytes, from.receive_trid, true);
  });
  if constexpr (kRings) {
    if (from.noted == 0) note();
    --from.noted;
  } else if constexpr (kAcknowledges) {
    unacknowledged += 1u << header->src_ch_id * kCountBits;
  }
  credit_add(kStreamPacketsSent, -1);
  from.receive_slot = next_slot(from.receive_slot, from.kBase, kLayout.receiver_slots);
  from.receive_trid = from.next_id(from.receive_trid);
  ++from.uncompleted;
}

FORCE_INLINE void Router::deliver(Header* header, uint32_t payload_bytes, uint32_t trid,
                                  uint32_t& increment_owed) {
  using namespace tt::tt_fabric;
  const uint32_t payload = reinterpret_cast<uintptr_t>(header) + kPacketHeaderBytes;
  volatile NocCommandFields& command = header->command_fields;
  const NocSendType type = header->noc_send_type;
  // Most packets first: a table of jumps costs each of them a wrong prediction.
  if (__builtin_expect(type == NOC_UNICAST_WRITE, true)) {
    write_here(payload, command.unicast_write.noc_address, payload_bytes, trid);
    return;
  }
  if (__builtin_expect(type == NOC_FUSED_UNICAST_ATOMIC_INC, true)) {
    volatile NocUnicastAtomicIncFusedCommandHeader& fused = command.unicast_seminc_fused;
    write_here(payload, fused.noc_address, payload_bytes, trid);
    if (fused.flush) {
      increment_owed |= 1u << trid;  // when the write is acknowledged, see complete()
    } else {
      increment(header);  // the virtual channel that both use keeps the order
    }
    return;
  }
  switch (type) {
    case NOC_UNICAST_INLINE_WRITE:
      noc_inline_dw_write<InlineWriteDst::DEFAULT, kPosted>(
          on_own_noc(command.unicast_inline_write.noc_address), command.unicast_inline_write.value);
      break;
    case NOC_UNICAST_ATOMIC_INC:
      if (command.unicast_seminc.flush) flush<kTransactionIds>();
      noc_semaphore_inc<kPosted>(l1_on_own_noc(command.unicast_seminc.noc_address),
                                 command.unicast_seminc.val);
      break;
    case NOC_UNICAST_SCATTER_WRITE:
      scatter(header, payload, payload_bytes, trid);
      break;
    default:
      rare_packet<kTransactionIds>(header);
  }
}

/// Is done with the oldest packet when all its writes have left, and lets the peer fill its slot
/// again, at once unless the queue is busy: where channels are full, packets move as fast as free
/// slots come back. One that owes an increment waits until its writes have landed.
FORCE_INLINE void Router::complete() {
  ReceiverChannel& from = receiver;
  if (!ncrisc_noc_nonposted_write_with_transaction_id_sent(noc_index, from.complete_trid)) return;
  Header* header = reinterpret_cast<Header*>(from.complete_slot);
  if ((from.increment_owed >> from.complete_trid & 1u) != 0) {
    if (!ncrisc_noc_nonposted_write_with_transaction_id_flushed(noc_index, from.complete_trid))
      return;
    increment(header);
    from.increment_owed &= ~(1u << from.complete_trid);
  }
  if (eth_txq_is_busy(kQueue)) return;
  const uint32_t stream = kAcknowledges ? kStreamReported : stream_completed(header->src_ch_id);
  internal_::eth_write_remote_reg_no_txq_check(kQueue, credit_update_address(stream),
                                               credit_update(1));
  from.complete_slot = next_slot(from.complete_slot, from.kBase, kLayout.receiver_slots);
  from.complete_trid = from.next_id(from.complete_trid);
  --from.uncompleted;
}

/// Unless the queue is busy, frees the slots at the peer of all packets of a sender channel that
/// were begun with.
FORCE_INLINE void Router::acknowledge() {
  if (eth_txq_is_busy(kQueue)) return;
  constexpr uint32_t kMask = (1u << kCountBits) - 1;
  uint32_t channel = 0;
  while ((unacknowledged >> channel * kCountBits & kMask) == 0) ++channel;
  const uint32_t packets = unacknowledged >> channel * kCountBits & kMask;
  internal_::eth_write_remote_reg_no_txq_check(kQueue,
                                               credit_update_address(stream_completed(channel)),
                                               credit_update(static_cast<int32_t>(packets)));
  unacknowledged -= packets << channel * kCountBits;
}

/// Bits of endpoint.h, 0 when nothing is under way.
FORCE_INLINE uint32_t Router::under_way() {
  uint32_t some = unacknowledged != 0 ? kUnderWayReports : 0;
  if ((credit_read(kStreamPacketsSent) | receiver.uncompleted) != 0 ||
      !all_flushed<kTransactionIds>())
    some |= kUnderWayReceiver;
  each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) {
    if ((unsent(i) | sender[i].in_flight | credit_read(stream_completed(i))) != 0)
      some |= under_way_sender(i);
  });
  return some;
}

void Router::run() {
  for (;;) {
    // What packets wait for first. Loads in a row overlap.
    uint32_t waiting[kSenders];
    uint32_t done[kSenders];
    const uint32_t arrived = credit_read(kStreamPacketsSent);
    each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) { waiting[i] = unsent(i); });
    if (work(arrived != 0)) {
      if (receiver.uncompleted < kTransactionIds) receive();
      if constexpr (kRings) {
        if (credit_read(kStreamPacketsSent) > receiver.noted) note();
      }
    }
    if constexpr (kAcknowledges) {
      // Before packets, which keep the queue busy for longer.
      if (work(unacknowledged != 0)) acknowledge();
    }
    // What is under way before what begins.
    each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) {
      constexpr uint32_t kChannel = kSenders - 1 - i;
      if (work(waiting[kChannel] != 0)) {
        if (receiver.remote_free >= slots_needed(kChannel, kToEnter)) send<kChannel>();
      }
    });

    each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) {
      done[i] = credit_read(stream_completed(i));
    });
    uint32_t reported = 0;
    if constexpr (kAcknowledges) reported = credit_read(kStreamReported);
    const uint32_t handshake = word(kLayout.connection_handshake(0));
    const uint32_t signal = word(kLayout.termination_signal());
    if (work(receiver.uncompleted != 0)) complete();
    each<kSenders>([&]<uint32_t i>() __attribute__((always_inline)) {
      if (work(done[i] != 0)) completed<i>(done[i]);
    });
    if (work(reported != 0)) {
      credit_add(kStreamReported, -static_cast<int32_t>(reported));
      receiver.remote_free += reported;
    }
    if (work(handshake != client.connection)) {
      if (handshake == kConnectionOpen) client.connect();
      // The credit of the client's last packet came before its request, but maybe after it was
      // looked for.
      if (handshake == kConnectionCloseRequest && unsent(0) == 0) client.disconnect();
    }
    if (work(signal != kKeepRunning)) {
      if (terminates(
              signal, told, [&]() __attribute__((always_inline)) { return under_way(); }))
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
