#include "models/support/foreign_initiator.h"

#include <algorithm>

#include "foundation/hex.h"
#include "models/support/payload_rules.h"

namespace tvp::support {

using sc_core::sc_time;

ForeignInitiator::ForeignInitiator(const sc_core::sc_module_name& name, Client& client,
                                   TimeBase& base)
    : sc_module(name), socket("socket"), client_(client), base_(base) {
  socket.bind(*this);
  SC_METHOD(step);
  sensitive << due_;
  dont_initialize();
}

ForeignInitiator::~ForeignInitiator() = default;

/// Sets the response if nothing is to be transferred.
bool ForeignInitiator::wants(Payload& payload) {
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  if (!wants_transfer(payload)) return false;
  const tlm::tlm_response_status status =
      payload.get_data_ptr() == nullptr ? tlm::TLM_GENERIC_ERROR_RESPONSE : client_.check(payload);
  if (status != tlm::TLM_OK_RESPONSE) payload.set_response_status(status);
  return status == tlm::TLM_OK_RESPONSE;
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
  if (phase == tlm::END_RESP) {
    if (response_ == nullptr || response_->payload != &payload) {
      refuse(payload, "sends END_RESP without a BEGIN_RESP");
      return tlm::TLM_ACCEPTED;
    }
    free_from_ = sc_core::sc_time_stamp() + delay;
    finish();
    if (!responses_.empty()) due_.notify(delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
    refuse(payload, "sends a phase of the target");
  }
  // Other protocols' phases may be ignored (IEEE 1666-2011, 15.2.5).
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  const char* const wrong = requesting_ != nullptr ? "sends BEGIN_REQ before the END_REQ of another"
                            : !payload.has_mm()    ? "has no memory manager"
                                                   : nullptr;
  if (wrong != nullptr) {
    refuse(payload, wrong);
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (!wants(payload)) return tlm::TLM_COMPLETED;
  payload.acquire();
  Transfer& transfer = add(payload, delay);
  transfer.blocking = false;
  requesting_ = &transfer;
  accepted_ = false;
  client_.arrives(transfer);
  base_.woken();
  return tlm::TLM_ACCEPTED;
}

bool ForeignInitiator::get_direct_mem_ptr(Payload&, tlm::tlm_dmi& dmi) {
  dmi.init();
  dmi.set_start_address(0);
  dmi.set_end_address(~sc_dt::uint64{0});
  return false;
}

unsigned ForeignInitiator::transport_dbg(Payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND || payload.get_data_length() == 0 ||
      payload.get_data_ptr() == nullptr || client_.check(payload) != tlm::TLM_OK_RESPONSE) {
    return 0;
  }
  return client_.debug(payload);
}

/// Something is due at `at`, which the calendar may have decided ahead of sc_time_stamp().
void ForeignInitiator::call_at(const sc_time& at) {
  const sc_time now = sc_core::sc_time_stamp();
  due_.notify(std::max(at, now) - now);
  base_.called_out(at);
}

void ForeignInitiator::accept(const Transfer& transfer, const sc_time& at) {
  if (&transfer != requesting_) return;
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
    Payload& payload = *requesting_->payload;
    accepted_ = false;
    requesting_ = nullptr;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
  }
  while (response_ == nullptr && !responses_.empty() &&
         std::max(responses_.front()->answered, free_from_) <= now) {
    send_response();
  }
  if (accepted_) due_.notify(std::max(accepted_at_, now) - now);
  if (response_ == nullptr && !responses_.empty()) {
    due_.notify(std::max(responses_.front()->answered, free_from_) - now);
  }
}

void ForeignInitiator::send_response() {
  response_ = responses_.front();
  responses_.pop_front();
  Payload& payload = *response_->payload;
  payload.set_response_status(response_->status);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
  const bool ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (!ended || response_ == nullptr) return;
  free_from_ = sc_core::sc_time_stamp() + delay;
  finish();
}

void ForeignInitiator::finish() {
  Transfer& transfer = *response_;
  response_ = nullptr;
  transfer.payload->release();
  release(transfer);
}

std::string ForeignInitiator::text_of(const Payload& payload) const {
  return std::string(payload.is_write() ? "write" : "read") + " of " +
         std::to_string(payload.get_data_length()) + " bytes at address " +
         foundation::hex(payload.get_address());
}

void ForeignInitiator::describe_open(std::vector<std::string>& lines) const {
  for (const auto& transfer : transfers_) {
    if (transfer->payload == nullptr) continue;
    const char* const state = transfer.get() == response_ ? "END_RESP"
                              : transfer->sent < transfer->payload->get_data_length()
                                  ? "room in the network"
                                  : "its response";
    lines.push_back(std::string(name()) + ".socket: a " + text_of(*transfer->payload) +
                    ", sent at " + transfer->arrival.to_string() + ", waits for " + state);
  }
}

void ForeignInitiator::refuse(const Payload& payload, const char* what) const {
  const std::string text = std::string(name()) + ".socket: the initiator of a " + text_of(payload) +
                           " " + what + " at " + sc_core::sc_time_stamp().to_string();
  SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
}

}  // namespace tvp::support
