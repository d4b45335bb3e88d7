// What a MeshNetwork does about faults: damaged packets are sent again, broken links and routers
// are taken out of service.

#include <algorithm>

#include "models/mesh/mesh_network.h"

namespace tvp::mesh {

using support::Cycle;

bool MeshNetwork::reaches(const Packet& packet) const {
  return connectivity_.reaches(topology_.router_of(packet.source),
                               topology_.router_of(packet.destination));
}

/// The destination's check (a CRC) fails; its answer takes as long as a packet of one flit over an
/// empty mesh, and cannot be damaged itself.
void MeshNetwork::check_failed(std::uint32_t slot_index, Cycle when) {
  const Packet& packet = slots_[slot_index].packet;
  ++statistics_.packets_damaged;
  if (packet.retries >= config_.max_retries) {
    return lose(slot_index, why_damaged(slots_[slot_index], when), when);
  }
  const double answer = zero_load_cycles(packet.routers, 1);
  send_again(slot_index, when + static_cast<Cycle>(answer));
}

std::string MeshNetwork::why_unreachable() const {
  return "no way leads there any more, out of service are " + out_of_service_ + "; " +
         place_.prefix() + "mesh in " + partition();
}

/// The youngest fault that has damaged what left by the link.
std::string MeshNetwork::why_damaged(const Slot& slot, Cycle now) const {
  const unsigned node = slot.damaged_by / kPorts;
  const auto port = static_cast<Port>(slot.damaged_by % kPorts);
  std::string by = "link " + place_.prefix() + topology_.name_of_link(node, port);
  for (const MeshFault& fault : faults_) {
    if (!fault.is_router || fault.node != node || fault.at > now) continue;
    by = "router " + place_.prefix() + topology_.name_of_router(node);
  }
  return "its packet was damaged " + std::to_string(slot.packet.retries + 1U) +
         " times, at last by " + by + ", and mesh.max_retries is " +
         std::to_string(config_.max_retries.value());
}

void MeshNetwork::lose(std::uint32_t slot_index, const std::string& why, Cycle now) {
  const Packet packet = slots_[slot_index].packet;
  EndpointState& source = endpoints_[packet.source];
  const bool held_place = slots_[slot_index].holds_place;
  release(slot_index);
  ++statistics_.packets_lost;
  if (held_place && has_injection_limit_) ++source.places;
  if (source.who == nullptr) return;
  source.who->lost(packet, why, now + 1);
  if (held_place) source.who->injection_place(now + 1);
}

void MeshNetwork::change_damage(const MeshFault& fault, int change) {
  faults_active_ = static_cast<unsigned>(static_cast<int>(faults_active_) + change);
  for (unsigned port = 0; port < kPorts; ++port) {
    if (!fault.is_router && port != index(fault.port)) continue;
    std::uint8_t& damage = damages_[std::size_t{fault.node} * kPorts + port];
    damage = static_cast<std::uint8_t>(damage + change);
  }
}

void MeshNetwork::fault_begins(const MeshFault& fault, Cycle now) {
  change_damage(fault, 1);
  fault_log_.push_back(
      "cycle " + std::to_string(now) + ": " + name_of(fault, topology_, place_) + " damages flits" +
      (fault.is_permanent() ? "" : " for " + std::to_string(fault.lasts) + " cycles"));
}

/// Takes what broke out of service, a link in both directions; empties the network, so that packets
/// of the old tables cannot wait for packets of the new ones; and sends all that was under way
/// again.
void MeshNetwork::take_out(const MeshFault& fault, Cycle now) {
  change_damage(fault, -1);
  if (fault.is_router) {
    topology_.break_router(fault.node);
  } else {
    const unsigned other = topology_.neighbor(fault.node, fault.port);
    topology_.break_link(fault.node, fault.port);
    if (other != Topology::kNone) topology_.break_link(other, opposite(fault.port));
  }
  connectivity_ = Connectivity(topology_);
  Rerouting rerouting = reroute(topology_, *make_routing(config_.routing.value()),
                                config_.routing.value(), packets_wait(), has_escape());
  table_ = std::move(rerouting.table);
  find_targets();
  const std::string name = name_of(fault, topology_, place_);
  out_of_service_ +=
      (out_of_service_.empty() ? "" : ", ") + name + " since cycle " + std::to_string(now);
  std::string line = "cycle " + std::to_string(now) + ": " + name +
                     " taken out of service, routing is " + rerouting.method;
  const std::string parts = partition();
  if (!parts.empty()) line += ", " + parts;
  fault_log_.push_back(std::move(line));
  flush();
  flits_inside_ = 0;
  requeue_everything(now);
}

void MeshNetwork::requeue_everything(Cycle now) {
  std::vector<std::uint32_t> moving;
  for (std::uint32_t i = 0; i < slots_.size(); ++i) {
    Slot& slot = slots_[i];
    const bool in_part = slot.state == Slot::State::kQueued && slot.sent > 0;
    if (slot.state != Slot::State::kMoving && !in_part) continue;
    slot.sent = 0;
    slot.arrived = 0;
    slot.damaged = false;
    slot.packet.routers = 0;
    ++slot.packet.retries;
    ++statistics_.retries;
    moving.push_back(i);
  }
  for (EndpointState& source : endpoints_) source.being_sent = kNoSlot;
  // The oldest goes to the front last.
  std::sort(moving.begin(), moving.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Cycle created_a = slots_[a].packet.created;
    const Cycle created_b = slots_[b].packet.created;
    return created_a != created_b ? created_a > created_b : a > b;
  });
  for (const std::uint32_t index : moving) enqueue_first(index, now);
  for (unsigned endpoint = 0; endpoint < topology_.endpoints(); ++endpoint) {
    drop_unreachable(endpoint, now);
    if (has_queued(endpoint)) source_ready(endpoint);
  }
  step_at(now);
}

void MeshNetwork::drop_unreachable(unsigned endpoint, Cycle now) {
  EndpointState& source = endpoints_[endpoint];
  std::vector<std::uint32_t> unreachable;
  for (unsigned number = 0; number < kTrafficClasses; ++number) {
    auto& queue = source.queues[number];
    std::uint32_t before = kNoSlot;
    for (std::uint32_t i = queue.first; i != kNoSlot; i = slots_[i].next) {
      if (reaches(slots_[i].packet)) {
        before = i;
        continue;
      }
      (before == kNoSlot ? queue.first : slots_[before].next) = slots_[i].next;
      unreachable.push_back(i);
    }
    queue.last = before;
    if (queue.first == kNoSlot) source.waiting &= ~(1U << number);
  }
  for (const std::uint32_t index : unreachable) lose(index, why_unreachable(), now);
}

}  // namespace tvp::mesh
