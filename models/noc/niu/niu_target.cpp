#include "models/noc/niu/niu_target.h"

#include <algorithm>
#include <cstring>

#include "foundation/hex.h"
#include "models/noc/niu/atomic.h"
#include "models/noc/packet_ledger.h"

namespace tvp::noc {

using namespace regs::noc;  // for register names
using support::Cycle;
using Kind = NiuStep::Kind;

namespace {

constexpr std::uint32_t kInlineSpan = 16;

/// TLM byte enables from a mask in which bit i stands for byte i.
void expand_enables(std::uint64_t mask, std::uint8_t* enables, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    enables[i] = (mask >> i & 1) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
}

}  // namespace

NiuTarget::Input& NiuTarget::input_of(const NocExtension& header) {
  return inputs_[header.broadcast ? header.first_vc() : header.last_vc];
}

bool NiuTarget::ignores(const NocExtension& header) const {
  return header.broadcast && !registers_.takes_broadcasts();
}

void NiuTarget::head_arrived(const NocExtension& header) {
  if (header.kind != PacketKind::kWrite || ignores(header)) return;
  counters_.count(header.posted ? kSlvPostedWrReqStarted : kSlvNonpostedWrReqStarted);
}

void NiuTarget::tail_arrived(Packet& request, Cycle now) {
  if (ignores(request.header())) {
    phased_.release_input(request, now);
    request.release();
    return;
  }
  count_received(request.header());
  ++open_;
  steps_.at(reaches_memory(request.header(), now + context_.config.target_cycles), Kind::kServe,
            &request);
  context_.changed(now);
}

/// The NIU of a DRAM endpoint forwards one read request at a time, whatever its size and channel.
Cycle NiuTarget::reaches_memory(const NocExtension& header, Cycle earliest) {
  if (context_.place.type != EndpointType::kDram || header.kind != PacketKind::kReadRequest)
    return earliest;
  constexpr double kTicks = 1U << kTickBits;
  const std::uint64_t at = std::max(next_read_, earliest << kTickBits);
  next_read_ =
      at + static_cast<std::uint64_t>(context_.config.dram_request_cycles.value() * kTicks);
  return (at + (1U << kTickBits) - 1) >> kTickBits;
}

void NiuTarget::count_received(const NocExtension& header) {
  const bool posted = header.posted;
  if (header.kind == PacketKind::kReadRequest) {
    counters_.count(kSlvReqAccepted);
    counters_.count(kSlvRdReqReceived);
  } else if (header.kind == PacketKind::kAtomic) {
    counters_.count(kSlvReqAccepted);
    counters_.count(posted ? kSlvPostedAtomicReceived : kSlvNonpostedAtomicReceived);
  } else {
    // If a packet has several flits, its first flit was counted at its arrival.
    if (header.flits == 1) {
      counters_.count(posted ? kSlvPostedWrReqStarted : kSlvNonpostedWrReqStarted);
    }
    counters_.count(posted ? kSlvPostedWrReqReceived : kSlvNonpostedWrReqReceived);
    counters_.count(posted ? kSlvPostedWrDataWordReceived : kSlvNonpostedWrDataWordReceived,
                    header.kind == PacketKind::kInlineWrite ? 1 : header.data_flits());
  }
}

/// A read waits until earlier writes on its virtual channel are committed. Later requests on the
/// channel wait behind it.
void NiuTarget::serve(Packet& request, Cycle now) {
  Input& input = input_of(request.header());
  if (!input.held.empty() || waits(input, request.header())) {
    input.held.push(&request);
    return;
  }
  begin(request, now);
}

/// In front of L1, a channel accepts nothing else until its response has left the NIU.
bool NiuTarget::waits(const Input& input, const NocExtension& header) const {
  return input.answering || (header.kind == PacketKind::kReadRequest && input.writes_open > 0);
}

void NiuTarget::begin(Packet& request, Cycle now) {
  memory_.serve(&request.header());
  const bool writes = request.header().kind != PacketKind::kReadRequest;
  if (probe_ != nullptr && writes) report_request(request.header(), now);
  switch (request.header().kind) {
    case PacketKind::kReadRequest:
      serve_read(request, now);
      break;
    case PacketKind::kWrite:
      serve_write(request, now);
      break;
    case PacketKind::kInlineWrite:
      serve_inline_write(request, now);
      break;
    default:
      serve_atomic(request, now);
  }
  memory_.serve(nullptr);
  if (probe_ != nullptr && writes && probe_->wants(support::ProbeEvent::Kind::kServed))
    probe_->report(
        {.kind = support::ProbeEvent::Kind::kServed, .agent = context_.master, .cycle = now});
}

void NiuTarget::report_request(const NocExtension& header, Cycle now) const {
  using Event = support::ProbeEvent;
  if (!probe_->wants(Event::Kind::kRequest)) return;
  const Node from = context_.place.grid.to_noc(context_.place.noc, header.source);
  const auto request = header.kind == PacketKind::kWrite         ? Event::Request::kWrite
                       : header.kind == PacketKind::kInlineWrite ? Event::Request::kInlineWrite
                                                                 : Event::Request::kAtomic;
  probe_->report({.kind = Event::Kind::kRequest,
                  .agent = context_.master,
                  .core = header.sender,
                  .request = request,
                  .is_posted = header.posted,
                  .is_broadcast = header.broadcast,
                  .is_local = !context_.is_mmio(header.address),
                  .is_own = header.source == context_.node,
                  .x0 = from.x,
                  .y0 = from.y,
                  .x1 = header.source.x,
                  .y1 = header.source.y,
                  .pc = header.sender_pc,
                  .bytes = header.bytes,
                  .value = request == Event::Request::kAtomic ? header.at_data : 0,
                  .stored_end = probe_->stored_end(),
                  .address = header.address,
                  .cycle = now});
}

void NiuTarget::serve_read(Packet& request, Cycle now) {
  NocExtension& header = request.header();
  Packet& response = answers_.make(request, PacketKind::kReadResponse, header.bytes);
  header.answer = &response;
  response.header().answer = &request;
  if (context_.asks_with_phases()) {
    if (not_asked_for_.empty() && fits(response)) return ask_for(response, now);
    return not_asked_for_.push(&response);
  }
  input_of(header).answering = true;
  phased_.release_input(request, now);
  const std::uint64_t latency = memory_.read(header.address, response.data(), header.bytes, now);
  answers_.finish_read(request, now,
                       std::max(latency, answers_.read_from_l1(response.header().flits, now)));
}

/// True if a DRAM response fits into the NIU's buffer, in which it waits for the network. One
/// packet always fits.
bool NiuTarget::fits(const Packet& answer) const {
  return answer_flits_ == 0 ||
         answer_flits_ + answer.header().flits <= context_.config.dram_answer_flits;
}

void NiuTarget::ask_for(Packet& answer, Cycle now) {
  if (context_.place.type == EndpointType::kDram) answer_flits_ += answer.header().flits;
  phased_.ask(answer, tlm::TLM_READ_COMMAND, answer.header().answer->header().address, now);
}

void NiuTarget::answer_left(const NocExtension& answer, Cycle now) {
  if (context_.place.type != EndpointType::kDram || answer.kind != PacketKind::kReadResponse)
    return;
  answer_flits_ -= answer.flits;
  while (!not_asked_for_.empty() && fits(*not_asked_for_.front())) {
    Packet& next = *not_asked_for_.front();
    not_asked_for_.pop();
    ask_for(next, now);
  }
}

void NiuTarget::serve_write(Packet& request, Cycle now) {
  NocExtension& header = request.header();
  ++input_of(header).writes_open;
  std::uint64_t address = header.address;
  std::uint8_t* data = request.data();
  std::uint32_t bytes = header.bytes;
  std::uint8_t* enables = nullptr;
  if (header.byte_enabled && context_.is_mmio(address)) {
    data += address % 16;
    address &= ~std::uint64_t{3};
    bytes = 4;
  } else if (header.byte_enabled) {
    address &= ~std::uint64_t{15};
    enables = request.enables();
    expand_enables(std::uint64_t{header.at_len_be_1} << 32 | header.at_len_be, enables,
                   context_.place.grid.map().flit_bytes);
  }
  if (context_.asks_with_phases()) {
    if (header.broadcast) context_.unmodelled("broadcast to a DRAM tile");
    return phased_.ask(request, tlm::TLM_WRITE_COMMAND, address, now);
  }
  std::uint64_t latency = memory_.write(address, data, bytes, now, enables);
  const Kind then = memory_.provisional() ? Kind::kWritten : Kind::kServed;
  if (header.tag & kTagHeaderStore && header.posted) {
    latency = std::max<std::uint64_t>(
        latency, memory_.write(std::uint64_t{header.at_data} << 4, request.data(), 16, now));
  }
  steps_.at(now + beyond_stream(latency, header), then, &request);
}

void NiuTarget::written(Packet& request, Cycle now) {
  const NocExtension& header = request.header();
  const std::uint32_t more = memory_.overdue(header.address, request.data(), header.bytes, now);
  if (more == 0) return served(request, now);
  steps_.at(now + more, Kind::kWritten, &request);
}

void NiuTarget::serve_inline_write(Packet& request, Cycle now) {
  NocExtension& header = request.header();
  ++input_of(header).writes_open;
  if (context_.asks_with_phases()) context_.unmodelled("inline write to a DRAM tile");
  if (context_.is_mmio(header.address)) {
    std::memcpy(request.data(), &header.at_data, 4);
    const std::uint32_t latency =
        memory_.write(header.address & ~std::uint64_t{3}, request.data(), 4, now);
    return steps_.at(now + latency, Kind::kServed, &request);
  }
  std::uint8_t data[kInlineSpan];
  for (unsigned i = 0; i < kInlineSpan; i += 4) std::memcpy(data + i, &header.at_data, 4);
  std::uint32_t latency = 0;
  // One write for the low half of the mask, another for the high half.
  for (const std::uint32_t half : {header.at_len_be & 0xFFFF, header.at_len_be >> 16}) {
    if (half == 0) continue;
    std::uint8_t enables[kInlineSpan];
    expand_enables(half, enables, kInlineSpan);
    latency += memory_.write(header.address & ~std::uint64_t{15}, data, kInlineSpan, now + latency,
                             enables);
  }
  steps_.at(now + latency, Kind::kServed, &request);
}

void NiuTarget::serve_atomic(Packet& request, Cycle now) {
  NocExtension& header = request.header();
  if (!has_l1(context_.place.type) || context_.is_mmio(header.address)) {
    context_.unmodelled("atomic outside of L1");
  }
  const std::uint64_t line = header.address & ~std::uint64_t{15};
  AtomicLine bytes;
  memory_.read(line, bytes.data(), kAtomicBytes, now);
  std::uint32_t result;
  std::memcpy(&result, bytes.data() + (header.address & 12), 4);
  if (!apply_atomic(bytes, header.at_len_be, header.at_data)) {
    context_.unmodelled("atomic with AT_LEN_BE " + foundation::hex(header.at_len_be));
  }
  const std::uint32_t latency = memory_.write(line, bytes.data(), kAtomicBytes, now);
  if (!header.posted) {
    Packet& response = answers_.make(request, PacketKind::kAtomicResponse, 4);
    std::memcpy(response.data(), &result, 4);
    response.header().flits = 1;  // the result travels in the header flit
    answers_.leave_after(now + latency, response);
  }
  steps_.at(now + latency, Kind::kServed, &request);
}

void NiuTarget::served(Packet& request, Cycle now) {
  NocExtension& header = request.header();
  switch (header.kind) {
    case PacketKind::kReadRequest:
      counters_.count(kSlvRdRespSent);
      counters_.count(kSlvRdDataWordSent, header.answer->header().data_flits());
      break;
    case PacketKind::kAtomic:
      if (!header.posted) counters_.count(kSlvAtomicRespSent);
      break;
    default:
      if (!header.posted) {
        counters_.count(kSlvWrAckSent);
        answers_.leave_after(now, answers_.make(request, PacketKind::kWriteAck, 0));
      }
      write_committed(header, now);
      break;
  }
  --open_;
  request.release();
  context_.changed(now);
}

void NiuTarget::write_committed(const NocExtension& header, Cycle now) {
  Input& input = input_of(header);
  --input.writes_open;
  serve_held(input, now);
}

void NiuTarget::answered(const NocExtension& answer, Cycle now) {
  Input& input = inputs_[answer.asked_vc];
  if (answer.kind != PacketKind::kReadResponse || !input.answering) return;
  input.answering = false;
  serve_held(input, now);
}

void NiuTarget::serve_held(Input& input, Cycle now) {
  while (!input.held.empty() && !waits(input, input.held.front()->header())) {
    Packet& request = *input.held.front();
    input.held.pop();
    begin(request, now);
  }
}

void NiuTarget::describe_pending(std::vector<std::string>& lines) const {
  for (std::size_t i = 0; i < not_asked_for_.size(); ++i) {
    lines.push_back(context_.place.where + ": waits for earlier answers to leave: " +
                    describe(not_asked_for_.at(i)->header().answer->header()));
  }
  for (const Input& input : inputs_) {
    for (std::size_t i = 0; i < input.held.size(); ++i) {
      lines.push_back(context_.place.where + ": waits for earlier requests of its channel: " +
                      describe(input.held.at(i)->header()));
    }
  }
}

}  // namespace tvp::noc
