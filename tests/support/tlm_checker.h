#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>
#include <utility>

#include "tests/support/transport_rules.h"

namespace tvp::tests {

/// A module between an initiator and a target that forwards all calls. It checks both against
/// TLM-2.0 (b_transport, attributes, DMI, debug) and against `Rules` (phases). A broken rule fails
/// the running test, unless `complain` does something else.
template <typename Rules = BasePhaseRules, typename Types = tlm::tlm_base_protocol_types>
class TlmChecker : public sc_core::sc_module {
 public:
  using Payload = tlm::tlm_generic_payload;
  using Phase = tlm::tlm_phase;
  using Time = sc_core::sc_time;

  tlm_utils::simple_target_socket<TlmChecker, 32, Types> from_initiator;
  tlm_utils::simple_initiator_socket<TlmChecker, 32, Types> to_target;

  /// `more`: further arguments of `Rules`.
  template <typename... More>
  TlmChecker(const sc_core::sc_module_name& name, std::function<Time()> now, More... more)
      : sc_module(name),
        from_initiator("from_initiator"),
        to_target("to_target"),
        complain(
            [this](const std::string& text) { ADD_FAILURE() << this->name() << ": " << text; }),
        blocking_(complain),
        phases_(complain, std::move(now), more...) {
    from_initiator.register_b_transport(this, &TlmChecker::b_transport);
    from_initiator.register_nb_transport_fw(this, &TlmChecker::nb_transport_fw);
    from_initiator.register_get_direct_mem_ptr(this, &TlmChecker::get_direct_mem_ptr);
    from_initiator.register_transport_dbg(this, &TlmChecker::transport_dbg);
    to_target.register_nb_transport_bw(this, &TlmChecker::nb_transport_bw);
    to_target.register_invalidate_direct_mem_ptr(this, &TlmChecker::invalidate_direct_mem_ptr);
  }

  Complaint complain;
  /// Number of unfinished transactions.
  std::size_t open() const { return phases_.open(); }
  std::uint64_t calls() const { return calls_; }

 private:
  void b_transport(Payload& payload, Time& delay) {
    ++calls_;
    blocking_.around(payload, delay, [&] { to_target->b_transport(payload, delay); });
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, Phase& phase, Time& delay) {
    ++calls_;
    const bool ends = phase == tlm::END_RESP;
    phases_.forward(payload, phase, delay);
    const tlm::tlm_sync_enum status = to_target->nb_transport_fw(payload, phase, delay);
    // The transaction is over for both sides (IEEE 1666-2011, 15.2.2).
    if (!ends || status == tlm::TLM_UPDATED) phases_.forward_answer(payload, status, phase, delay);
    return status;
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, Phase& phase, Time& delay) {
    phases_.backward(payload, phase, delay);
    const tlm::tlm_sync_enum status = from_initiator->nb_transport_bw(payload, phase, delay);
    phases_.backward_answer(payload, status, phase, delay);
    return status;
  }
  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
    const bool granted = to_target->get_direct_mem_ptr(payload, dmi);
    if (dmi.get_start_address() > dmi.get_end_address()) complain("DMI: empty range");
    if (granted && dmi.get_dmi_ptr() == nullptr) complain("DMI: granted without a pointer");
    if (granted && dmi.is_none_allowed()) complain("DMI: granted, and nothing allowed");
    return granted;
  }
  unsigned transport_dbg(Payload& payload) {
    const Attributes before(payload);
    const unsigned moved = to_target->transport_dbg(payload);
    if (moved > payload.get_data_length()) complain("transport_dbg: more moved than asked for");
    if (const char* what = before.difference(payload)) {
      complain(std::string("transport_dbg changed the ") + what);
    }
    return moved;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
    from_initiator->invalidate_direct_mem_ptr(start, end);
  }

  BlockingRules blocking_;
  Rules phases_;
  std::uint64_t calls_ = 0;
};

}  // namespace tvp::tests
