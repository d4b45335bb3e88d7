#include "models/support/blocking_target.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"
#include "models/support/payload_rules.h"

namespace tvp::support {

using sc_core::sc_time;

void report_misuse(const std::string& socket, const tlm::tlm_generic_payload& payload,
                   const std::string& what) {
  const std::string text = socket + ": the initiator of the transaction at address " +
                           foundation::hex(payload.get_address()) + " " + what + " at " +
                           sc_core::sc_time_stamp().to_string();
  SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
}

BlockingTarget::BlockingTarget(tlm::tlm_base_target_socket_b<>& socket, Server& server)
    : socket_(socket), server_(server) {
  socket.get_base_export().bind(*this);
}

void BlockingTarget::b_transport(Payload& payload, sc_time& delay) {
  if (!wants_user_transfer(payload)) return;
  try {
    server_.serve(payload, delay);
  } catch (const foundation::Fault& fault) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    SC_REPORT_ERROR("/tensix_vp", fault.what());
  }
}

tlm::tlm_sync_enum BlockingTarget::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                   sc_time& delay) {
  const char* misuse = nullptr;
  if (phase == tlm::BEGIN_REQ) {
    if (is_open(payload)) {
      misuse = "sends BEGIN_REQ before the end of its response";
    } else if (!payload.has_mm()) {
      misuse = "has no memory manager";
    } else {
      payload.acquire();
      Worker& worker = take_worker();
      worker.payload = &payload;
      worker.go.notify(delay);
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
  } else if (phase == tlm::END_RESP) {
    if (response_ == &payload) {
      free_from_ = sc_core::sc_time_stamp() + delay;
      finish();
      return tlm::TLM_COMPLETED;
    }
    misuse = "sends END_RESP without a BEGIN_RESP";
  } else if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
    misuse = "sends a phase of the target";
  }
  if (misuse != nullptr) {
    report_misuse(socket_.get_base_export().name(), payload, misuse);
  }
  // Phases of other protocols may be ignored (IEEE 1666-2011, 15.2.5).
  return tlm::TLM_ACCEPTED;
}

bool BlockingTarget::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
  return server_.serve_direct(payload, dmi);
}

unsigned BlockingTarget::transport_dbg(Payload& payload) {
  const bool moves = (payload.is_read() || payload.is_write()) && payload.get_data_length() > 0 &&
                     payload.get_data_ptr() != nullptr;
  return moves ? server_.serve_debug(payload) : 0;
}

BlockingTarget::Worker& BlockingTarget::take_worker() {
  if (idle_.empty()) {
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    idle_.push_back(&worker);
    sc_core::sc_spawn_options options;
    options.dont_initialize();
    options.set_sensitivity(&worker.go);
    sc_core::sc_spawn([this, &worker] { run(worker); }, sc_core::sc_gen_unique_name("server"),
                      &options);
  }
  Worker& worker = *idle_.back();
  idle_.pop_back();
  return worker;
}

void BlockingTarget::run(Worker& worker) {
  while (true) {
    sc_time delay;
    b_transport(*worker.payload, delay);
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    respond(*worker.payload);
    worker.payload = nullptr;
    idle_.push_back(&worker);
    sc_core::wait(worker.go);
  }
}

void BlockingTarget::respond(Payload& payload) {
  while (response_ != nullptr || sc_core::sc_time_stamp() < free_from_) {
    if (response_ != nullptr) {
      sc_core::wait(response_ended_);
    } else {
      sc_core::wait(free_from_ - sc_core::sc_time_stamp());
    }
  }
  response_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay;
  const tlm::tlm_sync_enum status = socket_.get_base_port()->nb_transport_bw(payload, phase, delay);
  const bool ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  // The initiator may have sent END_RESP in the call.
  if (!ended || response_ != &payload) return;
  free_from_ = sc_core::sc_time_stamp() + delay;
  finish();
}

void BlockingTarget::finish() {
  Payload& payload = *response_;
  response_ = nullptr;
  response_ended_.notify();
  payload.release();
}

bool BlockingTarget::is_open(const Payload& payload) const {
  return response_ == &payload ||
         std::any_of(workers_.begin(), workers_.end(),
                     [&](const auto& worker) { return worker->payload == &payload; });
}

}  // namespace tvp::support
