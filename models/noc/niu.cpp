#include "models/noc/niu.h"

#include <algorithm>

#include "models/noc/packet_ledger.h"
#include "models/support/hex.h"
#include "models/support/tile_scheduler.h"

namespace tvp::noc {

using support::Cycle;

Niu::Niu(const sc_core::sc_module_name& name, const NocConfig& config, const Place& place,
         support::Calendar& calendar, support::WatchHub& watches, foundation::FaultPolicy& faults)
    : sc_module(name),
      regs("regs"),
      memory("memory"),
      to_network("to_network"),
      from_network("from_network"),
      config_(config),
      place_(place),
      node_(place.node()),
      calendar_(calendar),
      watches_(watches),
      faults_(faults),
      watch_(place.noc == 0 ? support::Watch::kNiu0 : support::Watch::kNiu1),
      master_(place.noc == 0 ? support::BusMaster::kNoc0 : support::BusMaster::kNoc1),
      vc_choices_(node_.index()) {
  regs.register_b_transport(this, &Niu::regs_b_transport);
  regs.register_transport_dbg(this, &Niu::regs_transport_dbg);
  memory.register_nb_transport_bw(this, &Niu::memory_bw);
  to_network.register_nb_transport_bw(this, &Niu::to_network_bw);
  from_network.register_nb_transport_fw(this, &Niu::from_network_fw);
  payload_.set_extension(&access_);
  poke(regs::noc::kNocIdLogical, static_cast<std::uint32_t>(node_.x | node_.y << 6));
}

Niu::~Niu() { payload_.clear_extension(&access_); }

void Niu::run() {
  while (!steps_.empty() && may_act(steps_.front().when)) {
    const Step step = steps_.front();
    std::pop_heap(steps_.begin(), steps_.end(), later);
    steps_.pop_back();
    perform(step);
    show(step.when);
  }
  set_next(steps_.empty() ? support::kNever : steps_.front().when);
}

Niu::Signals& Niu::signals() {
  if (!signals_) signals_ = std::make_unique<Signals>();
  return *signals_;
}

void Niu::show_queues(Cycle now) {
  std::uint32_t outstanding = 0;
  for (unsigned id = 0; id < regs::noc::kTransactionIds; ++id) {
    const std::uint32_t open = counters_[regs::noc::kMstReqsOutstandingId + id];
    signals_->outstanding_id[id].set(now, open);
    outstanding += open;
  }
  signals_->commands.set(now, queue_count_);
  signals_->outstanding.set(now, outstanding);
  signals_->serving.set(now, requests_open_);
}

void Niu::perform(const Step& step) {
  const Cycle now = step.when;
  switch (step.kind) {
    case StepKind::kAssign:
      return assign(now);
    case StepKind::kLeave:
      count(step.argument);
      return changed(now);
    case StepKind::kSourceRead:
      count_id(regs::noc::kMstWriteReqsOutgoingId, step.argument, -1);
      return changed(now);
    case StepKind::kHead:
      return head_arrived(*step.packet);
    case StepKind::kTail:
      return tail_arrived(*step.packet, now);
    case StepKind::kServe:
      return serve(*step.packet, now);
    case StepKind::kServed:
      return served(*step.packet, now);
    case StepKind::kRespond:
      return respond(*step.packet, now);
    case StepKind::kReceive:
      return receive(*step.packet, now);
    case StepKind::kReceived:
      return received(*step.packet, now);
    case StepKind::kVcFree:
      return vc_freed(*step.packet, now);
  }
}

void Niu::at(Cycle when, StepKind kind, Packet* packet, unsigned argument) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 32;
  push({when, kOwn | own_steps_++, packet, kind, static_cast<std::uint8_t>(argument)});
}

void Niu::at_arrival(Cycle when, StepKind kind, Packet* packet) {
  push({when, arrivals_++, packet, kind, 0});
  calendar_.tile_woken(place_.tile);
}

void Niu::push(const Step& step) {
  steps_.push_back(step);
  std::push_heap(steps_.begin(), steps_.end(), later);
  scheduler().wake(*this, step.when);
}

