#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/mesh/external_router.h"
#include "models/mesh/mesh_network.h"
#include "models/pim/network/network.h"
#include "models/pim/network/node_map.h"
#include "models/pim/pim_config.h"

namespace tvp::pim {

/// One mesh of routers that joins all units, at the places of the NodeMap.
class RankMesh : public Network {
 public:
  /// `clock` provides external routers, or is null. Throws Fault(kDescription) if the number of
  /// routers differs from the number of units.
  RankMesh(const PimConfig& config, const mesh::MeshConfig& mesh_config, unsigned units,
           support::Calendar& calendar, mesh::RouterClock* clock = nullptr);

  void connect(unsigned unit, NetworkEndpoint& endpoint) override;
  bool may_inject(const Packet& packet) override {
    return mesh_->injection_credits(map_.router_of(packet.source)) > 0;
  }
  void inject(const Packet& packet, support::Cycle when) override;
  void scheduled_route(unsigned source, unsigned destination,
                       std::vector<std::uint32_t>& links) const override {
    links.clear();
    if (mesh_->is_scheduled())
      mesh_->route(map_.router_of(source), map_.router_of(destination), links);
  }
  std::string why_stuck() const override { return mesh_->why_stuck(); }
  void check_conservation() const override { mesh_->check_conservation(); }
  void check_at_end() const override { mesh_->check_at_end(); }

  const mesh::MeshNetwork& mesh() const { return *mesh_; }
  mesh::MeshNetwork& mesh() { return *mesh_; }
  /// The header takes a separate flit.
  static std::uint16_t flits(std::uint32_t payload_bytes, std::uint32_t flit_bytes) {
    return static_cast<std::uint16_t>(1 + (payload_bytes + flit_bytes - 1) / flit_bytes);
  }

 private:
  struct Port : mesh::Endpoint {
    NetworkEndpoint* endpoint = nullptr;
    RankMesh* network = nullptr;
    void deliver(const mesh::MeshPacket& packet, support::Cycle when) override;
    void injection_credit(support::Cycle when) override { endpoint->injection_credit(when); }
    void lost(const mesh::MeshPacket& packet, const std::string& why, support::Cycle when) override;
  };

  /// The packet of the stops that travels as `packet`.
  Packet unit_packet(const mesh::MeshPacket& packet) const;

  const PimConfig& config_;
  const NodeMap map_;
  std::unique_ptr<mesh::MeshNetwork> mesh_;
  std::vector<Port> ports_;
};

}  // namespace tvp::pim
