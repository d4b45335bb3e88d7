#include "models/support/blocking_target.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>

#include "foundation/fault.h"
#include "models/support/payload_rules.h"

namespace tvp::support {

using sc_core::sc_time;

BlockingTarget::BlockingTarget(tlm::tlm_base_target_socket_b<>& socket, Server& server)
    : socket_(socket), server_(server), phases_(socket) {
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
  switch (phases_.judge(payload, phase, delay, is_open(payload))) {
    case TargetPhases::Call::kNone:
      return tlm::TLM_ACCEPTED;
    case TargetPhases::Call::kResponseEnded:
      response_ended_.notify();
      return tlm::TLM_COMPLETED;
    case TargetPhases::Call::kRequest:
      break;
  }
  phases_.begin(payload);
  phases_.return_end_request();
  Worker& worker = take_worker();
  worker.payload = &payload;
  worker.go.notify(delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
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
  while (phases_.is_responding() || sc_core::sc_time_stamp() < phases_.free_from()) {
    if (phases_.is_responding()) {
      sc_core::wait(response_ended_);
    } else {
      sc_core::wait(phases_.free_from() - sc_core::sc_time_stamp());
    }
  }
  if (phases_.send_response(payload)) response_ended_.notify();
}

bool BlockingTarget::is_open(const Payload& payload) const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [&](const auto& worker) { return worker->payload == &payload; });
}

}  // namespace tvp::support
