#include "models/noc/niu/niu_phased_memory.h"

#include <algorithm>

#include "foundation/hex.h"

namespace tvp::noc {

using support::Cycle;

void NiuPhasedMemory::ask(Packet& packet, tlm::tlm_command command, std::uint64_t address,
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
  sc_core::sc_time delay = to_time(now - context_.calendar.now());
  asking_since_ = now;
  const tlm::tlm_sync_enum status = memory_->nb_transport_fw(packet, phase, delay);
  const Cycle when = context_.calendar.now() + to_cycles(delay);
  if (status == tlm::TLM_COMPLETED) {
    taken(packet, now);
    done(packet, when);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    taken(packet, when);
  }
  asking_since_ = support::kNever;
}

tlm::tlm_sync_enum NiuPhasedMemory::backward(Packet& packet, const tlm::tlm_phase& phase,
                                             Cycle when) {
  if (phase == tlm::END_REQ) {
    taken(packet, when);
    return tlm::TLM_ACCEPTED;
  }
  done(packet, when);
  return tlm::TLM_COMPLETED;
}

void NiuPhasedMemory::release_input(Packet& packet, Cycle now) {
  if (!context_.may_refuse(packet.header())) return;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = to_time(now - context_.calendar.now());
  from_network_->nb_transport_bw(packet, phase, delay);
}

void NiuPhasedMemory::taken(Packet& packet, Cycle when) {
  if (packet.is_read()) {
    release_input(*packet.header().answer, when);
  } else if (!is_response(packet.header().kind)) {
    release_input(packet, when);
  }
}

void NiuPhasedMemory::done(Packet& packet, Cycle when) {
  if (!packet.is_response_ok()) {
    context_.refused(packet.is_read() ? packet.header().answer->header() : packet.header(), packet);
  }
  if (!packet.is_read()) {
    const bool answer = is_response(packet.header().kind);
    return steps_.at(when, answer ? NiuStep::Kind::kReceived : NiuStep::Kind::kServed, &packet);
  }
  Packet& request = *packet.header().answer;
  // If the time is known in advance, the response leaves while its last bytes are still being read.
  const Cycle announced = std::min(packet.header().announced_at, when);
  const Cycle known = asking_since_ == support::kNever ? announced : asking_since_;
  answers_.finish_read(request, known, when - known);
}

}  // namespace tvp::noc
