#include "models/support/foreign_memory.h"

#include <sysc/kernel/sc_dynamic_processes.h>

#include <algorithm>
#include <string>

#include "foundation/fault.h"
#include "foundation/hex.h"

namespace tvp::support {

using sc_core::sc_time;

ForeignMemory::ForeignMemory(const sc_core::sc_module_name& name, Client& client, TimeBase& base,
                             Timing timing, std::uint32_t burst_bytes)
    : sc_module(name),
      socket("socket"),
      client_(client),
      base_(base),
      timing_(timing),
      burst_bytes_(timing == Timing::kApproximate ? burst_bytes : 0) {
  socket.register_nb_transport_bw(this, &ForeignMemory::nb_transport_bw);
  SC_HAS_PROCESS(ForeignMemory);
  SC_METHOD(end_responses);
  sensitive << ending_;
  dont_initialize();
}

/// Payloads delete the extensions that they still have.
ForeignMemory::~ForeignMemory() {
  for (const auto& transaction : transactions_) transaction->clear_extension<tensix_vp::Arrival>();
}

void ForeignMemory::free(tlm::tlm_generic_payload* payload) {
  payload->clear_extension<tensix_vp::Arrival>();
  payload->reset();
  free_.push_back(static_cast<Transaction*>(payload));
}

void ForeignMemory::request(const Request& request, const sc_time& at) {
  if (free_requests_.empty()) {
    requests_.push_back(std::make_unique<Progress>());
    free_requests_.push_back(requests_.back().get());
  }
  Progress& progress = *free_requests_.back();
  free_requests_.pop_back();
  progress = {.request = request};
  for (std::uint32_t begin = 0; begin < request.bytes || begin == 0;) {
    Request burst = request;
    burst.address += begin;
    burst.data += begin;
    if (burst.enables != nullptr) burst.enables += begin;
    burst.bytes -= begin;
    if (burst_bytes_ != 0) {
      const auto in_line = static_cast<std::uint32_t>(burst.address % burst_bytes_);
      burst.bytes = std::min(burst.bytes, burst_bytes_ - in_line);
    }
    begin += std::max(burst.bytes, 1U);
    Transaction& transaction = make(progress, burst, at);
    ++progress.to_take;
    ++progress.to_answer;
    if (timing_ == Timing::kLoose) return call(transaction);
    waiting_.push_back(&transaction);
  }
  send_next();
}

ForeignMemory::Transaction& ForeignMemory::make(Progress& progress, const Request& request,
                                                const sc_time& at) {
  if (free_.empty()) {
    tlm::tlm_mm_interface* const manager = this;
    transactions_.push_back(std::make_unique<Transaction>(manager));
    free_.push_back(transactions_.back().get());
    own_.insert(transactions_.back().get());
  }
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.acquire();
  transaction.set_command(request.command);
  transaction.set_address(request.address);
  transaction.set_data_ptr(request.data);
  transaction.set_data_length(request.bytes);
  transaction.set_streaming_width(request.bytes);
  transaction.set_byte_enable_ptr(request.enables);
  transaction.set_byte_enable_length(request.enables == nullptr ? 0 : request.bytes);
  transaction.set_dmi_allowed(false);
  transaction.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  transaction.arrival.first_byte =
      request.first_byte == sc_core::SC_ZERO_TIME ? at : request.first_byte;
  transaction.set_extension(&transaction.arrival);
  transaction.request = request;
  transaction.progress = &progress;
  transaction.sent = SentAttributes(transaction);
  transaction.asked = at;
  transaction.taken = false;
  transaction.answered = false;
  ++open_;
  return transaction;
}

void ForeignMemory::call(Transaction& transaction) {
  if (idle_callers_.empty()) {
    Caller& caller = *callers_.emplace_back(std::make_unique<Caller>());
    idle_callers_.push_back(&caller);
    sc_core::sc_spawn_options options;
    options.dont_initialize();
    options.set_sensitivity(&caller.go);
    sc_core::sc_spawn([this, &caller] { run(caller); }, sc_core::sc_gen_unique_name("caller"),
                      &options);
  }
  Caller& caller = *idle_callers_.back();
  idle_callers_.pop_back();
  caller.transaction = &transaction;
  caller.go.notify(transaction.asked - sc_core::sc_time_stamp());
  base_.called_out(transaction.asked);
}

void ForeignMemory::run(Caller& caller) {
  while (true) {
    Transaction& transaction = *caller.transaction;
    sc_time delay = sc_core::SC_ZERO_TIME;
    // The memory may wait in the call, so that END_REQ would come late.
    report_faults([&] { take(transaction, transaction.asked); });
    socket->b_transport(transaction, delay);
    report_faults([&] { finish(transaction, sc_core::sc_time_stamp() + delay); });
    idle_callers_.push_back(&caller);
    base_.woken();
    wait(caller.go);
  }
}

void ForeignMemory::send(Transaction& transaction) {
  requesting_ = &transaction;
  const sc_time now = sc_core::sc_time_stamp();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = transaction.asked - now;
  // A response may come in the call, and end the transaction.
  transaction.acquire();
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(transaction, phase, delay);
  base_.called_out(transaction.asked);
  if (status == tlm::TLM_COMPLETED) {
    // Such a target has accepted the request as it came.
    take(transaction, transaction.asked);
    finish(transaction, now + delay);
  } else if (status == tlm::TLM_UPDATED) {
    if (phase == tlm::END_REQ) {
      take(transaction, now + delay);
    } else if (phase == tlm::BEGIN_RESP) {
      take(transaction, now + delay);
      tlm::tlm_phase end = tlm::END_RESP;
      sc_time end_delay = delay;
      finish(transaction, now + delay);
      socket->nb_transport_fw(transaction, end, end_delay);
    } else {
      refuse(transaction, "answers BEGIN_REQ with " + std::string(phase.get_name()));
    }
  }
  transaction.release();
}

void ForeignMemory::send_next() {
  if (requesting_ != nullptr || waiting_.empty()) return;
  Transaction& next = *waiting_.front();
  waiting_.pop_front();
  next.asked = std::max(next.asked, free_from_);
  send(next);
}

void ForeignMemory::take(Transaction& transaction, sc_time at) {
  if (transaction.taken) return;
  if (at < transaction.asked) {
    refuse(transaction, "accepts the request before it arrives");
    at = transaction.asked;
  }
  transaction.taken = true;
  transaction.accepted = at;
  if (requesting_ == &transaction) requesting_ = nullptr;
  free_from_ = std::max(free_from_, at);
  Progress& progress = *transaction.progress;
  progress.taken = std::max(progress.taken, at);
  if (--progress.to_take == 0) client_.taken(progress.request.token, progress.taken);
  send_next();
}

void ForeignMemory::finish(Transaction& transaction, sc_time at) {
  if (transaction.answered) return;
  if (at < transaction.accepted) {
    refuse(transaction, transaction.accepted == transaction.asked
                            ? "responds before the request arrives"
                            : "responds before it accepts the request");
    at = transaction.accepted;
  }
  check_answer(transaction);
  transaction.answered = true;
  --open_;
  Progress& progress = *transaction.progress;
  progress.answered = std::max(progress.answered, at);
  if (progress.status == tlm::TLM_OK_RESPONSE) progress.status = transaction.get_response_status();
  if (--progress.to_answer == 0) {
    client_.answered(progress.request.token, progress.status, progress.answered);
    free_requests_.push_back(&progress);
  }
  transaction.release();
}

/// Reports a fault of the models in a process of the user, which SystemC would wrap.
template <typename Function>
void ForeignMemory::report_faults(Function function) {
  try {
    function();
  } catch (const foundation::Fault& fault) {
    SC_REPORT_ERROR("/tensix_vp", fault.what());
  }
}

void ForeignMemory::check_answer(Transaction& transaction) const {
  if (const char* const what = transaction.sent.difference(transaction)) {
    refuse(transaction, std::string("changes the ") + what);
  }
  if (transaction.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    refuse(transaction, "sets no response status");
    transaction.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (!transaction.is_response_ok()) {
    SC_REPORT_WARNING("/tensix_vp/protocol",
                      text_of(transaction, "answers " + transaction.get_response_string()).c_str());
  }
}

tlm::tlm_sync_enum ForeignMemory::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_time& delay) {
  if (!own_.contains(&payload)) {
    const std::string text = std::string(name()) + ".socket: the bound memory sends " +
                             phase.get_name() + " of a transaction that is not of this socket, " +
                             "address " + foundation::hex(payload.get_address()) + ", at " +
                             sc_core::sc_time_stamp().to_string();
    SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
    return tlm::TLM_ACCEPTED;
  }
  auto& transaction = static_cast<Transaction&>(payload);
  const sc_time at = sc_core::sc_time_stamp() + delay;
  if (phase == tlm::END_REQ && !transaction.taken) {
    report_faults([&] { take(transaction, at); });
  } else if (phase == tlm::BEGIN_RESP && !transaction.answered) {
    // Without an END_REQ of its own, the response ends the request, too (IEEE 1666-2011, 15.2.6).
    // END_RESP is a call of its own, because targets may ignore what this one returns.
    transaction.acquire();
    endings_.push_back({&transaction, at});
    ending_.notify(sc_core::SC_ZERO_TIME);
    report_faults([&] {
      take(transaction, at);
      finish(transaction, at);
    });
  } else if (phase <= tlm::END_RESP) {
    refuse(transaction, std::string("sends ") + phase.get_name() + " out of order");
  }
  base_.woken();
  return tlm::TLM_ACCEPTED;
}

void ForeignMemory::end_responses() {
  std::vector<Ending> endings;
  endings.swap(endings_);
  for (const Ending& ending : endings) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = ending.at - sc_core::sc_time_stamp();
    socket->nb_transport_fw(*ending.transaction, phase, delay);
    ending.transaction->release();
  }
}

