#include "models/noc/niu/niu_initiator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/noc/niu/request_rules.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names
using support::Cycle;
using Kind = NiuStep::Kind;

namespace {

/// A hash of a number (the final mix of murmur3, 32 bits).
std::uint32_t scrambled(std::uint32_t n) {
  n = (n ^ n >> 16) * 0x85EBCA6B;
  n = (n ^ n >> 13) * 0xC2B2AE35;
  return n ^ n >> 16;
}

unsigned packets_of(const RequestInitiator& r, std::uint32_t longest) {
  if (!r.has_length()) return 1;
  return std::max(1U, (r.at_len_be + longest - 1) / longest);
}

PacketKind kind_of(const RequestInitiator& r) {
  if (r.is_read()) return PacketKind::kReadRequest;
  if (r.is_atomic()) return PacketKind::kAtomic;
  return r.is_inline() ? PacketKind::kInlineWrite : PacketKind::kWrite;
}

support::ProbeEvent::Request request_of(PacketKind kind) {
  using Request = support::ProbeEvent::Request;
  switch (kind) {
    case PacketKind::kReadRequest:
      return Request::kRead;
    case PacketKind::kInlineWrite:
      return Request::kInlineWrite;
    case PacketKind::kAtomic:
      return Request::kAtomic;
    default:
      return Request::kWrite;
  }
}

support::ProbeEvent::Place place_of(EndpointType type) {
  using Place = support::ProbeEvent::Place;
  switch (type) {
    case EndpointType::kTensix:
      return Place::kTensix;
    case EndpointType::kEthernet:
      return Place::kEthernet;
    case EndpointType::kDram:
      return Place::kDram;
    default:
      return Place::kOther;
  }
}

}  // namespace

NiuInitiator::NiuInitiator(const NiuContext& context, NiuRegisters& registers,
                           NiuCounters& counters, NiuSteps& steps, NiuOutput& output,
                           NiuMemory& memory, NiuPhasedMemory& phased)
    : context_(context),
      registers_(registers),
      counters_(counters),
      steps_(steps),
      output_(output),
      memory_(memory),
      phased_(phased),
      map_(context.place.grid.map()),
      vc_choices_(context.place.grid.number(context.node)) {}

void NiuInitiator::start(unsigned index, support::BusMaster by, Cycle now) {
  RequestInitiator& r = registers_.initiator(index);
  for (unsigned i = 0; i < queue_count_; ++i) {
    if (registers_.initiator(queue_[i]).packets_left > 1) {
      context_.fault("store to CMD_CTRL while another request is still being split");
    }
  }
  registers_.translate(r);
  r.issued = now;
  r.by = by;
  r.pc = probe_ == nullptr ? 0 : probe_->pc_of(by);
  r.packets_left = packets_of(r, map_.max_packet_bytes);
  check_request(context_, r);
  if (probe_ != nullptr) report_command(r, now);
  const unsigned id = r.transaction_id();
  const int packets = static_cast<int>(r.packets_left);
  if (!r.is_posted()) counters_.count_id(kMstReqsOutstandingId, id, packets);
  if (r.reads_source()) counters_.count_id(kMstWriteReqsOutgoingId, id, packets);
  r.busy = 1;
  queue_[queue_count_++] = static_cast<std::uint8_t>(index);
  if (queue_count_ == 1) steps_.at(now + context_.config.assign_cycles, Kind::kAssign, nullptr);
}

void NiuInitiator::report_command(const RequestInitiator& r, Cycle now) const {
  using Event = support::ProbeEvent;
  if (!probe_->wants(Event::Kind::kCommand)) return;
  Event event{.kind = Event::Kind::kCommand,
              .agent = context_.master,
              .core = r.by,
              .request = request_of(kind_of(r)),
              .is_posted = r.is_posted(),
              .is_broadcast = r.is_broadcast(),
              .is_linked = r.is_linked(),
              .pc = r.pc,
              .bytes = r.has_length() ? r.at_len_be : 0,
              .packets = r.packets_left,
              .stored_end = probe_->stored_end(),
              .address = r.is_read() ? r.ret.address() : r.targ.address(),
              .remote_address = r.destination().address(),
              .cycle = now,
              .offered = probe_->offered()};
  const Node here = r.is_read() ? r.ret.node() : r.targ.node();
  event.is_local = r.has_length() && here == context_.node && !context_.is_mmio(event.address);
  const Grid& grid = context_.place.grid;
  const std::uint32_t to = r.destination().to;
  const Node end = grid.to_noc(context_.place.noc, RequestInitiator::end_of(to));
  const Node start =
      r.is_broadcast() ? grid.to_noc(context_.place.noc, RequestInitiator::start_of(to)) : end;
  event.remote = place_of(grid.type(end));
  event.x0 = std::min(start.x, end.x);
  event.y0 = std::min(start.y, end.y);
  event.x1 = std::max(start.x, end.x);
  event.y1 = std::max(start.y, end.y);
  if (r.is_static())
    event.vc = static_cast<std::uint8_t>(vc::number(r.static_class(), r.static_buddy(), 0));
  probe_->report(event);
}