tlm::tlm_sync_enum Niu::from_network_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
  Packet& packet = packet_of(payload);
  const Cycle when = calendar_.now() + to_cycles(delay);
  if (phase == tlm::BEGIN_REQ) {
    // The header of a single flit is its tail: one step does both.
    if (packet.header().flits > 1) {
      packet.acquire();
      at_arrival(when, StepKind::kHead, &packet);
    }
    if (asks_with_phases() && !is_response(packet.header().kind)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  packet.acquire();
  at_arrival(when, StepKind::kTail, &packet);
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Niu::to_network_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                      sc_core::sc_time& delay) {
  at_arrival(calendar_.now() + to_cycles(delay), StepKind::kVcFree, &packet_of(payload));
  return tlm::TLM_ACCEPTED;
}

void Niu::inject(Packet& packet, Cycle when) {
  NocExtension& header = packet.header();
  header.injected = when;
  header.sequence = packets_made_++;
  ++vc_used_[header.first_vc()];
  ++stats_.packets_sent;
  stats_.bytes_sent += std::uint64_t{header.data_flits()} * regs::noc::kFlitBytes;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = to_time(when - calendar_.now());
  to_network->nb_transport_fw(packet, phase, delay);
}

void Niu::vc_freed(Packet& packet, Cycle now) {
  const unsigned vc = packet.header().first_vc();
  --vc_used_[vc];
  packet.release();
  if (vc::class_of(vc) == vc::kClassResponse) {
    if (waiting_responses_.empty()) return;
    Packet& response = *waiting_responses_.front();
    waiting_responses_.erase(waiting_responses_.begin());
    respond(response, now);
  } else if (waiting_for_vc_) {
    waiting_for_vc_ = false;
    assign(now);
  }
}

std::uint32_t Niu::access(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                          std::uint32_t bytes, Cycle now, std::uint8_t* enables) {
  payload_.set_command(command);
  payload_.set_address(address);
  payload_.set_data_ptr(data);
  payload_.set_data_length(bytes);
  payload_.set_streaming_width(bytes);
  payload_.set_byte_enable_ptr(enables);
  payload_.set_byte_enable_length(enables == nullptr ? 0 : bytes);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  access_.now = now;
  access_.latency = 0;
  access_.master = master_;
  access_.order = static_cast<std::uint8_t>(order());
  access_.blocked = false;
  access_.watch = support::Watch::kNone;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  memory->b_transport(payload_, delay);
  if (access_.blocked) {
    unmodelled("a remote request to a register that cannot serve now, address " +
               support::hex(address));
  }
  if (!payload_.is_response_ok()) {
    fault("remote request to address " + support::hex(address) + ": " +
          payload_.get_response_string());
  }
  // The tile answers with the time at its ports; the way through L1 and back comes on top.
  if (is_mmio(address)) return access_.latency;
  return access_.latency +
         (command == tlm::TLM_READ_COMMAND ? config_.l1_read_cycles : config_.l1_write_cycles);
}

void Niu::fault(const std::string& text) const {
  faults_.raise(foundation::Fault(foundation::FaultKind::kFirmware, place_.where, text));
}

void Niu::unmodelled(const std::string& text) const {
  throw foundation::Fault(foundation::FaultKind::kUnmodelled, place_.where, text);
}

void Niu::describe_pending(std::vector<std::string>& lines) const {
  for (unsigned i = 0; i < queue_count_; ++i) {
    const RequestInitiator& r = initiators_[queue_[i]];
    const Node to =
        RequestInitiator::node(r.destination_mid(), regs::noc::kMidXShift, regs::noc::kMidYShift);
    lines.push_back(place_.where + ": initiator " + std::to_string(queue_[i]) +
                    " waits for a virtual channel since cycle " + std::to_string(r.issued) +
                    ", to " + std::to_string(to.x) + "," + std::to_string(to.y));
  }
  for (const Packet* packet : waiting_responses_) {
    lines.push_back(place_.where + ": waits for a virtual channel: " + describe(packet->header()));
  }
  for (const InputVc& input : inputs_) {
    for (const Packet* packet : input.held) {
      lines.push_back(place_.where + ": waits for earlier writes: " + describe(packet->header()));
    }
  }
  for (unsigned id = 0; id < regs::noc::kTransactionIds; ++id) {
    const std::uint32_t open = counters_[regs::noc::kMstReqsOutstandingId + id];
    if (open != 0) {
      lines.push_back(place_.where + ": transaction id " + std::to_string(id) + ": " +
                      std::to_string(open) + " answers outstanding");
    }
  }
}

}  // namespace tvp::noc
