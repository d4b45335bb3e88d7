#include "models/ethernet/foreign_link.h"

#include <cstring>

namespace tvp::ethernet {

using sc_core::sc_time;

ForeignLink::ForeignLink(const sc_core::sc_module_name& name, std::uint16_t link_number,
                         unsigned index, const EthernetConfig& config, EthernetTile& tile,
                         support::CalendarBlock& block)
    : sc_module(name),
      out("out"),
      in("in"),
      end_(this->name(), link_number, index, config, LinkEnd::Wire::kForeign),
      tile_(tile),
      block_(block) {
  out.bind(*this);
  in.bind(*this);
  end_.connect(*this);
  tile.attach(end_);
}

void ForeignLink::send(const LinkMessage& message) {
  std::memcpy(&packet_, &message.packet, offsetof(Packet, data) + message.packet.bytes);
  const sc_time first = sc_time::from_value(message.departure_ps);
  call(Phase::kFirstBit, first);
  call(Phase::kLastBit, sc_time::from_value(message.arrival_ps));
  block_.base().called_out(first);
}

void ForeignLink::call(Phase phase, const sc_time& at) {
  sc_time delay = at - sc_core::sc_time_stamp();
  if (out->nb_transport_fw(packet_, phase, delay) == tlm::TLM_UPDATED)
    refuse(out, "the bound link returns TLM_UPDATED: expected TLM_ACCEPTED or TLM_COMPLETED");
}

tlm::tlm_sync_enum ForeignLink::nb_transport_bw(Packet&, Phase&, sc_time&) {
  refuse(out, "the bound link calls nb_transport_bw, which lines do not have");
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum ForeignLink::nb_transport_fw(Packet& packet, Phase& phase, sc_time& delay) {
  const sc_time at = sc_core::sc_time_stamp() + delay;
  if (const char* wrong = order_.check(phase, at)) {
    refuse(in, wrong);
  } else if (phase == Phase::kLastBit) {
    receive(packet, at);
  }
  return phase == Phase::kFirstBit ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
}

void ForeignLink::b_transport(Packet& packet, sc_time& delay) {
  for (Phase phase : {Phase::kFirstBit, Phase::kLastBit}) nb_transport_fw(packet, phase, delay);
}

void ForeignLink::receive(const Packet& packet, const sc_time& at) {
  if (const char* defect = defect_of(packet)) return refuse(in, defect);
  if (block_.cycle_at(at) < block_.calendar().now()) {
    return refuse(in, "the last bit comes at " + at.to_string() + ", and the chip is already at " +
                          block_.time_of(block_.calendar().now()).to_string());
  }
  std::memcpy(&arrival_.packet, &packet, offsetof(Packet, data) + packet.bytes);
  arrival_.arrival_ps = at.value();
  end_.receive(arrival_);
  ++arrival_.sequence;
  block_.base().woken();
}

const char* ForeignLink::defect_of(const Packet& packet) {
  using Kind = Packet::Kind;
  if (packet.queue > 1) return "packet.queue: expected 0 or 1";
  switch (packet.kind) {
    case Kind::kRaw:
      if (packet.bytes == 0 || packet.bytes > Packet::kMaxBytes)
        return "packet.bytes of a raw packet: expected 1 to 1500";
      return nullptr;
    case Kind::kSequenceUpdate:
      return packet.bytes == 0 ? nullptr : "packet.bytes of a sequence update: expected 0";
    case Kind::kL1Write:
      if (packet.bytes == 0 || packet.bytes > Packet::kMaxBytes || packet.bytes % 16 != 0)
        return "packet.bytes of a write of L1: expected a multiple of 16 up to 1488";
      return packet.address % 16 == 0
                 ? nullptr
                 : "packet.address of a write of L1: expected a multiple of 16";
    case Kind::kMmioWrite:
      if (packet.bytes != 4) return "packet.bytes of a register write: expected 4";
      return packet.address % 4 == 0
                 ? nullptr
                 : "packet.address of a register write: expected a multiple of 4";
  }
  return "packet.kind: expected a value of EthernetPacket::Kind";
}

void ForeignLink::describe_open(std::vector<std::string>& lines) const {
  for (unsigned i = 0; i < 2; ++i) {
    const TxQueue& queue = tile_.queues().tx(i);
    const support::Cycle sent = queue.oldest_sent();
    if (sent == support::kNever) continue;
    lines.push_back(std::string(out.name()) + ": the other end has not acknowledged " +
                    std::to_string(queue.unacknowledged()) + " packets of queue " +
                    std::to_string(i) + "; the oldest one left at " +
                    block_.time_of(sent).to_string() +
                    ", packets sent again: " + std::to_string(queue.resends()));
  }
}

void ForeignLink::refuse(const sc_core::sc_object& socket, const std::string& what) const {
  const std::string text = std::string(socket.name()) + ": " + what + " (now " +
                           sc_core::sc_time_stamp().to_string() + ")";
  SC_REPORT_ERROR("/tensix_vp/protocol", text.c_str());
}

}  // namespace tvp::ethernet