void NiuInitiator::report_sent(const NocExtension& header, std::uint64_t from, Cycle now,
                               Cycle until) const {
  using Event = support::ProbeEvent;
  if (!probe_->wants(Event::Kind::kSourceRead)) return;
  probe_->report({.kind = Event::Kind::kSourceRead,
                  .agent = context_.master,
                  .core = header.sender,
                  .bytes = header.bytes,
                  .address = from,
                  .cycle = now,
                  .done = until});
}

void NiuInitiator::report_answer(const NocExtension& header, Cycle now) const {
  using Event = support::ProbeEvent;
  if (!probe_->wants(Event::Kind::kAnswer)) return;
  const bool reads = header.kind == PacketKind::kReadResponse;
  const auto request = reads                                  ? Event::Request::kRead
                       : header.kind == PacketKind::kWriteAck ? Event::Request::kWrite
                                                              : Event::Request::kAtomic;
  probe_->report({.kind = Event::Kind::kAnswer,
                  .agent = context_.master,
                  .core = header.sender,
                  .request = request,
                  .remote = place_of(type_of(header.source)),
                  .is_local = reads && !context_.is_mmio(header.address),
                  .pc = probe_->pc_of(header.sender),
                  .bytes = reads ? header.bytes : 0,
                  .address = header.address,
                  .cycle = now});
}

void NiuInitiator::assign(Cycle now) {
  const RequestInitiator& r = first();
  unsigned vc = 0;
  if (!choose_vc(r, vc)) {
    waiting_for_vc_ = true;
    return;
  }
  Packet& packet = make_request(r, vc);
  continue_chain(r, packet);
  count_started(r);
  output_.inject(packet, leave(r, packet, now));
  finish_packet(now);
  context_.changed(now);
}

void NiuInitiator::vc_freed(Cycle now) {
  if (!waiting_for_vc_) return;
  waiting_for_vc_ = false;
  assign(now);
}

/// Static requests take the channel that they name; dynamic requests choose one. Fails if the
/// channel has as many packets as the NIU can prepare, or one packet if this one needs no
/// preparation.
bool NiuInitiator::choose_vc(const RequestInitiator& r, unsigned& vc) {
  if (chain_.open) {
    vc = chain_.vc;
    return chosen_by_chain(r) && output_.takes(vc, r.reads_source());
  }
  if (r.is_static()) {
    vc = vc::number(r.static_class(), r.static_buddy(), 0);
    return output_.takes(vc, r.reads_source());
  }
  vc = least_used(r);
  if (!output_.takes(vc, r.reads_source())) return false;
  vc_choices_ += context_.place.grid.nodes();
  return true;
}

/// Raises faults for a request that a chain does not allow. False if it can never start.
bool NiuInitiator::chosen_by_chain(const RequestInitiator& r) {
  if (r.destination().to != chain_.destination) {
    context_.fault("request to another destination than the NOC_CMD_VC_LINKED request before it");
  }
  const unsigned vc_class = vc::class_of(chain_.vc);
  const bool fits = r.is_static() ? vc::number(r.static_class(), r.static_buddy(), 0) == chain_.vc
                                  : r.is_broadcast() == (vc_class == vc::kClassBroadcast);
  if (!fits) {
    context_.fault(
        "virtual channel differs from that of the NOC_CMD_VC_LINKED request before it: "
        "the NIU can never start this request");
  }
  return fits;
}

/// The channel with the fewest packets of this NIU, a random one of equals. With a fixed order,
/// many tiles would soon wait for the same class while the other is free.
unsigned NiuInitiator::least_used(const RequestInitiator& r) const {
  const unsigned choices = r.is_broadcast() ? 2 : 4;
  const unsigned first = r.is_broadcast() ? vc::kClassBroadcast * 2 : 0;
  const unsigned start = scrambled(vc_choices_) % choices;
  unsigned best = first + start;
  for (unsigned i = 1; i < choices; ++i) {
    const unsigned candidate = first + (start + i) % choices;
    if (output_.used(candidate * 2) < output_.used(best * 2)) best = candidate;
  }
  return best * 2;
}

