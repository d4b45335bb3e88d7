#include "models/dram/dram_target.h"

#include <algorithm>

#include "models/dram/payload_bytes.h"
#include "models/support/payload_rules.h"

namespace tvp::dram {

using sc_core::sc_time;

namespace {

constexpr unsigned kBurstBits = 32;  ///< low bits of a tag; the transfer's index is above

}  // namespace

DramTarget::DramTarget(const sc_core::sc_module_name& name, const DramConfig& config)
    : sc_module(name),
      socket("socket"),
      memory_(config.banked_preset(), config.channel_options(), config.mapping.value(),
              config.hash_banks),
      storage_(memory_.mapping().bytes()),
      burst_bytes_(memory_.mapping().burst_bytes()),
      phases_(socket) {
  socket.bind(*this);
  SC_METHOD(step);
  sensitive << due_;
  dont_initialize();
}

DramTarget::~DramTarget() = default;

sc_time DramTarget::time_of(MemCycle cycle) const {
  return sc_time::from_value(memory_.preset().timing.tck.time_ps(cycle));
}

MemCycle DramTarget::cycle_at(const sc_time& time) const {
  return memory_.preset().timing.tck.edge_at_or_after(time.value());
}

MemCycle DramTarget::cycle_before(const sc_time& time) const {
  const MemCycle cycle = cycle_at(time);
  return time_of(cycle) > time ? cycle - 1 : cycle;
}

bool DramTarget::wants(Payload& payload) const {
  const std::uint64_t size = payload.get_data_length();
  if (payload.get_address() >= bytes() || size > bytes() - payload.get_address()) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return false;
  }
  return support::wants_user_transfer(payload);
}

unsigned DramTarget::bursts_of(const Payload& payload) const {
  const std::uint64_t last = payload.get_address() + payload.get_data_length() - 1;
  return static_cast<unsigned>(last / burst_bytes_ - payload.get_address() / burst_bytes_ + 1);
}

DramTarget::Part DramTarget::part_of(const Payload& payload, unsigned burst) const {
  const std::uint64_t address = payload.get_address();
  const std::uint64_t start = (address / burst_bytes_ + burst) * burst_bytes_;
  const std::uint64_t begin = std::max(start, address);
  const std::uint64_t end = std::min(start + burst_bytes_, address + payload.get_data_length());
  return {begin, static_cast<std::uint32_t>(begin - address),
          static_cast<std::uint32_t>(end - begin)};
}

MemoryRequest DramTarget::request_of(const Payload& payload, unsigned burst, std::uint64_t tag,
                                     unsigned& channel) const {
  const Part part = part_of(payload, burst);
  const Location location = memory_.mapping().decode(part.address);
  channel = location.channel;
  const bool partial = part.bytes < burst_bytes_ || payload.get_byte_enable_ptr() != nullptr;
  return {.tag = tag << kBurstBits | burst,
          .row = location.row,
          .bank = location.bank,
          .column = location.column,
          .write = payload.is_write(),
          .partial = payload.is_write() && partial};
}

void DramTarget::b_transport(Payload& payload, sc_time& delay) {
  if (!wants(payload)) return;
  if (open_ == 0) return serve_ahead(payload, delay);
  sc_core::sc_event done;
  add(payload, sc_core::sc_time_stamp() + delay).done = &done;
  sc_core::wait(done);
  delay = sc_core::SC_ZERO_TIME;
}

void DramTarget::serve_ahead(Payload& payload, sc_time& delay) {
  storage_.prefetch(payload.get_address());
  const sc_time now = sc_core::sc_time_stamp();
  const MemCycle at = cycle_at(now + delay);
  const unsigned bursts = bursts_of(payload);
  MemCycle done = at;
  unsigned open = 0;
  const auto collect = [&](DramChannel& channel) {
    for (const Completion& completion : channel.completions())
      done = std::max(done, completion.done);
    open -= static_cast<unsigned>(channel.completions().size());
    channel.clear_completions();
  };
  const auto decide = [&](DramChannel& channel) {
    channel.advance(channel.next_decision() + 1);
    collect(channel);
  };
  for (unsigned burst = 0; burst < bursts; ++burst) {
    unsigned index = 0;
    const MemoryRequest request = request_of(payload, burst, 0, index);
    DramChannel& channel = memory_.channel(index);
    while (!channel.accepts(request.bank, request.write)) decide(channel);
    channel.enqueue(request, std::max(at, channel.now()));
    ++open;
  }
  for (std::size_t i = 0; open > 0; i = (i + 1) % memory_.channels()) {
    while (!memory_.channel(i).idle()) decide(memory_.channel(i));
    collect(memory_.channel(i));
  }
  move_bytes(payload, 0, payload.get_data_length(), storage_, payload.get_address());
  payload.set_dmi_allowed(dmi_);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  delay = time_of(done) - now;
}