void ForeignMemory::describe_open(std::vector<std::string>& lines) const {
  std::unordered_set<const Progress*> named;  // one line for each request
  for (const auto& transaction : transactions_) {
    if (transaction->answered || !named.insert(transaction->progress).second) continue;
    lines.push_back(std::string(name()) + ".socket: the bound memory has not " +
                    (transaction->taken || timing_ == Timing::kLoose ? "answered" : "accepted") +
                    " a " +
                    (transaction->request.command == tlm::TLM_WRITE_COMMAND ? "write" : "read") +
                    " of " + std::to_string(transaction->request.bytes) + " bytes at address " +
                    foundation::hex(transaction->request.address) + ", sent at " +
                    transaction->asked.to_string());
  }
}

unsigned ForeignMemory::debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                              std::uint32_t bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  const unsigned moved = socket->transport_dbg(payload);
  if (moved < bytes) {
    const std::string text = std::string(name()) + ": transport_dbg of the bound memory moved " +
                             std::to_string(moved) + " of " + std::to_string(bytes) +
                             " bytes at address " + foundation::hex(address) +
                             "; accesses of the host need it";
    SC_REPORT_WARNING("/tensix_vp/protocol", text.c_str());
  }
  return moved;
}

std::string ForeignMemory::text_of(const Transaction& transaction, const std::string& what) const {
  return std::string(name()) + ".socket: the bound memory " + what + " (address " +
         foundation::hex(transaction.request.address) + ", asked at " +
         transaction.asked.to_string() + ", now " + sc_core::sc_time_stamp().to_string() + ")";
}

void ForeignMemory::refuse(const Transaction& transaction, const std::string& what) const {
  SC_REPORT_ERROR("/tensix_vp/protocol", text_of(transaction, what).c_str());
}

}  // namespace tvp::support
