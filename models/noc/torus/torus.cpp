#include "models/noc/torus/torus.h"

#include <algorithm>

#include "foundation/fault.h"

namespace tvp::noc {

using support::Cycle;

Torus::Torus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
             unsigned noc, support::Calendar& calendar)
    : sc_module(name),
      config_(config),
      grid_(grid),
      noc_(noc),
      calendar_(calendar),
      links_(grid.table_size() * kPorts),
      last_broadcasts_(grid.table_size()),
      queues_requests_(grid.table_size(), false),
      before_dram_(grid.table_size(), false),
      intakes_(grid.table_size(), nullptr),
      from_niu_(grid.table_size()),
      to_niu_(grid.table_size()) {
  for (unsigned node = 0; node < grid.table_size(); ++node) {
    const Node at = Node::of_index(node);
    if (!grid.has(at)) continue;
    queues_requests_[node] = !has_l1(grid.type(grid.to_noc(noc, at)));
    before_dram_[node] = grid.type(grid.to_noc(noc, at)) == EndpointType::kDram;
    const std::string where = std::to_string(at.x) + "_" + std::to_string(at.y);
    from_niu_[node] = std::make_unique<FromNiu>(("from_niu_" + where).c_str());
    from_niu_[node]->register_nb_transport_fw(this, &Torus::from_niu_fw, static_cast<int>(node));
    to_niu_[node] = std::make_unique<ToNiu>(("to_niu_" + where).c_str());
    to_niu_[node]->register_nb_transport_bw(this, &Torus::to_niu_bw, static_cast<int>(node));
  }
}

Torus::FromNiu& Torus::from_niu(unsigned x, unsigned y) { return *from_niu_[node_at(x, y)]; }

Torus::ToNiu& Torus::to_niu(unsigned x, unsigned y) { return *to_niu_[node_at(x, y)]; }

unsigned Torus::node_at(unsigned x, unsigned y) const {
  const Node noc0{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  return grid_.to_noc(noc_, noc0).index();
}

const LinkStats& Torus::link(unsigned x, unsigned y, Port port) const {
  return links_[link_index(node_at(x, y), port)];
}

support::LevelSignal& Torus::busy_signal(unsigned x, unsigned y, Port port) {
  if (busy_.empty()) busy_.resize(links_.size());
  return busy_[link_index(node_at(x, y), port)];
}

/// Each router assigns the channel of the link that leaves it, so the request travels to the last
/// router but one. A router has no free channel until the tail of an earlier broadcast has passed
/// the router behind that link and the credit has returned.
Cycle Torus::reservation_cycles(unsigned node, unsigned hops, Cycle leaves) const {
  const LastBroadcast& last = last_broadcasts_[node];
  const Cycle asked = std::max(hops, 1U) - 1;
  const Cycle there = config_.hop_cycles.value() * asked;
  const Cycle both_ways = config_.path_reserve_hop_cycles.value() * asked;
  const Cycle back = both_ways - std::min(both_ways, there);
  const Cycle free = last.hops == 0
                         ? 0
                         : last.left + config_.credit_cycles.value() +
                               Cycle{config_.broadcast_hop_cycles} * std::min(hops, last.hops);
  return std::max(there, free - std::min(free, leaves)) + back;
}

void Torus::check_conservation() const {
  if (ledger_.in_flight() == 0 && ledger_.sent() == ledger_.delivered()) return;
  std::vector<std::string> lines;
  ledger_.describe(lines);
  std::string text = std::to_string(ledger_.sent()) + " packets sent, " +
                     std::to_string(ledger_.delivered()) + " delivered";
  for (const auto& line : lines) text += "\n  " + line;
  throw foundation::Fault(foundation::FaultKind::kInternal, name(), text);
}

tlm::tlm_sync_enum Torus::from_niu_fw(int node, tlm::tlm_generic_payload& payload,
                                      tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name(),
                            "NIU sent an unexpected phase");
  }
  inject(static_cast<unsigned>(node), packet_of(payload), calendar_.now() + to_cycles(delay));
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Torus::to_niu_bw(int node, tlm::tlm_generic_payload& payload,
                                    tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ) {
    throw foundation::Fault(foundation::FaultKind::kInternal, name(),
                            "NIU answered an unexpected phase");
  }
  consumed(static_cast<unsigned>(node), packet_of(payload), calendar_.now() + to_cycles(delay));
  return tlm::TLM_ACCEPTED;
}

bool Torus::deliver_head(unsigned node, Packet& packet, support::Cycle when) {
  if (!populated(node)) return true;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = to_time(when - calendar_.now());
  return (*to_niu_[node])->nb_transport_fw(packet, phase, delay) == tlm::TLM_UPDATED;
}

void Torus::no_niu(const NocExtension& header) const {
  throw foundation::Fault(foundation::FaultKind::kFirmware, name(),
                          "nothing there to take a packet: " + describe(header));
}

void Torus::deliver_tail(unsigned node, Packet& packet, support::Cycle when) {
  if (populated(node)) {
    tlm::tlm_phase phase = TAIL_ARRIVED;
    sc_core::sc_time delay = to_time(when - calendar_.now());
    (*to_niu_[node])->nb_transport_fw(packet, phase, delay);
  }
  if (observer_ != nullptr) [[unlikely]]
    show_arrival(node, packet, when);
  ledger_.arrived(packet.header().slot);
}

void Torus::show_arrival(unsigned node, const Packet& packet, Cycle when) {
  const NocExtension& header = packet.header();
  observer_->arrives(noc_, header, grid_.to_noc(noc_, header.source),
                     grid_.to_noc(noc_, Node::of_index(node)), when);
}

void Torus::release_vc(unsigned node, Packet& packet, support::Cycle when) {
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = to_time(when - calendar_.now());
  (*from_niu_[node])->nb_transport_bw(packet, phase, delay);
}

}  // namespace tvp::noc
