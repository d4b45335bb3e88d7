#include "models/mesh/faults/fault_state.h"

#include <utility>

namespace tvp::mesh {

using support::Cycle;

FaultState::FaultState(MeshTopology& topology)
    : topology_(topology),
      damages_(std::size_t{topology.nodes()} * kPorts, 0),
      connectivity_(topology) {}

void FaultState::plan(std::vector<MeshFault> faults, const MeshPlace& place) {
  place_ = place;
  prefix_ = place.prefix();
  faults_ = std::move(faults);
  std::erase_if(faults_, [&](const MeshFault& fault) { return fault.mesh != place.number; });
}

void FaultState::change_damage(const MeshFault& fault, int change) {
  damaging_ = static_cast<unsigned>(static_cast<int>(damaging_) + change);
  for (unsigned port = 0; port < kPorts; ++port) {
    if (!fault.is_router && port != index(fault.port)) continue;
    std::uint8_t& damage = damages_[std::size_t{fault.node} * kPorts + port];
    damage = static_cast<std::uint8_t>(damage + change);
  }
}

void FaultState::begin(const MeshFault& fault, Cycle now) {
  change_damage(fault, 1);
  log_.push_back("cycle " + std::to_string(now) + ": " + name_of(fault, topology_, place_) +
                 " damages flits" +
                 (fault.is_permanent() ? "" : " for " + std::to_string(fault.lasts) + " cycles"));
}

void FaultState::take_out(const MeshFault& fault, Cycle now) {
  change_damage(fault, -1);
  if (fault.is_router) {
    topology_.break_router(fault.node);
  } else {
    const unsigned other = topology_.neighbor(fault.node, fault.port);
    topology_.break_link(fault.node, fault.port);
    if (other != MeshTopology::kNone) topology_.break_link(other, opposite(fault.port));
  }
  connectivity_ = Connectivity(topology_);
  out_of_service_ += (out_of_service_.empty() ? "" : ", ") + name_of(fault, topology_, place_) +
                     " since cycle " + std::to_string(now);
}

void FaultState::log_rerouting(const MeshFault& fault, const std::string& method, Cycle now) {
  std::string line = "cycle " + std::to_string(now) + ": " + name_of(fault, topology_, place_) +
                     " taken out of service, routing is " + method;
  const std::string parts = partition();
  if (!parts.empty()) line += ", " + parts;
  log_.push_back(std::move(line));
}

std::string FaultState::why_unreachable() const {
  return "no route leads there any more, out of service are " + out_of_service_ + "; " + prefix_ +
         "mesh in " + partition();
}

std::string FaultState::why_damaged(const PacketState& packet, Cycle now,
                                    unsigned max_retries) const {
  const unsigned node = packet.damaged_by / kPorts;
  const auto port = static_cast<Port>(packet.damaged_by % kPorts);
  std::string by = "link " + prefix_ + topology_.name_of_link(node, port);
  for (const MeshFault& fault : faults_) {
    if (!fault.is_router || fault.node != node || fault.at > now) continue;
    by = "router " + prefix_ + topology_.name_of_router(node);
  }
  return "its packet was damaged " + std::to_string(packet.packet.retries + 1U) +
         " times, at last by " + by + ", and mesh.max_retries is " + std::to_string(max_retries);
}

}  // namespace tvp::mesh