DramTarget::Transfer& DramTarget::add(Payload& payload, const sc_time& arrival) {
  if (free_.empty()) {
    free_.push_back(static_cast<unsigned>(transfers_.size()));
    transfers_.push_back(std::make_unique<Transfer>());
  }
  Transfer& transfer = *transfers_[free_.back()];
  transfer = Transfer{.payload = &payload,
                      .arrival = arrival,
                      .number = calls_++,
                      .index = free_.back(),
                      .bursts = bursts_of(payload)};
  free_.pop_back();
  ++open_;
  arriving_.push(&transfer);
  const sc_time now = sc_core::sc_time_stamp();
  due_.notify(std::max(arrival, now) - now);
  return transfer;
}

tlm::tlm_sync_enum DramTarget::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                               sc_time& delay) {
  switch (phases_.judge(payload, phase, delay, is_open(payload))) {
    case support::TargetPhases::Call::kNone:
      break;
    case support::TargetPhases::Call::kResponseEnded:
      finish();
      schedule();
      return tlm::TLM_COMPLETED;
    case support::TargetPhases::Call::kRequest:
      if (!wants(payload)) return tlm::TLM_COMPLETED;
      phases_.begin(payload);
      add(payload, sc_core::sc_time_stamp() + delay);
  }
  return tlm::TLM_ACCEPTED;
}

bool DramTarget::is_open(const Payload& payload) const {
  return std::any_of(transfers_.begin(), transfers_.end(),
                     [&](const auto& transfer) { return transfer->payload == &payload; });
}

/// Everything up to sc_time_stamp().
void DramTarget::step() {
  const sc_time now = sc_core::sc_time_stamp();
  while (!arriving_.empty() && arriving_.top()->arrival <= now) {
    feeding_.push_back(arriving_.top());
    arriving_.pop();
  }
  feed();
  for (std::size_t i = 0; i < memory_.channels(); ++i) {
    DramChannel& channel = memory_.channel(i);
    channel.advance(cycle_before(now) + 1);
    collect(channel);
  }
  feed();
  respond();
  schedule();
}

void DramTarget::schedule() {
  const sc_time now = sc_core::sc_time_stamp();
  const sc_time next = next_action();
  if (next != sc_core::sc_max_time()) due_.notify(std::max(next, now) - now);
}

void DramTarget::feed() {
  while (!feeding_.empty()) {
    Transfer& transfer = *feeding_.front();
    while (transfer.fed < transfer.bursts && feed_burst(transfer)) ++transfer.fed;
    if (transfer.fed < transfer.bursts) return;
    feeding_.pop_front();
    if (phases_.is_requesting(transfer.payload)) phases_.send_end_request();
  }
}

bool DramTarget::feed_burst(Transfer& transfer) {
  unsigned index = 0;
  const MemoryRequest request = request_of(*transfer.payload, transfer.fed, transfer.index, index);
  DramChannel& channel = memory_.channel(index);
  if (!channel.accepts(request.bank, request.write)) return false;
  const MemCycle at = std::max(cycle_at(transfer.arrival), cycle_before(sc_core::sc_time_stamp()));
  channel.enqueue(request, std::max(at, channel.now()));
  return true;
}

