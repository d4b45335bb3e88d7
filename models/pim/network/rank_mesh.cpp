#include "models/pim/network/rank_mesh.h"

#include <string>

#include "foundation/fault.h"
#include "models/mesh/make_mesh.h"

namespace tvp::pim {

using foundation::Fault;
using foundation::FaultKind;

RankMesh::RankMesh(const PimConfig& config, const mesh::MeshConfig& mesh_config, unsigned units,
                   support::Calendar& calendar, mesh::RouterClock* clock)
    : config_(config), map_(config, mesh_config), ports_(units) {
  if (mesh_config.width * mesh_config.height != units) {
    throw Fault(FaultKind::kDescription, "",
                "mesh.width x mesh.height: expected one router for each of the " +
                    std::to_string(units) + " units of pim.hierarchy, not " +
                    mesh_config.width.text() + " x " + mesh_config.height.text());
  }
  mesh_ = mesh::make_mesh(mesh_config, mesh::MeshTopology(mesh_config.width, mesh_config.height),
                          calendar, clock);
}

void RankMesh::connect(unsigned unit, NetworkEndpoint& endpoint) {
  ports_[unit].endpoint = &endpoint;
  ports_[unit].network = this;
  mesh_->connect(map_.router_of(unit), ports_[unit]);
}

void RankMesh::inject(const Packet& packet, support::Cycle when) {
  mesh::MeshPacket p;
  p.source = static_cast<std::uint16_t>(map_.router_of(packet.source));
  p.destination = static_cast<std::uint16_t>(map_.router_of(packet.destination));
  p.flits = flits(static_cast<std::uint32_t>(packet.payload.size()), config_.flit_bytes);
  p.flit_bytes = static_cast<std::uint16_t>(config_.flit_bytes.value());
  p.tag = packet.tag;
  p.payload = packet.payload;
  mesh_->inject(p, when);
}

Packet RankMesh::unit_packet(const mesh::MeshPacket& packet) const {
  return {.source = map_.unit_at(packet.source),
          .destination = map_.unit_at(packet.destination),
          .payload = packet.payload,
          .tag = packet.tag};
}

void RankMesh::Port::deliver(const mesh::MeshPacket& packet, support::Cycle when) {
  const Packet unit = network->unit_packet(packet);
  if (packet.is_altered) {
    network->ports_[unit.source].endpoint->altered(unit, packet.payload);
  }
  endpoint->deliver(unit, when);
}

void RankMesh::Port::lost(const mesh::MeshPacket& packet, const std::string& why, support::Cycle) {
  endpoint->lost(network->unit_packet(packet), why);
}

}  // namespace tvp::pim
