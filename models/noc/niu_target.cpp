// The serving side of the NIU: requests of other tiles, and answers to own requests
// (ISA NoC/Counters.md, NoC/Ordering.md).
#include <algorithm>
#include <cstring>

#include "models/noc/atomic.h"
#include "models/noc/niu.h"
#include "models/support/hex.h"

namespace tvp::noc {

using namespace regs::noc;  // register names
using support::Cycle;

namespace {

constexpr std::uint32_t kByteEnableSpan = 32;
constexpr std::uint32_t kInlineSpan = 16;

/// TLM byte enables from a mask with bit i for byte i.
void expand_enables(std::uint32_t mask, std::uint8_t* enables, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    enables[i] = (mask >> i & 1) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
}

/// The flits of a packet stream through the NIU while they arrive; what the memory took longer
/// than that is what its answer is late by.
std::uint64_t beyond_stream(std::uint64_t latency, const NocExtension& header) {
  const std::uint64_t streamed = header.data_flits() > 0 ? header.data_flits() - 1 : 0;
  return latency > streamed ? latency - streamed : 0;
}

}  // namespace

unsigned Niu::input_vc(const NocExtension& header) {
  return header.broadcast ? header.first_vc() : header.last_vc;
}

bool Niu::takes_broadcasts() const {
  const std::uint32_t columns = config_words_[(kRouterCfg1 - kNiuCfg0) / 4];
  const std::uint32_t rows = config_words_[(kRouterCfg3 - kNiuCfg0) / 4];
  return (columns >> node_.x & 1) == 0 && (rows >> node_.y & 1) == 0;
}

void Niu::head_arrived(const Packet& packet) {
  const NocExtension& header = packet.header();
  // Packets of more than one flit: writes and read responses. The latter count when written.
  if (header.kind == PacketKind::kWrite && (!header.broadcast || takes_broadcasts())) {
    count(header.posted ? kSlvPostedWrReqStarted : kSlvNonpostedWrReqStarted);
  }
  const_cast<Packet&>(packet).release();
}

void Niu::tail_arrived(Packet& packet, Cycle now) {
  const NocExtension& header = packet.header();
  ++stats_.packets_received;
  stats_.bytes_received += std::uint64_t{header.data_flits()} * kFlitBytes;
  if (header.broadcast && !takes_broadcasts()) {
    release_input(packet, now);
    packet.release();
    return;
  }
  const bool posted = header.posted;
  switch (header.kind) {
    case PacketKind::kReadRequest:
      count(kSlvReqAccepted);
      count(kSlvRdReqReceived);
      break;
    case PacketKind::kAtomic:
      count(kSlvReqAccepted);
      count(posted ? kSlvPostedAtomicReceived : kSlvNonpostedAtomicReceived);
      break;
    case PacketKind::kInlineWrite:
      count(posted ? kSlvPostedWrReqStarted : kSlvNonpostedWrReqStarted);
      count(posted ? kSlvPostedWrReqReceived : kSlvNonpostedWrReqReceived);
      count(posted ? kSlvPostedWrDataWordReceived : kSlvNonpostedWrDataWordReceived);
      break;
    case PacketKind::kWrite:
      if (header.flits == 1) count(posted ? kSlvPostedWrReqStarted : kSlvNonpostedWrReqStarted);
      count(posted ? kSlvPostedWrDataWordReceived : kSlvNonpostedWrDataWordReceived,
            header.data_flits());
      count(posted ? kSlvPostedWrReqReceived : kSlvNonpostedWrReqReceived);
      break;
    case PacketKind::kReadResponse:
    case PacketKind::kWriteAck:
    case PacketKind::kAtomicResponse:
      at(now + config_.receive_cycles, StepKind::kReceive, &packet);
      return;
  }
  ++requests_open_;
  at(now + config_.target_cycles, StepKind::kServe, &packet);
  changed(now);
}

/// A read waits until the writes that came before it on its virtual channel are committed, and
/// whatever follows it there waits behind it.
void Niu::serve(Packet& packet, Cycle now) {
  const NocExtension& header = packet.header();
  InputVc& input = inputs_[input_vc(header)];
  const bool waits = header.kind == PacketKind::kReadRequest && input.writes_open > 0;
  if (waits || !input.held.empty()) {
    input.held.push_back(&packet);
    return;
  }
  switch (header.kind) {
    case PacketKind::kReadRequest:
      return serve_read(packet, now);
    case PacketKind::kWrite:
      return serve_write(packet, now);
    case PacketKind::kInlineWrite:
      return serve_inline_write(packet, now);
    default:
      return serve_atomic(packet, now);
  }
}

void Niu::serve_read(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  Packet& response = make_response(packet, PacketKind::kReadResponse, header.bytes);
  header.answer = &response;
  response.header().answer = &packet;
  if (asks_with_phases()) {
    return ask_with_phases(response, tlm::TLM_READ_COMMAND, header.address, now);
  }
  release_input(packet, now);
  const std::uint64_t latency =
      access(tlm::TLM_READ_COMMAND, header.address, response.data(), header.bytes, now);
  answer_read(packet, now, std::max(latency, read_for_answer(response.header().flits, now)));
}

/// Cycles until L1 has given all flits of an answer, behind those of the answers before it.
std::uint64_t Niu::read_for_answer(std::uint32_t flits, Cycle now) {
  const double cycles = flits * kFlitBytes / config_.answer_bytes_per_cycle.value();
  answers_read_ = std::max(answers_read_, now << kAnswerTickBits) +
                  static_cast<std::uint64_t>(cycles * (1U << kAnswerTickBits));
  const Cycle done = (answers_read_ + (1U << kAnswerTickBits) - 1) >> kAnswerTickBits;
  return done - now;
}

/// The response leaves so early that its last flit leaves when its last byte has been read.
void Niu::answer_read(Packet& request, Cycle now, std::uint64_t latency) {
  Packet& response = *request.header().answer;
  const std::uint64_t stream = response.header().data_flits();
  const std::uint64_t late = latency > stream ? latency - stream : 0;
  at(now + latency, StepKind::kServed, &request);
  at(now + config_.response_cycles + late - 1, StepKind::kRespond, &response);
}

void Niu::serve_write(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  ++inputs_[input_vc(header)].writes_open;
  std::uint64_t address = header.address;
  std::uint8_t* data = packet.data();
  std::uint32_t bytes = header.bytes;
  std::uint8_t* enables = nullptr;
  if (header.byte_enabled && is_mmio(address)) {
    data += address % 16;
    address &= ~std::uint64_t{3};
    bytes = 4;
  } else if (header.byte_enabled) {
    address &= ~std::uint64_t{15};
    enables = packet.enables();
    expand_enables(header.at_len_be, enables, kByteEnableSpan);
  }
  if (asks_with_phases()) {
    if (header.broadcast) unmodelled("broadcast to a DRAM tile");
    return ask_with_phases(packet, tlm::TLM_WRITE_COMMAND, address, now);
  }
  release_input(packet, now);
  std::uint64_t latency = access(tlm::TLM_WRITE_COMMAND, address, data, bytes, now, enables);
  if (header.tag & kTagHeaderStore && header.posted) {
    latency = std::max<std::uint64_t>(
        latency,
        access(tlm::TLM_WRITE_COMMAND, std::uint64_t{header.at_data} << 4, packet.data(), 16, now));
  }
  at(now + beyond_stream(latency, header), StepKind::kServed, &packet);
}

void Niu::serve_inline_write(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  ++inputs_[input_vc(header)].writes_open;
  if (asks_with_phases()) unmodelled("inline write to a DRAM tile");
  release_input(packet, now);
  if (is_mmio(header.address)) {
    std::memcpy(packet.data(), &header.at_data, 4);
    const std::uint32_t latency =
        access(tlm::TLM_WRITE_COMMAND, header.address & ~std::uint64_t{3}, packet.data(), 4, now);
    return at(now + latency, StepKind::kServed, &packet);
  }
  std::uint8_t data[kInlineSpan];
  for (unsigned i = 0; i < kInlineSpan; i += 4) std::memcpy(data + i, &header.at_data, 4);
  std::uint32_t latency = 0;
  // One write for the low half of the mask, another for the high half.
  for (const std::uint32_t half : {header.at_len_be & 0xFFFF, header.at_len_be >> 16}) {
    if (half == 0) continue;
    std::uint8_t enables[kInlineSpan];
    expand_enables(half, enables, kInlineSpan);
    latency += access(tlm::TLM_WRITE_COMMAND, header.address & ~std::uint64_t{15}, data,
                      kInlineSpan, now + latency, enables);
  }
  at(now + latency, StepKind::kServed, &packet);
}

void Niu::serve_atomic(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  if (!has_l1(place_.type) || is_mmio(header.address)) unmodelled("atomic outside of L1");
  release_input(packet, now);
  const std::uint64_t line = header.address & ~std::uint64_t{15};
  AtomicLine bytes;
  access(tlm::TLM_READ_COMMAND, line, bytes.data(), kAtomicBytes, now);
  std::uint32_t result;
  std::memcpy(&result, bytes.data() + (header.address & 12), 4);
  if (!apply_atomic(bytes, header.at_len_be, header.at_data)) {
    unmodelled("atomic with AT_LEN_BE " + support::hex(header.at_len_be));
  }
  const std::uint32_t latency =
      access(tlm::TLM_WRITE_COMMAND, line, bytes.data(), kAtomicBytes, now);
  if (!header.posted) {
    Packet& response = make_response(packet, PacketKind::kAtomicResponse, 4);
    std::memcpy(response.data(), &result, 4);
    response.header().flits = 1;  // the result travels in the header flit
    at(now + latency + config_.response_cycles - 1, StepKind::kRespond, &response);
  }
  at(now + latency, StepKind::kServed, &packet);
}

void Niu::served(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  switch (header.kind) {
    case PacketKind::kReadRequest:
      count(kSlvRdRespSent);
      count(kSlvRdDataWordSent, header.answer->header().data_flits());
      break;
    case PacketKind::kAtomic:
      if (!header.posted) count(kSlvAtomicRespSent);
      break;
    default:
      if (!header.posted) {
        count(kSlvWrAckSent);
        Packet& ack = make_response(packet, PacketKind::kWriteAck, 0);
        at(now + config_.response_cycles - 1, StepKind::kRespond, &ack);
      }
      write_committed(header, now);
      break;
  }
  --requests_open_;
  packet.release();
  changed(now);
}

void Niu::write_committed(const NocExtension& header, Cycle now) {
  InputVc& input = inputs_[input_vc(header)];
  if (--input.writes_open > 0 || input.held.empty()) return;
  std::vector<Packet*> held;
  held.swap(input.held);
  for (Packet* packet : held) at(now, StepKind::kServe, packet);
}

Packet& Niu::make_response(const Packet& request, PacketKind kind, std::uint32_t bytes) const {
  Packet& response = pool_.allocate(bytes);
  const NocExtension& from = request.header();
  NocExtension& header = response.header();
  header.kind = kind;
  header.source = node_;
  header.target = from.reply;
  header.vc_class = vc::kClassResponse;
  header.transaction_id = from.transaction_id;
  header.bytes = bytes;
  header.flits = 1 + (bytes + kFlitBytes - 1) / kFlitBytes;
  header.address = from.reply_address;
  return response;
}

/// Takes one of the two response channels, or waits for one.
void Niu::respond(Packet& response, Cycle now) {
  NocExtension& header = response.header();
  const unsigned used0 = vc_used_[vc::number(vc::kClassResponse, 0, 0)];
  const unsigned used1 = vc_used_[vc::number(vc::kClassResponse, 1, 0)];
  header.buddy = used1 < used0 ? 1 : 0;
  header.issued = now;
  if (std::min(used0, used1) >= config_.packets_per_vc) {
    waiting_responses_.push_back(&response);
    return;
  }
  inject(response, now + 1);
}

void Niu::receive(Packet& packet, Cycle now) {
  NocExtension& header = packet.header();
  if (header.kind == PacketKind::kWriteAck) return received(packet, now);
  if (asks_with_phases()) {
    return ask_with_phases(packet, tlm::TLM_WRITE_COMMAND, header.address, now);
  }
  const std::uint32_t latency =
      access(tlm::TLM_WRITE_COMMAND, header.address, packet.data(), header.bytes, now);
  at(now + beyond_stream(latency, header), StepKind::kReceived, &packet);
}

void Niu::received(Packet& packet, Cycle now) {
  const NocExtension& header = packet.header();
  switch (header.kind) {
    case PacketKind::kReadResponse:
      count(kMstRdRespReceived);
      count(kMstRdDataWordReceived, header.data_flits());
      break;
    case PacketKind::kWriteAck:
      count(kMstWrAckReceived);
      break;
    default:
      count(kMstAtomicRespReceived);
      break;
  }
  count_id(kMstReqsOutstandingId, header.transaction_id, -1);
  packet.release();
  changed(now);
}

/// Tells the network that the packet is out of the input buffer. Only a NIU whose memory can
/// refuse says so; the others have said it for good when the header arrived.
void Niu::release_input(Packet& packet, Cycle now) {
  if (!asks_with_phases()) return;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = to_time(now - calendar_.now());
  from_network->nb_transport_bw(packet, phase, delay);
}

/// Hands a request to a memory that takes its time. For a read, `packet` is the response that is
/// being filled.
void Niu::ask_with_phases(Packet& packet, tlm::tlm_command command, std::uint64_t address,
                          Cycle now) {
  packet.set_command(command);
  packet.set_address(address);
  packet.set_data_ptr(packet.data());
  packet.set_data_length(packet.header().bytes);
  packet.set_streaming_width(packet.header().bytes);
  const bool enabled = packet.header().byte_enabled;
  packet.set_byte_enable_ptr(enabled ? packet.enables() : nullptr);
  packet.set_byte_enable_length(enabled ? packet.header().bytes : 0);
  packet.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = to_time(now - calendar_.now());
  asking_since_ = now;
  const tlm::tlm_sync_enum status = memory->nb_transport_fw(packet, phase, delay);
  const Cycle when = calendar_.now() + to_cycles(delay);
  if (status == tlm::TLM_COMPLETED) {
    memory_taken(packet, now);
    memory_done(packet, when);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    memory_taken(packet, when);
  }
  asking_since_ = support::kNever;
}

tlm::tlm_sync_enum Niu::memory_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay) {
  const Cycle when = calendar_.now() + to_cycles(delay);
  if (phase == tlm::END_REQ) {
    memory_taken(packet_of(payload), when);
    return tlm::TLM_ACCEPTED;
  }
  memory_done(packet_of(payload), when);
  return tlm::TLM_COMPLETED;
}

void Niu::memory_taken(Packet& packet, Cycle when) {
  if (packet.is_read()) {
    release_input(*packet.header().answer, when);
  } else if (!is_response(packet.header().kind)) {
    release_input(packet, when);
  }
}

void Niu::memory_done(Packet& packet, Cycle when) {
  if (!packet.is_response_ok()) {
    fault("remote request to address " + support::hex(packet.get_address()) + ": " +
          packet.get_response_string());
  }
  if (!packet.is_read()) {
    const bool answer = is_response(packet.header().kind);
    return at(when, answer ? StepKind::kReceived : StepKind::kServed, &packet);
  }
  Packet& request = *packet.header().answer;
  // Known in advance, the response leaves while its last bytes are still being read.
  const Cycle told = std::min(packet.header().told, when);
  const Cycle known = asking_since_ == support::kNever ? told : asking_since_;
  answer_read(request, known, when - known);
}

}  // namespace tvp::noc
