#pragma once

#include <string>
#include <systemc>
#include <tlm>

#include "foundation/hex.h"

namespace tvp::support {

/// The phases at a target socket of the base protocol (IEEE 1666-2011, 15.2): the request without
/// END_REQ, the response without END_RESP, and which calls of the initiator are legal. Reports
/// illegal calls with socket, address and time; they have no effect.
class TargetPhases {
 public:
  using Payload = tlm::tlm_generic_payload;
  enum class Call { kRequest, kResponseEnded, kNone };

  explicit TargetPhases(tlm::tlm_base_target_socket_b<>& socket) : socket_(socket) {}

  /// Judges a call of the initiator. `open`: the target has this transaction, before BEGIN_RESP.
  /// kRequest: the target calls begin() or completes the transaction. kResponseEnded: the target
  /// returns TLM_COMPLETED. kNone: it returns TLM_ACCEPTED.
  Call judge(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay,
             bool open) {
    if (phase == tlm::BEGIN_REQ) {
      if (open || response_ == &payload) {
        return report(payload, "sends BEGIN_REQ before the end of its response");
      }
      if (request_ != nullptr) {
        return report(payload, "sends BEGIN_REQ before the END_REQ of another");
      }
      if (!payload.has_mm()) return report(payload, "has no memory manager");
      return Call::kRequest;
    }
    if (phase == tlm::END_RESP) {
      if (response_ != &payload) return report(payload, "sends END_RESP without a BEGIN_RESP");
      finish(delay);
      return Call::kResponseEnded;
    }
    if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
      return report(payload, "sends a phase of the target");
    }
    return Call::kNone;  // Phases of other protocols may be ignored (15.2.5).
  }

  /// The target keeps the transaction until the end of its response.
  void begin(Payload& payload) {
    payload.acquire();
    request_ = &payload;
  }
  /// The target returns END_REQ itself.
  void return_end_request() { request_ = nullptr; }
  void send_end_request() {
    Payload& payload = *request_;
    request_ = nullptr;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket_.get_base_port()->nb_transport_bw(payload, phase, delay);
  }
  bool is_requesting(const Payload* payload) const { return request_ == payload; }

  /// Sends BEGIN_RESP. Returns true if the initiator answers with the end of the response;
  /// otherwise judge() receives it, perhaps within this call.
  bool send_response(Payload& payload) {
    response_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status =
        socket_.get_base_port()->nb_transport_bw(payload, phase, delay);
    const bool ended =
        status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!ended || response_ != &payload) return false;
    finish(delay);
    return true;
  }
  bool is_responding() const { return response_ != nullptr; }
  /// Time of the last END_RESP.
  const sc_core::sc_time& free_from() const { return free_from_; }

 private:
  Call report(const Payload& payload, const char* what) const {
    const std::string text = std::string(socket_.get_base_export().name()) +
                             ": the initiator of the transaction at address " +
                             foundation::hex(payload.get_address()) + " " + what + " at " +
                             sc_core::sc_time_stamp().to_string();
    SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
    return Call::kNone;
  }
  void finish(const sc_core::sc_time& delay) {
    free_from_ = sc_core::sc_time_stamp() + delay;
    Payload& payload = *response_;
    response_ = nullptr;
    payload.release();
  }

  tlm::tlm_base_target_socket_b<>& socket_;
  Payload* request_ = nullptr;   ///< between BEGIN_REQ and END_REQ
  Payload* response_ = nullptr;  ///< between BEGIN_RESP and END_RESP
  sc_core::sc_time free_from_;
};

}  // namespace tvp::support
