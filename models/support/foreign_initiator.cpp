#include "models/support/foreign_initiator.h"

#include <algorithm>

#include "foundation/hex.h"
#include "models/support/payload_rules.h"

namespace tvp::support {

using sc_core::sc_time;

ForeignInitiator::ForeignInitiator(const sc_core::sc_module_name& name, Client& client,
                                   TimeBase& base)
    : sc_module(name), socket("socket"), client_(client), base_(base), phases_(socket) {
  socket.bind(*this);
  SC_METHOD(step);
  sensitive << due_;
  dont_initialize();
}

ForeignInitiator::~ForeignInitiator() = default;

/// Sets the response if nothing is to be transferred.
bool ForeignInitiator::wants(Payload& payload) {
  if (!wants_user_transfer(payload)) return false;
  const tlm::tlm_response_status status = client_.check(payload);
  if (status != tlm::TLM_OK_RESPONSE) payload.set_response_status(status);
  return status == tlm::TLM_OK_RESPONSE;
}

bool ForeignInitiator::is_open(const Payload& payload) const {
  return std::any_of(transfers_.begin(), transfers_.end(),
                     [&](const auto& transfer) { return transfer->payload == &payload; });
}

ForeignInitiator::Transfer& ForeignInitiator::add(Payload& payload, const sc_time& delay) {
  if (free_.empty()) {
    free_.push_back(static_cast<unsigned>(transfers_.size()));
    transfers_.push_back(std::make_unique<Transfer>());
    transfers_.back()->index = free_.back();
  }
  Transfer& transfer = *transfers_[free_.back()];
  free_.pop_back();
  transfer.payload = &payload;
  transfer.arrival = sc_core::sc_time_stamp() + delay;
  transfer.sent = 0;
  transfer.open = 0;
  transfer.status = tlm::TLM_OK_RESPONSE;
  return transfer;
}

void ForeignInitiator::release(Transfer& transfer) {
  transfer.payload = nullptr;
  free_.push_back(transfer.index);
}

void ForeignInitiator::b_transport(Payload& payload, sc_time& delay) {
  if (!wants(payload)) return;
  Transfer& transfer = add(payload, delay);
  transfer.blocking = true;
  client_.arrives(transfer);
  base_.woken();
  wait(transfer.done);
  delay = sc_core::SC_ZERO_TIME;
  payload.set_response_status(transfer.status);
  release(transfer);
}

tlm::tlm_sync_enum ForeignInitiator::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                     sc_time& delay) {
  switch (phases_.judge(payload, phase, delay, is_open(payload))) {
    case TargetPhases::Call::kNone:
      break;
    case TargetPhases::Call::kResponseEnded:
      finish();
      if (!responses_.empty()) due_.notify(delay);
      return tlm::TLM_COMPLETED;
    case TargetPhases::Call::kRequest:
      if (!wants(payload)) return tlm::TLM_COMPLETED;
      begin(payload, delay);
  }
  return tlm::TLM_ACCEPTED;
}

void ForeignInitiator::begin(Payload& payload, const sc_time& delay) {
  phases_.begin(payload);
  Transfer& transfer = add(payload, delay);
  transfer.blocking = false;
  accepted_ = false;
  client_.arrives(transfer);
  base_.woken();
}

bool ForeignInitiator::get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_start_address(0);
  dmi.set_end_address(~sc_dt::uint64{0});
  return false;
}

unsigned ForeignInitiator::transport_dbg(Payload& payload) {
  const bool moves = (payload.is_read() || payload.is_write()) && payload.get_data_length() > 0 &&
                     payload.get_data_ptr() != nullptr &&
                     client_.check(payload) == tlm::TLM_OK_RESPONSE;
  return moves ? client_.debug(payload) : 0;
}

/// Something is due at `at`, which the calendar may have decided ahead of sc_time_stamp().
void ForeignInitiator::call_at(const sc_time& at) {
  const sc_time now = sc_core::sc_time_stamp();
  due_.notify(std::max(at, now) - now);
  base_.called_out(at);
}

void ForeignInitiator::accept(const Transfer& transfer, const sc_time& at) {
  if (!phases_.is_requesting(transfer.payload)) return;
  accepted_ = true;
  accepted_at_ = at;
  call_at(at);
}

void ForeignInitiator::respond(Transfer& transfer, const sc_time& at) {
  transfer.answered = at;
  if (transfer.blocking) {
    const sc_time now = sc_core::sc_time_stamp();
    transfer.done.notify(std::max(at, now) - now);
    return base_.called_out(at);
  }
  const auto later = [](const Transfer* a, const Transfer* b) { return a->answered < b->answered; };
  responses_.insert(std::upper_bound(responses_.begin(), responses_.end(), &transfer, later),
                    &transfer);
  call_at(at);
}

void ForeignInitiator::step() {
  const sc_time now = sc_core::sc_time_stamp();
  if (accepted_ && accepted_at_ <= now) {
    accepted_ = false;
    phases_.send_end_request();
  }
  while (response_ == nullptr && !responses_.empty() &&
         std::max(responses_.front()->answered, phases_.free_from()) <= now) {
    send_response();
  }
  if (accepted_) due_.notify(std::max(accepted_at_, now) - now);
  if (response_ == nullptr && !responses_.empty()) {
    due_.notify(std::max(responses_.front()->answered, phases_.free_from()) - now);
  }
}

void ForeignInitiator::send_response() {
  response_ = responses_.front();
  responses_.pop_front();
  Payload& payload = *response_->payload;
  payload.set_response_status(response_->status);
  if (phases_.send_response(payload)) finish();
}

void ForeignInitiator::finish() {
  Transfer& transfer = *response_;
  response_ = nullptr;
  release(transfer);
}

void ForeignInitiator::describe_open(std::vector<std::string>& lines) const {
  for (const auto& transfer : transfers_) {
    if (transfer->payload == nullptr) continue;
    const Payload& payload = *transfer->payload;
    const char* const state = transfer.get() == response_                  ? "END_RESP"
                              : transfer->sent < payload.get_data_length() ? "room in the network"
                                                                           : "its response";
    lines.push_back(std::string(name()) + ".socket: a " + (payload.is_write() ? "write" : "read") +
                    " of " + std::to_string(payload.get_data_length()) + " bytes at address " +
                    foundation::hex(payload.get_address()) + ", sent at " +
                    transfer->arrival.to_string() + ", waits for " + state);
  }
}

}  // namespace tvp::support
