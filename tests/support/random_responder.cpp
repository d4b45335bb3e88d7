#include "tests/support/random_responder.h"

#include <algorithm>

namespace tvp::tests {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;

namespace {

constexpr std::uint64_t kChunkBytes = 4096;

}  // namespace

RandomResponder::RandomResponder(const sc_core::sc_module_name& name, std::uint64_t seed,
                                 Manners manners)
    : sc_module(name), socket("socket"), manners_(std::move(manners)), random_(seed) {
  SC_HAS_PROCESS(RandomResponder);
  socket.bind(*this);
  SC_METHOD(call_back);
  sensitive << due_;
  dont_initialize();
}

sc_time RandomResponder::random_delay() {
  const unsigned kind = random_.below(8);
  if (kind == 0) return SC_ZERO_TIME;
  return sc_time::from_value(random_.below(kind == 7 ? 300'000 : 20'000));  // ps
}

std::uint8_t& RandomResponder::byte(std::uint64_t address) {
  std::vector<std::uint8_t>& page = pages_[address / kChunkBytes];
  if (page.empty()) page.resize(kChunkBytes);
  return page[address % kChunkBytes];
}

unsigned RandomResponder::transport_dbg(Payload& payload) {
  const std::uint8_t* const enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) {
      continue;
    }
    std::uint8_t& own = byte(payload.get_address() + i);
    std::uint8_t& other = payload.get_data_ptr()[i];
    if (payload.is_write()) {
      own = other;
    } else {
      other = own;
    }
  }
  return payload.get_data_length();
}

void RandomResponder::serve(Payload& payload) {
  transport_dbg(payload);
  payload.set_dmi_allowed(random_.below(4) == 0);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void RandomResponder::change(Payload& payload) {
  static unsigned char enable = TLM_BYTE_ENABLED;
  switch (random_.below(5)) {
    case 0:
      return payload.set_command(tlm::TLM_IGNORE_COMMAND);
    case 1:
      return payload.set_data_ptr(nullptr);
    case 2:
      return payload.set_data_length(payload.get_data_length() + 1);
    case 3:
      return payload.set_streaming_width(0);
    default:
      return payload.set_byte_enable_ptr(&enable);
  }
}

void RandomResponder::b_transport(Payload& payload, sc_time& delay) {
  ++requests_;
  serve(payload);
  if (random_.below(2) == 0) wait(random_delay());
  delay += random_delay();
  if (!misbehaves()) return;
  ++illegal_acts_;
  switch (act()) {
    case Act::kNever:
      wait(never_);
      break;
    case Act::kError:
      return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    case Act::kNoStatus:
      return payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    default:
      change(payload);
  }
}

tlm::tlm_sync_enum RandomResponder::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
  ++requests_;
  if (misbehaves()) return misbehave(payload, phase, delay);
  // Accesses of one address keep the order of their BEGIN_REQs.
  serve(payload);
  const sc_time asked = sc_core::sc_time_stamp() + delay;
  const sc_time taken = asked + random_delay();
  const sc_time done = taken + random_delay();
  switch (random_.below(6)) {
    case 0:
      delay += random_delay();
      return tlm::TLM_COMPLETED;
    case 1:
      delay += random_delay();
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    case 2:
      later(payload, tlm::BEGIN_RESP, done);
      delay = taken - sc_core::sc_time_stamp();
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case 3:
      later(payload, tlm::END_REQ, taken);
      later(payload, tlm::BEGIN_RESP, done);
      return tlm::TLM_ACCEPTED;
    case 4:
      later(payload, tlm::BEGIN_RESP, done);
      return tlm::TLM_ACCEPTED;
    default: {
      tlm::tlm_phase end = tlm::END_REQ;
      sc_time end_delay = taken - sc_core::sc_time_stamp();
      socket->nb_transport_bw(payload, end, end_delay);
      tlm::tlm_phase response = tlm::BEGIN_RESP;
      sc_time response_delay = done - sc_core::sc_time_stamp();
      socket->nb_transport_bw(payload, response, response_delay);
      return tlm::TLM_ACCEPTED;
    }
  }
}

/// One illegal act; the request gets its answer all the same, except after kNever.
tlm::tlm_sync_enum RandomResponder::misbehave(Payload& payload, tlm::tlm_phase& phase,
                                              sc_time& delay) {
  const sc_time asked = sc_core::sc_time_stamp() + delay;
  ++illegal_acts_;
  serve(payload);
  switch (act()) {
    case Act::kPast:
      if (delay == SC_ZERO_TIME) --illegal_acts_;
      delay = SC_ZERO_TIME;
      return tlm::TLM_COMPLETED;
    case Act::kPhase:
      later(payload, tlm::BEGIN_RESP, asked + random_delay());
      phase = random_.below(2) == 0 ? tlm::BEGIN_REQ : tlm::END_RESP;
      return tlm::TLM_UPDATED;
    case Act::kTwice:
      later(payload, tlm::END_REQ, asked + random_delay());
      later(payload, tlm::BEGIN_RESP, asked + random_delay());
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case Act::kStranger: {
      tlm::tlm_phase response = tlm::BEGIN_RESP;
      sc_time none;
      stranger_.set_address(payload.get_address());
      socket->nb_transport_bw(stranger_, response, none);
      return tlm::TLM_COMPLETED;
    }
    case Act::kChange:
      change(payload);
      return tlm::TLM_COMPLETED;
    case Act::kNoStatus:
      payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      return tlm::TLM_COMPLETED;
    case Act::kError:
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    case Act::kNever:
      break;
  }
  return tlm::TLM_ACCEPTED;
}

void RandomResponder::later(Payload& payload, tlm::tlm_phase_enum phase, const sc_time& at) {
  payload.acquire();
  calls_.insert({at, {&payload, phase}});
  due_.notify(calls_.begin()->first - sc_core::sc_time_stamp());
}

void RandomResponder::call_back() {
  const sc_time now = sc_core::sc_time_stamp();
  while (!calls_.empty() && calls_.begin()->first <= now) {
    const Call call = calls_.begin()->second;
    calls_.erase(calls_.begin());
    tlm::tlm_phase phase = call.phase;
    sc_time delay;
    socket->nb_transport_bw(*call.payload, phase, delay);
    call.payload->release();
  }
  if (!calls_.empty()) due_.notify(calls_.begin()->first - now);
}

bool RandomResponder::get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) { return false; }

}  // namespace tvp::tests
