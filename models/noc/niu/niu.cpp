#include "models/noc/niu/niu.h"

#include <algorithm>
#include <cstring>

#include "foundation/regs/register_names.h"
#include "models/support/payload_rules.h"
#include "models/support/tile_scheduler.h"

namespace tvp::noc {

using support::Cycle;
using Kind = NiuStep::Kind;

Niu::Niu(const sc_core::sc_module_name& name, const NocConfig& config, const Place& place,
         support::Calendar& calendar, support::WatchHub& watches, foundation::FaultPolicy& faults)
    : sc_module(name),
      regs("regs"),
      memory("memory"),
      to_network("to_network"),
      from_network("from_network"),
      context_(config, place, calendar, watches, faults, *this),
      registers_(context_, counters_),
      steps_(*this, calendar, place.tile),
      output_(context_, to_network),
      answers_(context_, steps_, output_),
      memory_(context_, memory),
      phased_memory_(context_, steps_, answers_, memory, from_network),
      initiator_(context_, registers_, counters_, steps_, output_, memory_, phased_memory_),
      target_(context_, registers_, counters_, steps_, answers_, memory_, phased_memory_) {
  regs.register_b_transport(this, &Niu::regs_b_transport);
  regs.register_transport_dbg(this, &Niu::regs_transport_dbg);
  memory.register_nb_transport_bw(this, &Niu::memory_bw);
  to_network.register_nb_transport_bw(this, &Niu::to_network_bw);
  from_network.register_nb_transport_fw(this, &Niu::from_network_fw);
}

void Niu::run() {
  while (may_act(steps_.next())) {
    const NiuStep step = steps_.pop();
    perform(step);
    show(step.when);
  }
  set_next(steps_.next());
}

void Niu::perform(const NiuStep& step) {
  const Cycle now = step.when;
  switch (step.kind) {
    case Kind::kAssign:
      return initiator_.assign(now);
    case Kind::kLeave:
      counters_.count(step.argument);
      return context_.changed(now);
    case Kind::kSourceRead:
      counters_.count_id(regs::noc::kMstWriteReqsOutgoingId, step.argument, -1);
      return context_.changed(now);
    case Kind::kHead:
      if (intake_ != nullptr) intake_->packet_begins(now);
      target_.head_arrived(step.packet->header());
      step.packet->release();
      return;
    case Kind::kTail:
      return tail_arrived(*step.packet, now);
    case Kind::kServe:
      return target_.serve(*step.packet, now);
    case Kind::kServed:
      return target_.served(*step.packet, now);
    case Kind::kWritten:
      return target_.written(*step.packet, now);
    case Kind::kRespond:
      return respond(*step.packet, now);
    case Kind::kReceive:
      return initiator_.receive(*step.packet, now);
    case Kind::kReceived:
      return initiator_.received(*step.packet, now);
    case Kind::kVcFree:
      return vc_freed(*step.packet, now);
  }
}

void Niu::tail_arrived(Packet& packet, Cycle now) {
  if (intake_ != nullptr && packet.header().flits > 1) intake_->packet_ends(now);
  if (!is_response(packet.header().kind)) return target_.tail_arrived(packet, now);
  steps_.at(now + context_.config.receive_cycles, Kind::kReceive, &packet);
}

void Niu::respond(Packet& response, Cycle now) {
  if (answers_.respond(response, now)) target_.answered(response.header(), now);
}

void Niu::vc_freed(Packet& packet, Cycle now) {
  target_.answer_left(packet.header(), now);
  const unsigned vc = output_.freed(packet);
  if (vc::class_of(vc) == vc::kClassResponse) {
    if (Packet* left = answers_.vc_freed(now)) target_.answered(left->header(), now);
  } else {
    initiator_.vc_freed(now);
  }
}

void Niu::regs_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  support::BusAccess* bus = payload.get_extension<support::BusAccess>();
  const std::uint64_t offset = payload.get_address();
  if (bus == nullptr || offset >= NiuRegisters::kWindowBytes) {
    payload.set_response_status(bus == nullptr ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                               : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (!support::wants_register_transfer(payload)) return;
  if (payload.get_data_length() != 4 || offset % 4 != 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  const auto reg = static_cast<std::uint32_t>(offset);
  std::uint32_t value = 0;
  if (payload.is_read()) {
    if (!registers_.read(reg, value)) {
      context_.unmodelled("load of NIU " +
                          regs::noc::register_name(reg, context_.place.grid.spec().generation));
    }
    const std::uint32_t counter = (reg - regs::noc::kStatusCounters) / 4;
    if (counter < regs::noc::kCounters) initiator_.counter_read(counter);
    std::memcpy(payload.get_data_ptr(), &value, 4);
    bus->latency = context_.config.register_load_cycles;
    bus->watch = context_.watch;
  } else {
    std::memcpy(&value, payload.get_data_ptr(), 4);
    write_register(reg, value, *bus);
    bus->latency = 1;
  }
  delay += to_time(bus->latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Niu::write_register(std::uint32_t offset, std::uint32_t value, const support::BusAccess& bus) {
  using Written = NiuRegisters::Written;
  switch (registers_.write(offset, value)) {
    case Written::kNone:
      context_.unmodelled("store to NIU " +
                          regs::noc::register_name(offset, context_.place.grid.spec().generation));
    case Written::kRefused:
      return;
    case Written::kCommand:
      initiator_.start(registers_.initiator_of(offset), bus.master, bus.now);
      break;
    case Written::kDone:
      break;
  }
  show(bus.now);
  context_.watches.changed(context_.watch, bus.now, bus.order);
}

bool Niu::debug_access(std::uint64_t offset, std::uint8_t* data, std::uint32_t bytes, bool write) {
  tlm::tlm_generic_payload payload;
  payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload.set_address(offset);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  return regs_transport_dbg(payload) == bytes;
}

unsigned Niu::regs_transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() >= NiuRegisters::kWindowBytes || payload.get_address() % 4 != 0 ||
      payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    return 0;
  }
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const unsigned bytes =
      std::min(payload.get_data_length(), NiuRegisters::kWindowBytes - offset) & ~3U;
  for (unsigned i = 0; i < bytes; i += 4) {
    std::uint32_t value = 0;
    if (payload.is_read()) {
      value = peek(offset + i);
      std::memcpy(payload.get_data_ptr() + i, &value, 4);
    } else {
      std::memcpy(&value, payload.get_data_ptr() + i, 4);
      poke(offset + i, value);
    }
  }
  return bytes;
}

tlm::tlm_sync_enum Niu::memory_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay) {
  return phased_memory_.backward(packet_of(payload), phase, when(delay));
}

tlm::tlm_sync_enum Niu::to_network_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                      sc_core::sc_time& delay) {
  steps_.at_arrival(when(delay), Kind::kVcFree, &packet_of(payload));
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Niu::from_network_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
  Packet& packet = packet_of(payload);
  if (phase == tlm::BEGIN_REQ) {
    // A single flit is both header and tail, so one step does both.
    if (packet.header().flits > 1) {
      packet.acquire();
      steps_.at_arrival(when(delay), Kind::kHead, &packet);
    }
    if (context_.may_refuse(packet.header())) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  packet.acquire();
  steps_.at_arrival(when(delay), Kind::kTail, &packet);
  return tlm::TLM_ACCEPTED;
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
  signals_->commands.set(now, initiator_.commands());
  signals_->outstanding.set(now, outstanding);
  signals_->serving.set(now, target_.open());
}

bool Niu::idle() const {
  return steps_.empty() && initiator_.commands() == 0 && target_.open() == 0 && answers_.idle();
}

void Niu::describe_pending(std::vector<std::string>& lines) const {
  initiator_.describe_commands(lines);
  answers_.describe_pending(lines);
  target_.describe_pending(lines);
  initiator_.describe_outstanding(lines);
}

}  // namespace tvp::noc
