#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/ddr/dq_lanes.h"
#include "models/mesh/external_router.h"
#include "models/mesh/mesh_network.h"
#include "models/pim/channel_array.h"
#include "models/pim/network/network.h"
#include "models/pim/network/node_map.h"
#include "models/pim/network/rank_bus.h"
#include "models/pim/network/rank_switch.h"
#include "models/pim/network/tier_context.h"
#include "models/pim/network/tier_credits.h"
#include "models/pim/network/tier_events.h"
#include "models/pim/network/tier_geometry.h"
#include "models/pim/network/tier_packets.h"
#include "models/pim/network/tier_stats.h"
#include "models/pim/pim_config.h"
#include "models/pim/pim_hierarchy.h"

namespace tvp::pim {

/// Three tiers like PIMnet. A mesh joins the banks of a chip (`mesh::MeshNetwork`). A crossbar over
/// the partitioned DQ pins joins the chips of a rank (`RankSwitch`). The DDR bus joins the ranks of
/// a channel (`RankBus`). Only the host joins channels: it takes packets from one bus and writes
/// them to the other (`HostForwarder`).
///
/// A packet to another chip goes to the gateway of its mesh, from there as one transfer to the
/// gateway of the other chip, and through that chip's mesh. Gateways and the buffer of a rank store
/// whole packets, as many as there are credits (`TierCredits`). A unit injects such a packet only
/// with a credit for the gateway, so meshes never wait for pins. A packet requests pins or bus only
/// with a credit for the storage behind them.
///
/// Units accept all packets, so credits into a chip always return. Therefore those of buffers and
/// those out of a chip return too, and no cycle of waits can form. Packets that wait to be combined
/// have separate slots for each unit, so reductions of different units never wait for each other. A
/// reduction requests the pins for one packet at a time, so that other traffic gets its turn in
/// between.
class TieredNetwork : public Network, public support::EventTarget, private TierCredits::Client {
 public:
  using Stats = TierStats;

  /// `clocks`: for each chip the provider of external routers, or null; empty for none.
  TieredNetwork(const PimConfig& config, const mesh::MeshConfig& mesh_config,
                const PimHierarchy& hierarchy, ChannelArray& channels, support::Calendar& calendar,
                std::span<mesh::RouterClock* const> clocks = {});
  /// The mesh of a chip, with its gateway behind the units.
  static mesh::MeshTopology chip_topology(const mesh::MeshConfig& config);

  void connect(unsigned unit, NetworkEndpoint& endpoint) override;
  bool may_inject(const Packet& packet) override;
  void inject(const Packet& packet, support::Cycle when) override;
  std::string refusal(unsigned unit, const SwitchOrder& order) const override;
  unsigned peer(unsigned unit, unsigned chip) const override { return geometry_.peer(unit, chip); }
  void scheduled_route(unsigned source, unsigned destination,
                       std::vector<std::uint32_t>& links) const override;
  std::string why_stuck() const override;
  void check_conservation() const override;
  void check_at_end() const override;
  void fire(support::Cycle now, std::uint64_t token) override;

  unsigned chips() const { return static_cast<unsigned>(chips_.size()); }
  const mesh::MeshNetwork& mesh(unsigned chip) const { return *chips_[chip]->mesh; }
  mesh::MeshNetwork& mesh(unsigned chip) { return *chips_[chip]->mesh; }
  const ddr::DqLanes& lanes(unsigned rank) const { return channels_.rank(rank).lanes; }
  unsigned ranks() const { return geometry_.rank_of(chips()); }
  const Stats& stats() const { return stats_; }
  const HostForwarder& host() const { return bus_.host(); }

 private:
  void note_altered(const mesh::MeshPacket& packet, bool leaves);
  struct UnitPort : mesh::Endpoint {
    TieredNetwork* network = nullptr;
    NetworkEndpoint* endpoint = nullptr;
    void deliver(const mesh::MeshPacket& packet, support::Cycle when) override;
    void injection_credit(support::Cycle when) override { endpoint->injection_credit(when); }
    void lost(const mesh::MeshPacket& packet, const std::string& why, support::Cycle when) override;
  };
  struct Gateway : mesh::Endpoint {
    TieredNetwork* network = nullptr;
    unsigned chip = 0;
    std::deque<std::uint32_t> entering;  ///< slots of packets
    void deliver(const mesh::MeshPacket& packet, support::Cycle when) override;
    void injection_credit(support::Cycle when) override;
    void lost(const mesh::MeshPacket& packet, const std::string& why, support::Cycle when) override;
  };
  struct Chip {
    std::unique_ptr<mesh::MeshNetwork> mesh;
    std::vector<UnitPort> units;
    Gateway gateway;
    unsigned gateway_endpoint = 0;
  };

  /// The endpoint of a unit in the mesh of its chip.
  unsigned router_of(unsigned unit) const { return map_.router_of(geometry_.bank_of(unit)); }
  bool leaves_chip(const Packet& packet) const;
  void put(std::uint32_t slot, unsigned chip, unsigned source, unsigned destination,
           support::Cycle when);
  void granted(const TierCredits::Request& request, support::Cycle now) override;
  void may_inject_again(unsigned unit, support::Cycle when) override {
    endpoints_[unit]->injection_credit(when);
  }
  void arrived(unsigned chip, std::uint32_t slot, support::Cycle now);
  void enter(unsigned chip, support::Cycle now);

  const TierGeometry geometry_;
  const NodeMap map_;  ///< places of a chip's units
  ChannelArray& channels_;
  std::vector<NetworkEndpoint*> endpoints_;  ///< index: unit
  std::vector<std::unique_ptr<Chip>> chips_;
  Stats stats_;
  TierPackets packets_;
  TierEvents events_;
  TierCredits credits_;
  const TierContext tiers_;
  RankSwitch switch_;
  RankBus bus_;
};

}  // namespace tvp::pim
