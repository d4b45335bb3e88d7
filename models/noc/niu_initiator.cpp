// The initiating side of the NIU (ISA NoC/MemoryMap.md, NoC/Counters.md).
#include <algorithm>
#include <cstring>

#include "models/noc/niu.h"
#include "models/support/hex.h"

namespace tvp::noc {

using namespace regs::noc;  // register names
using support::Cycle;

namespace {

constexpr std::uint32_t kByteEnableSpan = 32;

/// A random-looking number for each number (a well-known mixer of 32 bits: murmur3's last steps).
std::uint32_t scrambled(std::uint32_t n) {
  n = (n ^ n >> 16) * 0x85EBCA6B;
  n = (n ^ n >> 13) * 0xC2B2AE35;
  return n ^ n >> 16;
}

std::uint32_t flits_of(std::uint32_t bytes) { return 1 + (bytes + kFlitBytes - 1) / kFlitBytes; }

unsigned packets_of(const RequestInitiator& r) {
  if (!r.has_length()) return 1;
  return std::max(1U, (r.at_len_be + kMaxPacketBytes - 1) / kMaxPacketBytes);
}

std::uint32_t lookup(const std::uint32_t* table, std::uint32_t coordinate) {
  const std::uint32_t entry = coordinate & 31;
  return table[entry / 8] >> (entry % 8 * 4) & 0xF;
}

}  // namespace

void Niu::start_command(unsigned initiator, Cycle now) {
  RequestInitiator& r = initiators_[initiator];
  for (unsigned i = 0; i < queue_count_; ++i) {
    if (initiators_[queue_[i]].packets_left > 1) {
      fault("store to CMD_CTRL while another request is still being split");
    }
  }
  if (config_words_[0] & kNiuCfgIdTranslateEnable) translate_coordinates(r);
  r.issued = now;
  r.packets_left = packets_of(r);
  check_command(r);
  const unsigned id = r.transaction_id();
  const int packets = static_cast<int>(r.packets_left);
  if (!r.is_posted()) count_id(kMstReqsOutstandingId, id, packets);
  if (r.reads_source()) count_id(kMstWriteReqsOutgoingId, id, packets);
  r.busy = 1;
  queue_[queue_count_++] = static_cast<std::uint8_t>(initiator);
  if (queue_count_ == 1) at(now + config_.assign_cycles, StepKind::kAssign, nullptr);
  show(now);
}

void Niu::translate_coordinates(RequestInitiator& r) const {
  const std::uint32_t* x = &config_words_[(kXIdTranslateTable0 - kNiuCfg0) / 4];
  const std::uint32_t* y = &config_words_[(kYIdTranslateTable0 - kNiuCfg0) / 4];
  auto field = [](std::uint32_t& mid, std::uint32_t shift, const std::uint32_t* table) {
    const std::uint32_t from = mid >> shift & kCoordinateMask;
    mid = (mid & ~(kCoordinateMask << shift)) | lookup(table, from) << shift;
  };
  for (std::uint32_t* mid : {&r.targ_mid, &r.ret_mid}) {
    const bool rectangle = r.is_broadcast() && mid == (r.reads_source() ? &r.ret_mid : &r.targ_mid);
    field(*mid, kMidXShift, x);
    field(*mid, kMidYShift, y);
    if (!rectangle) continue;
    field(*mid, kMidStartXShift, x);
    field(*mid, kMidStartYShift, y);
  }
}

void Niu::check_command(const RequestInitiator& r) {
  if (r.type() == 3) {
    fault("request type 3 is reserved");
    unmodelled("request of type 3");
  }
  if (r.is_read() && r.flag(kCmdBrcstPacket)) fault("a read request cannot be broadcast");
  if (r.has_length() && r.at_len_be == 0) fault("request of 0 bytes");
  if (r.packets_left > 1 && ((r.targ_lo | r.ret_lo) & 15) != 0) {
    fault("requests of more than 8192 bytes need addresses aligned to 16 bytes");
  }
  if (r.is_static() && (r.is_broadcast() ? r.static_class() != vc::kClassBroadcast
                                         : r.static_class() >= vc::kClassBroadcast)) {
    fault("static virtual channel of class " + std::to_string(r.static_class()) + " for a " +
          (r.is_broadcast() ? "broadcast" : "unicast") + " request");
    unmodelled("virtual channel class that does not fit the request");
  }
  if (r.tag & kTagDeliverToOverlay) unmodelled("delivery of a write to the receiver's overlay");
  auto outside = [](Node n) { return n.x >= noc::kColumns || n.y >= noc::kRows; };
  const std::uint32_t to = r.destination_mid();
  if (outside(RequestInitiator::node(to, kMidXShift, kMidYShift)) ||
      (r.is_broadcast() && outside(RequestInitiator::node(to, kMidStartXShift, kMidStartYShift))) ||
      (r.is_read() && outside(r.ret_node()))) {
    fault("coordinates outside of the NoC: TARG_ADDR_MID " + support::hex(r.targ_mid) +
          ", RET_ADDR_MID " + support::hex(r.ret_mid));
    unmodelled("coordinates outside of the NoC");
  }
  check_alignment(r);
}

void Niu::assign(Cycle now) {
  RequestInitiator& r = initiators_[queue_[0]];
  unsigned vc_class = 0;
  unsigned buddy = 0;
  if (!choose_vc(r, vc_class, buddy)) {
    waiting_for_vc_ = true;
    return;
  }
  stats_.vc_wait_cycles += now - std::min(now, r.issued + config_.assign_cycles);
  Packet& packet = make_request(r);
  NocExtension& header = packet.header();
  header.vc_class = static_cast<std::uint8_t>(vc_class);
  header.buddy = static_cast<std::uint8_t>(buddy);
  continue_chain(r, packet);
  count_started(r, packet);
  Cycle leaves = now + config_.request_cycles;
  if (r.reads_source()) leaves += read_source(packet, r, now);
  // Packets of one channel leave in the order of their commands, ready or not.
  Cycle& last = vc_last_leave_[header.first_vc()];
  leaves = std::max(leaves, last + 1);
  last = leaves;
  if (r.is_read()) at(leaves, StepKind::kLeave, nullptr, kMstRdReqSent);
  if (r.is_atomic()) {
    at(leaves, StepKind::kLeave, nullptr,
       r.is_posted() ? kMstPostedAtomicSent : kMstNonpostedAtomicSent);
  }
  inject(packet, leaves);
  finish_packet(r, now);
  changed(now);
}

/// Static requests take the channel that they name; others the one with the fewest packets of
/// ours, among equals a random one: tiles that took them in turn would soon all wait for the same
/// class while the other is free. Fails while the channel is held by as many packets as the NIU can
/// prepare.
bool Niu::choose_vc(const RequestInitiator& r, unsigned& vc_class, unsigned& buddy) {
  if (chain_open_) {
    if (r.destination_mid() != chain_destination_) {
      fault("request to another destination than the NOC_CMD_VC_LINKED request before it");
    }
    vc_class = vc::class_of(chain_vc_);
    buddy = chain_vc_ >> 1 & 1;
    const bool fits = r.is_static() ? r.static_class() == vc_class && r.static_buddy() == buddy
                                    : r.is_broadcast() == (vc_class == vc::kClassBroadcast);
    if (!fits) {
      fault(
          "virtual channel differs from that of the NOC_CMD_VC_LINKED request before it: "
          "the NIU can never start this request");
      return false;
    }
    return vc_used_[chain_vc_] < config_.packets_per_vc;
  }
  if (r.is_static()) {
    vc_class = r.static_class();
    buddy = r.static_buddy();
    return vc_used_[vc::number(vc_class, buddy, 0)] < config_.packets_per_vc;
  }
  const unsigned choices = r.is_broadcast() ? 2 : 4;
  const unsigned first = r.is_broadcast() ? vc::kClassBroadcast * 2 : 0;
  const unsigned start = scrambled(vc_choices_) % choices;
  unsigned best = first + start;
  for (unsigned i = 1; i < choices; ++i) {
    const unsigned candidate = first + (start + i) % choices;
    if (vc_used_[candidate * 2] < vc_used_[best * 2]) best = candidate;
  }
  if (vc_used_[best * 2] >= config_.packets_per_vc) return false;
  vc_choices_ += kNodes;
  vc_class = best >> 1;
  buddy = best & 1;
  return true;
}

/// Packets of a chain keep one virtual channel from end to end, which the rules allow: its first
/// packet is free to never flip its buddy bit.
void Niu::continue_chain(const RequestInitiator& r, Packet& packet) {
  NocExtension& header = packet.header();
  // The last request of a chain ends it with its last packet.
  const bool linked = r.is_linked() || (chain_open_ && r.packets_left > 1);
  header.first_of_chain = !chain_open_;
  header.linked = linked;
  header.static_vc = r.is_static() || linked || chain_open_;
  chain_open_ = linked;
  chain_destination_ = r.destination_mid();
  chain_vc_ = header.first_vc();
}

Packet& Niu::make_request(const RequestInitiator& r) {
  std::uint32_t data_bytes = 0;
  if (r.reads_source()) {
    data_bytes = r.is_byte_enabled() ? kByteEnableSpan : std::min(r.at_len_be, kMaxPacketBytes);
  }
  Packet& packet = pool_.allocate(data_bytes);
  NocExtension& header = packet.header();
  const std::uint32_t to = r.destination_mid();
  header.kind = r.is_read()     ? PacketKind::kReadRequest
                : r.is_atomic() ? PacketKind::kAtomic
                : r.is_inline() ? PacketKind::kInlineWrite
                                : PacketKind::kWrite;
  header.source = node_;
  header.target = RequestInitiator::node(to, kMidXShift, kMidYShift);
  header.broadcast = r.is_broadcast();
  if (header.broadcast) {
    header.start = RequestInitiator::node(to, kMidStartXShift, kMidStartYShift);
    header.y_major = r.flag(kCmdBrcstXy);
    header.source_included = r.flag(kCmdBrcstSrcInclude);
    header.path_reserve = r.flag(kCmdPathReserve);
  }
  header.posted = r.is_posted();
  header.byte_enabled = r.is_byte_enabled() || r.is_inline();
  header.priority = static_cast<std::uint8_t>(r.priority());
  header.transaction_id = static_cast<std::uint8_t>(r.transaction_id());
  header.tag = static_cast<std::uint16_t>(r.tag);
  header.bytes = r.is_read() ? std::min(r.at_len_be, kMaxPacketBytes) : data_bytes;
  // Inline data and atomic operands travel in the header flit.
  header.flits = flits_of(data_bytes);
  header.at_len_be = r.at_len_be;
  header.at_data = r.at_data;
  header.address = r.destination_address();
  header.reply = r.is_inline() ? node_ : r.reads_source() ? r.targ_node() : r.ret_node();
  header.reply_address = r.ret_address();
  header.issued = r.issued;
  return packet;
}

/// Copies the bytes of a write out of the own tile, once. Returns how much later than its first
/// opportunity the header leaves: the network takes a flit a cycle, so the packet starts when the
/// rest of the bytes will be there in time.
Cycle Niu::read_source(Packet& packet, const RequestInitiator& r, Cycle now) {
  NocExtension& header = packet.header();
  const std::uint64_t from = r.targ_address();
  std::uint32_t latency;
  if (r.is_byte_enabled() && is_mmio(from)) {
    // One word, repeated.
    latency = access(tlm::TLM_READ_COMMAND, from & ~std::uint64_t{3}, packet.data(), 4, now);
    for (unsigned i = 4; i < kByteEnableSpan; i += 4) {
      std::memcpy(packet.data() + i, packet.data(), 4);
    }
  } else if (r.is_byte_enabled()) {
    latency = access(tlm::TLM_READ_COMMAND, from & ~std::uint64_t{15}, packet.data(),
                     kByteEnableSpan, now);
  } else {
    latency = access(tlm::TLM_READ_COMMAND, from, packet.data(), header.bytes, now);
  }
  count(header.posted ? kMstPostedWrReqSent : kMstNonpostedWrReqSent);
  count(header.posted ? kMstPostedWrDataWordSent : kMstNonpostedWrDataWordSent,
        header.data_flits());
  at(now + latency, StepKind::kSourceRead, nullptr, header.transaction_id);
  return latency > header.data_flits() ? latency - header.data_flits() : 0;
}

void Niu::count_started(const RequestInitiator& r, const Packet& packet) {
  const bool posted = packet.header().posted;
  count(kMstCmdAccepted);
  if (r.is_read()) {
    count(kMstRdReqStarted);
  } else if (r.is_atomic()) {
    if (!posted) count(kMstNonpostedAtomicStarted);
  } else {
    count(posted ? kMstPostedWrReqStarted : kMstNonpostedWrReqStarted);
    if (r.is_inline()) count(posted ? kMstPostedWrReqSent : kMstNonpostedWrReqSent);
  }
}

void Niu::finish_packet(RequestInitiator& r, Cycle now) {
  if (--r.packets_left > 0) {
    r.at_len_be -= kMaxPacketBytes;
    r.targ_lo += kMaxPacketBytes;
    r.ret_lo += kMaxPacketBytes;
    at(now + 1, StepKind::kAssign, nullptr);
    return;
  }
  r.busy = 0;
  std::copy(queue_.begin() + 1, queue_.end(), queue_.begin());
  if (--queue_count_ == 0) return;
  const Cycle ready = initiators_[queue_[0]].issued + config_.assign_cycles;
  at(std::max(now + 1, ready), StepKind::kAssign, nullptr);
}

}  // namespace tvp::noc