/// Packets of a chain keep one virtual channel from end to end. The rules allow this, since the
/// first packet need not flip its buddy bit.
void NiuInitiator::continue_chain(const RequestInitiator& r, Packet& packet) {
  NocExtension& header = packet.header();
  // The last packet of the last request ends a chain.
  const bool linked = r.is_linked() || (chain_.open && r.packets_left > 1);
  header.first_of_chain = !chain_.open;
  header.linked = linked;
  header.static_vc = r.is_static() || linked || chain_.open;
  chain_ = {linked, r.destination().to, header.first_vc()};
}

Packet& NiuInitiator::make_request(const RequestInitiator& r, unsigned vc) {
  std::uint32_t data_bytes = 0;
  if (r.reads_source()) {
    data_bytes =
        r.is_byte_enabled() ? map_.flit_bytes : std::min(r.at_len_be, map_.max_packet_bytes);
  }
  Packet& packet = output_.allocate(data_bytes);
  NocExtension& header = packet.header();
  const std::uint32_t to = r.destination().to;
  header.kind = kind_of(r);
  header.source = context_.node;
  header.target = RequestInitiator::end_of(to);
  header.broadcast = r.is_broadcast();
  if (header.broadcast) {
    header.start = RequestInitiator::start_of(to);
    header.y_major = r.flag(kCmdBrcstXy);
    header.source_included = r.flag(kCmdBrcstSrcInclude);
    header.path_reserve = r.flag(kCmdPathReserve);
  }
  header.posted = r.is_posted();
  header.byte_enabled = r.is_byte_enabled() || r.is_inline();
  header.priority = static_cast<std::uint8_t>(r.priority());
  header.transaction_id = static_cast<std::uint8_t>(r.transaction_id());
  header.tag = static_cast<std::uint16_t>(r.tag);
  header.bytes = r.is_read() ? std::min(r.at_len_be, map_.max_packet_bytes) : data_bytes;
  // Inline data and atomic operands are in the header flit.
  header.flits = context_.place.grid.flits_of(data_bytes);
  header.at_len_be = r.at_len_be;
  header.at_len_be_1 = r.at_len_be_1;
  header.at_data = r.at_data;
  header.address = r.destination().address();
  header.reply = r.is_inline() ? context_.node : r.reads_source() ? r.targ.node() : r.ret.node();
  header.reply_address = r.ret.address();
  header.issued = r.issued;
  header.sender = r.by;
  header.sender_pc = r.pc;
  header.vc_class = static_cast<std::uint8_t>(vc::class_of(vc));
  header.buddy = vc >> 1 & 1;
  return packet;
}

/// Returns the cycle at which the packet's header leaves, and counts the packet then.
Cycle NiuInitiator::leave(const RequestInitiator& r, Packet& packet, Cycle now) {
  Cycle leaves = now + context_.config.request_cycles;
  if (r.reads_source()) leaves += read_source(packet, r, now);
  // Packets of a channel leave in the order of their commands, even if a later one is ready
  // earlier.
  Cycle& last = last_leave_[packet.header().first_vc()];
  leaves = std::max(leaves, last + 1);
  last = leaves;
  if (r.is_read()) steps_.at(leaves, Kind::kLeave, nullptr, kMstRdReqSent);
  if (r.is_atomic()) {
    steps_.at(leaves, Kind::kLeave, nullptr,
              r.is_posted() ? kMstPostedAtomicSent : kMstNonpostedAtomicSent);
  }
  return leaves;
}

/// Copies the bytes of a write out of this tile. Returns the delay of the header. The network takes
/// a flit in each cycle, so the packet starts when the remaining bytes will arrive in time.
Cycle NiuInitiator::read_source(Packet& packet, const RequestInitiator& r, Cycle now) {
  const std::uint32_t span = map_.flit_bytes;
  NocExtension& header = packet.header();
  const std::uint64_t from = r.targ.address();
  std::uint32_t latency;
  memory_.act_for(r.by, r.pc);
  if (r.is_byte_enabled() && context_.is_mmio(from)) {
    // One repeated word.
    latency = memory_.read(from & ~std::uint64_t{3}, packet.data(), 4, now);
    for (unsigned i = 4; i < span; i += 4) std::memcpy(packet.data() + i, packet.data(), 4);
  } else if (r.is_byte_enabled()) {
    latency = memory_.read(from & ~std::uint64_t{15}, packet.data(), span, now);
  } else {
    if (intake_ != nullptr && !context_.is_mmio(from)) tell_return(header);
    latency = memory_.read(from, packet.data(), header.bytes, now);
    if (probe_ != nullptr && !context_.is_mmio(from)) report_sent(header, from, now, now + latency);
  }
  counters_.count(header.posted ? kMstPostedWrReqSent : kMstNonpostedWrReqSent);
  counters_.count(header.posted ? kMstPostedWrDataWordSent : kMstNonpostedWrDataWordSent,
                  header.data_flits());
  steps_.at(now + latency, Kind::kSourceRead, nullptr, header.transaction_id);
  return latency > header.data_flits() ? latency - header.data_flits() : 0;
}

