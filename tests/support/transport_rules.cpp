#include "tests/support/transport_rules.h"

#include "models/noc/noc_protocol.h"
#include "models/support/bus_access.h"

namespace tvp::tests {

using sc_core::sc_time;

namespace {

/// A delay is an unsigned number of ps, so a negative one would be centuries.
void check_delay(const sc_time& delay, const char* phase, const Complaint& complain) {
  if (delay > sc_time(1, sc_core::SC_SEC)) {
    complain(std::string(phase) + ": delay of " + delay.to_string() + ", below zero?");
  }
}

}  // namespace

void check_initialized(const tlm::tlm_generic_payload& payload, const Complaint& complain) {
  if (payload.get_data_ptr() == nullptr) complain("no data pointer");
  if (payload.get_data_length() == 0) complain("data length 0");
  if (payload.get_streaming_width() == 0) complain("streaming width 0");
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
    complain("byte enables of length 0");
  }
  if (payload.is_dmi_allowed()) complain("DMI hint set by the initiator");
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
    complain("response status is " + payload.get_response_string() + " at the start");
  }
}

void BlockingRules::check_answer(const Attributes& before, const sc_time& time_before,
                                 const tlm::tlm_generic_payload& payload,
                                 const sc_time& time) const {
  if (const char* what = before.difference(payload)) {
    complain_(std::string("b_transport changed the ") + what);
  }
  if (time < time_before) complain_("b_transport took time back");
  const auto* bus = payload.get_extension<support::BusAccess>();
  const bool blocked = bus != nullptr && bus->blocked;
  const bool answered = payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE;
  if (!answered && !blocked) complain_("b_transport set no response");
  if (answered && blocked) complain_("b_transport blocked and set a response");
}

void BasePhaseRules::forward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                             const sc_time& delay) {
  check_delay(delay, phase.get_name(), complain_);
  if (phase == tlm::BEGIN_REQ) {
    check_initialized(payload, complain_);
    if (!payload.has_mm()) complain_("BEGIN_REQ: payload without memory manager");
    const auto old = open_.find(&payload);
    // The initiator frees a transaction in its BEGIN_RESP, and may use it again at once.
    if (old != open_.end() && old->second.phase != tlm::BEGIN_RESP) {
      complain_("BEGIN_REQ: the same payload is still open");
    }
    open_.insert_or_assign(&payload, Open{Attributes(payload), tlm::BEGIN_REQ, now_() + delay});
  } else if (phase == tlm::END_RESP) {
    advance(payload, tlm::END_RESP, delay);
    open_.erase(&payload);
  } else {
    complain_(std::string(phase.get_name()) + " on the forward path");
  }
}

void BasePhaseRules::forward_answer(const tlm::tlm_generic_payload& payload,
                                    tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                                    const sc_time& delay) {
  if (status == tlm::TLM_COMPLETED) {
    // An END_RESP has closed it before.
    if (open_.contains(&payload)) finish(payload, delay);
  } else if (status == tlm::TLM_UPDATED) {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
      complain_(std::string(phase.get_name()) + " returned on the forward path");
      return;
    }
    advance(payload, phase == tlm::END_REQ ? tlm::END_REQ : tlm::BEGIN_RESP, delay);
  }
}

void BasePhaseRules::backward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                              const sc_time& delay) {
  check_delay(delay, phase.get_name(), complain_);
  if (phase == tlm::END_REQ) {
    advance(payload, tlm::END_REQ, delay);
  } else if (phase == tlm::BEGIN_RESP) {
    advance(payload, tlm::BEGIN_RESP, delay);
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
      complain_("BEGIN_RESP without a response");
    }
  } else {
    complain_(std::string(phase.get_name()) + " on the backward path");
  }
}

void BasePhaseRules::backward_answer(const tlm::tlm_generic_payload& payload,
                                     tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                                     const sc_time&) {
  const bool ends =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (!ends) return;
  const auto found = open_.find(&payload);
  if (found != open_.end() && found->second.phase == tlm::BEGIN_RESP) open_.erase(found);
}

void BasePhaseRules::advance(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum to,
                             const sc_time& delay) {
  const std::string name = tlm::tlm_phase(to).get_name();
  const auto found = open_.find(&payload);
  if (found == open_.end()) {
    complain_(name + " of a payload that is not open");
    return;
  }
  Open& open = found->second;
  // BEGIN_RESP implies END_REQ.
  if (to <= open.phase) {
    complain_(name + " after " + tlm::tlm_phase(open.phase).get_name());
  }
  if (const char* what = open.attributes.difference(payload)) {
    complain_(name + ": " + what + " changed since BEGIN_REQ");
  }
  if (now_() + delay < open.when) {
    complain_(name + " before " + tlm::tlm_phase(open.phase).get_name() + " in time");
  }
  open.phase = to;
  open.when = now_() + delay;
}

void BasePhaseRules::finish(const tlm::tlm_generic_payload& payload, const sc_time& delay) {
  advance(payload, tlm::END_RESP, delay);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    complain_("TLM_COMPLETED without a response");
  }
  open_.erase(&payload);
}

void NocPhaseRules::forward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                            const sc_time& delay) {
  check_delay(delay, phase.get_name(), complain_);
  if (phase == tlm::BEGIN_REQ) {
    if (!payload.has_mm()) complain_("BEGIN_REQ: packet without memory manager");
    if (!open_.emplace(&payload, Open{now_() + delay}).second) {
      complain_("BEGIN_REQ: the same packet is still open");
    }
    return;
  }
  if (phase != noc::TAIL_ARRIVED || towards_ != Towards::kNiu) {
    complain_(std::string(phase.get_name()) + " on the forward path");
    return;
  }
  const auto found = open_.find(&payload);
  if (found == open_.end() || found->second.tail) {
    complain_("TAIL_ARRIVED of a packet that is not arriving");
    return;
  }
  if (now_() + delay < found->second.head) complain_("TAIL_ARRIVED before BEGIN_REQ in time");
  found->second.tail = true;
  close_if_over(payload);
}

void NocPhaseRules::forward_answer(const tlm::tlm_generic_payload& payload,
                                   tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                                   const sc_time& delay) {
  if (status == tlm::TLM_ACCEPTED) return;
  if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    take(payload, delay);
  } else {
    complain_("answer to the forward path is neither TLM_ACCEPTED nor END_REQ");
  }
}

void NocPhaseRules::backward(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                             const sc_time& delay) {
  check_delay(delay, phase.get_name(), complain_);
  if (phase == tlm::END_REQ) {
    take(payload, delay);
  } else {
    complain_(std::string(phase.get_name()) + " on the backward path");
  }
}

void NocPhaseRules::backward_answer(const tlm::tlm_generic_payload&, tlm::tlm_sync_enum status,
                                    const tlm::tlm_phase&, const sc_time&) {
  if (status != tlm::TLM_ACCEPTED) complain_("END_REQ has no answer but TLM_ACCEPTED");
}

void NocPhaseRules::take(const tlm::tlm_generic_payload& payload, const sc_time& delay) {
  const auto found = open_.find(&payload);
  if (found == open_.end() || found->second.taken) {
    complain_("END_REQ of a packet that does not wait for it");
    return;
  }
  if (now_() + delay < found->second.head) complain_("END_REQ before BEGIN_REQ in time");
  found->second.taken = true;
  close_if_over(payload);
}

void NocPhaseRules::close_if_over(const tlm::tlm_generic_payload& payload) {
  const auto found = open_.find(&payload);
  const bool tail = found->second.tail || towards_ == Towards::kRouter;
  if (found->second.taken && tail) open_.erase(found);
}

}  // namespace tvp::tests