/// Moves the bytes of what a channel has served, in its order.
void DramTarget::collect(DramChannel& channel) {
  for (const Completion& completion : channel.completions()) {
    Transfer& transfer = *transfers_[completion.tag >> kBurstBits];
    const auto burst = static_cast<unsigned>(completion.tag & 0xFFFFFFFFU);
    const Part part = part_of(*transfer.payload, burst);
    if (completion.forwarded) {
      // The bytes of the write that is still queued.
      const Transfer& writer = *transfers_[completion.writer_tag >> kBurstBits];
      const Part from =
          part_of(*writer.payload, static_cast<unsigned>(completion.writer_tag & 0xFFFFFFFFU));
      support::copy_enabled(
          transfer.payload->get_data_ptr() + part.offset,
          writer.payload->get_data_ptr() + from.offset + (part.address - from.address), part.bytes,
          *transfer.payload, part.offset);
    } else {
      move_bytes(*transfer.payload, part.offset, part.bytes, storage_, part.address);
    }
    transfer.ready = std::max(transfer.ready, completion.done);
    if (++transfer.moved == transfer.bursts) responding_.push_back(&transfer);
  }
  channel.clear_completions();
}

/// Sends the responses that are due, one at a time.
void DramTarget::respond() {
  const sc_time now = sc_core::sc_time_stamp();
  while (response_ == nullptr && phases_.free_from() <= now) {
    const auto first = std::find_if(responding_.begin(), responding_.end(),
                                    [&](const Transfer* t) { return time_of(t->ready) <= now; });
    if (first == responding_.end()) return;
    response_ = *first;
    responding_.erase(first);
    Payload& payload = *response_->payload;
    payload.set_dmi_allowed(dmi_);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (response_->done != nullptr) {
      response_->done->notify();
      finish();
    } else if (phases_.send_response(payload)) {
      finish();
    }
  }
}

void DramTarget::finish() {
  Transfer& transfer = *response_;
  response_ = nullptr;
  transfer.payload = nullptr;
  free_.push_back(transfer.index);
  --open_;
}

sc_time DramTarget::next_action() {
  sc_time next = sc_core::sc_max_time();
  if (!arriving_.empty()) next = arriving_.top()->arrival;
  for (std::size_t i = 0; i < memory_.channels(); ++i) {
    const MemCycle decision = memory_.channel(i).next_decision();
    if (decision != kNeverMem) next = std::min(next, time_of(decision));
  }
  if (response_ == nullptr) {
    for (const Transfer* transfer : responding_)
      next = std::min(next, std::max(phases_.free_from(), time_of(transfer->ready)));
  }
  return next;
}

void DramTarget::allow_dmi(bool allowed) {
  if (dmi_ && !allowed) socket->invalidate_direct_mem_ptr(0, bytes() - 1);
  dmi_ = allowed;
}

bool DramTarget::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
  dmi.init();
  const std::uint64_t address = payload.get_address();
  if (!dmi_ || address >= bytes()) {
    dmi.set_start_address(address >= bytes() ? bytes() : 0);
    dmi.set_end_address(address >= bytes() ? ~sc_dt::uint64{0} : bytes() - 1);
    return false;
  }
  const std::uint64_t begin = address / Storage::kPageBytes * Storage::kPageBytes;
  dmi.set_start_address(begin);
  dmi.set_end_address(std::min(begin + Storage::kPageBytes, bytes()) - 1);
  dmi.set_dmi_ptr(storage_.page(address));
  const Timing& t = memory_.preset().timing;
  dmi.set_read_latency(time_of(t.trcd_rd + t.cl + t.bl));
  dmi.set_write_latency(time_of(t.trcd_wr + t.cwl + t.bl));
  dmi.allow_read_write();
  return true;
}

unsigned DramTarget::transport_dbg(Payload& payload) {
  const std::uint64_t address = payload.get_address();
  const bool moves = payload.is_read() || payload.is_write();
  if (address >= bytes() || !moves || payload.get_data_ptr() == nullptr) return 0;
  const auto size =
      static_cast<unsigned>(std::min<std::uint64_t>(payload.get_data_length(), bytes() - address));
  if (payload.is_write()) {
    storage_.write(address, payload.get_data_ptr(), size);
  } else {
    storage_.read(address, payload.get_data_ptr(), size);
  }
  return size;
}

}  // namespace tvp::dram