/// A copy from the tile to itself does not use the network (ISA TensixTile/L1.md). Its words return
/// to L1 after the shortest route. Which of these cycles occupy the banks is not public: assumed
/// are the first and the one behind the last. A NIU visits all banks in eight cycles. If the
/// distance is a multiple of eight, the copy costs 1.05 to 1.07 cycles a flit as on silicon
/// (tt-metal data_movement/documentation/perf_plots, Loopback). Otherwise there is no cost.
void NiuInitiator::tell_return(const NocExtension& header) {
  if (header.broadcast || header.target != context_.node || context_.is_mmio(header.address))
    return;
  const NocConfig& config = context_.config;
  const unsigned read = 1 + config.l1_read_cycles;
  const unsigned wires = config.niu_to_router_cycles + config.router_to_niu_cycles;
  const unsigned write = 1 + config.l1_write_cycles;
  constexpr std::uint32_t kWordBytes = 16;
  intake_->returns({.word = static_cast<std::uint32_t>(header.address / kWordBytes),
                    .after = read + config.request_cycles + wires + config.target_cycles + write});
}

void NiuInitiator::count_started(const RequestInitiator& r) {
  const bool posted = r.is_posted();
  counters_.count(kMstCmdAccepted);
  if (r.is_read()) {
    counters_.count(kMstRdReqStarted);
  } else if (r.is_atomic()) {
    if (!posted) counters_.count(kMstNonpostedAtomicStarted);
  } else {
    counters_.count(posted ? kMstPostedWrReqStarted : kMstNonpostedWrReqStarted);
    if (r.is_inline()) counters_.count(posted ? kMstPostedWrReqSent : kMstNonpostedWrReqSent);
  }
}

void NiuInitiator::finish_packet(Cycle now) {
  RequestInitiator& r = first();
  if (--r.packets_left > 0) {
    r.at_len_be -= map_.max_packet_bytes;
    r.targ.lo += map_.max_packet_bytes;
    r.ret.lo += map_.max_packet_bytes;
    steps_.at(now + 1, Kind::kAssign, nullptr);
    return;
  }
  r.busy = 0;
  std::copy(queue_.begin() + 1, queue_.end(), queue_.begin());
  if (--queue_count_ == 0) return;
  const Cycle ready = first().issued + context_.config.assign_cycles;
  steps_.at(std::max(now + 1, ready), Kind::kAssign, nullptr);
}

void NiuInitiator::receive(Packet& response, Cycle now) {
  NocExtension& header = response.header();
  if (header.kind == PacketKind::kWriteAck) return received(response, now);
  if (context_.asks_with_phases()) {
    return phased_.ask(response, tlm::TLM_WRITE_COMMAND, header.address, now);
  }
  memory_.act_for(header.sender, header.sender_pc);
  const std::uint32_t latency = memory_.write(header.address, response.data(), header.bytes, now);
  steps_.at(now + beyond_stream(latency, header), Kind::kReceived, &response);
}

void NiuInitiator::received(Packet& response, Cycle now) {
  const NocExtension& header = response.header();
  switch (header.kind) {
    case PacketKind::kReadResponse:
      counters_.count(kMstRdRespReceived);
      counters_.count(kMstRdDataWordReceived, header.data_flits());
      break;
    case PacketKind::kWriteAck:
      counters_.count(kMstWrAckReceived);
      break;
    default:
      counters_.count(kMstAtomicRespReceived);
      break;
  }
  if (probe_ != nullptr) report_answer(header, now);
  counters_.count_id(kMstReqsOutstandingId, header.transaction_id, -1);
  response.release();
  context_.changed(now);
}

void NiuInitiator::describe_commands(std::vector<std::string>& lines) const {
  for (unsigned i = 0; i < queue_count_; ++i) {
    const RequestInitiator& r = std::as_const(registers_).initiator(queue_[i]);
    const Node to = RequestInitiator::end_of(r.destination().to);
    lines.push_back(context_.place.where + ": initiator " + std::to_string(queue_[i]) +
                    " waits for a virtual channel since cycle " + std::to_string(r.issued) +
                    ", to " + std::to_string(to.x) + "," + std::to_string(to.y));
  }
}

void NiuInitiator::describe_outstanding(std::vector<std::string>& lines) const {
  for (unsigned id = 0; id < kTransactionIds; ++id) {
    const std::uint32_t open = counters_[kMstReqsOutstandingId + id];
    if (open != 0) {
      lines.push_back(context_.place.where + ": transaction id " + std::to_string(id) + ": " +
                      std::to_string(open) + " answers outstanding");
    }
  }
}

}  // namespace tvp::noc
