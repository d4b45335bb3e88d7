#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/ddr/dq_lanes.h"
#include "models/dram/timing.h"
#include "models/mesh/external_router.h"
#include "models/mesh/mesh_network.h"
#include "models/pim/hierarchy.h"
#include "models/pim/host_forwarder.h"
#include "models/pim/memory_channel.h"
#include "models/pim/network.h"
#include "models/pim/pim_config.h"
#include "models/pim/reductions.h"

namespace tvp::pim {

/// Three tiers after PIMnet: a mesh joins the banks of a chip, a crossbar over the partitioned DQ
/// pins the chips of a rank, the DDR bus the ranks of a channel (`MemoryChannel`). Only the host
/// joins channels: it takes packets from the bus of one and writes them on that of the other
/// (`HostForwarder`).
///
/// A packet that leaves its chip goes to the gateway of its mesh, from there as one transfer to the
/// gateway of the other chip, and through that chip's mesh. Gateways and the buffer of a rank store
/// whole packets and have places for so many. A unit injects a packet that leaves its chip when
/// there is a place for it at the gateway, so that meshes never wait for pins; a packet asks for
/// pins or bus when there is a place behind them. Units always take what arrives, so places into a
/// chip come free, with them those of buffers, with them those out of a chip: nothing waits in a
/// circle. What waits to be combined has places of its own, a unit for itself: reductions of
/// different units never wait for each other. They ask for pins for one
/// packet at a time: between two of them others who want the pins get their turn.
class TieredNetwork : public Network, public support::EventTarget {
 public:
  struct Stats {
    std::uint64_t packets_between_chips = 0;  ///< of one rank
    std::uint64_t packets_between_ranks = 0;
    std::uint64_t bytes_between_chips = 0;  ///< headers included
    std::uint64_t bytes_between_ranks = 0;
    std::uint64_t packets_between_channels = 0;
    std::uint64_t packets_as_commands = 0;  ///< between ranks, on the command/address bus alone
    std::size_t most_queued = 0;            ///< packets at a gateway on their way into a chip,
    std::size_t most_leaving = 0;           ///< out of it,
    std::size_t most_in_buffer = 0;         ///< in the buffer of a rank on their way to another one
    std::uint64_t multicasts = 0;           ///< packets that the switch gave to several chips,
    std::uint64_t reductions = 0;           ///< and those that it made of several
    std::size_t most_to_combine = 0;        ///< packets of a rank that wait for others to combine
    dram::MemCycle waited_to_leave = 0;     ///< at gateways for the chip's pins, all packets
    dram::MemCycle waited_in_buffer = 0;
  };

  /// `clocks`: by chip, who has those of the routers that are not TLM, or null; empty for none.
  TieredNetwork(const PimConfig& config, const mesh::MeshConfig& mesh_config,
                const Hierarchy& hierarchy, MemoryChannels& channels, support::Calendar& calendar,
                std::span<mesh::RouterClock* const> clocks = {});
  /// The mesh of a chip, with its gateway behind the units.
  static mesh::Topology chip_topology(const mesh::MeshConfig& config);

  void connect(unsigned unit, NetworkEndpoint& endpoint) override;
  bool may_inject(const Packet& packet) override;
  void inject(const Packet& packet, support::Cycle when) override;
  std::string refusal(unsigned unit, const SwitchOrder& order) const override;
  unsigned peer(unsigned unit, unsigned chip) const override;
  void scheduled_route(unsigned source, unsigned destination,
                       std::vector<std::uint32_t>& links) const override;
  void check_conservation() const override;
  void check_at_end() const override;
  void fire(support::Cycle now, std::uint64_t token) override;

  unsigned chips() const { return static_cast<unsigned>(chips_.size()); }
  const mesh::MeshNetwork& mesh(unsigned chip) const { return *chips_[chip]->mesh; }
  mesh::MeshNetwork& mesh(unsigned chip) { return *chips_[chip]->mesh; }
  const ddr::DqLanes& lanes(unsigned rank) const { return channels_.rank(rank).lanes; }
  unsigned ranks() const { return chips() / chips_of_rank_; }
  const Stats& stats() const { return stats_; }
  const HostForwarder& host() const { return host_; }

 private:
  struct UnitPort : mesh::Endpoint {
    TieredNetwork* network = nullptr;
    NetworkEndpoint* endpoint = nullptr;
    void deliver(const mesh::Packet& packet, support::Cycle when) override;
    void injection_credit(support::Cycle when) override { endpoint->injection_credit(when); }
    void lost(const mesh::Packet& packet, const std::string& why, support::Cycle when) override;
  };
  struct Gateway : mesh::Endpoint {
    TieredNetwork* network = nullptr;
    unsigned chip = 0;
    std::uint32_t places_out = 0;          ///< that are free
    std::uint32_t places_in = 0;           ///< the same
    std::deque<std::uint32_t> units_wait;  ///< for a place on the way out
    std::deque<std::uint32_t> entering;    ///< slots of packets
    std::deque<std::uint32_t> leaving;
    bool departing = false;        ///< a packet has asked for the pins
    dram::MemCycle pins_free = 0;  ///< when it has left
    std::uint32_t posted = 0;
    void deliver(const mesh::Packet& packet, support::Cycle when) override;
    void injection_credit(support::Cycle when) override;
    void lost(const mesh::Packet& packet, const std::string& why, support::Cycle when) override;
  };
  struct Chip {
    std::unique_ptr<mesh::MeshNetwork> mesh;
    std::vector<UnitPort> units;
    Gateway gateway;
    unsigned gateway_endpoint = 0;
  };
  /// Of a rank, towards the bus.
  struct Buffer {
    std::deque<std::uint32_t> waiting;
    bool sending = false;
    std::uint32_t places = 0;  ///< that are free
  };
  /// What the places of a unit are taken by.
  struct Sender {
    std::uint32_t reductions = 0;  ///< at the gateway, or on their way to it
    bool waits_to_combine = false;
    bool waits_to_leave = false;
    bool has_place = false;  ///< one on the way out is kept for it
  };
  static constexpr unsigned kNoBuffer = 0xFFFFFFFF;
  /// Somebody who waits for a place in each of these chips, or in the buffer of a rank.
  struct Waiter {
    enum class Who : std::uint8_t { kGateway, kBuffer, kCombiner, kHost } who = Who::kGateway;
    std::uint32_t number = 0;       ///< chip, rank, or slot
    std::vector<unsigned> chips{};  ///< of the system, each once
    unsigned buffer = kNoBuffer;
  };
  /// Of a rank: what its switch combines.
  struct Combiner {
    Reductions reductions;
    std::deque<Reductions::Reduction> complete;
    bool departing = false;        ///< one has asked for the pins
    dram::MemCycle pins_free = 0;  ///< when it has left
    std::vector<unsigned> units;   ///< whose packets it has
  };
  enum class Step : std::uint8_t {
    kCombine,
    kLeave,
    kDepart,
    kBuffered,
    kSend,
    kOffer,
    kEnter,
    kPlace
  };

  std::uint32_t keep(const Packet& packet);
  Packet take(std::uint32_t slot);
  void put(std::uint32_t slot, unsigned chip, unsigned source, unsigned destination,
           support::Cycle when);
  void post(support::Cycle when, unsigned chip, Step step, std::uint32_t slot);
  std::uint64_t bytes_of(std::uint32_t slot) const;
  bool leaves_chip(const Packet& packet) const;
  void take_place(const Packet& packet);
  void free_place_out(unsigned chip, support::Cycle now);
  void free_place_to_combine(unsigned unit, support::Cycle now);
  void ask_places(Waiter waiter, support::Cycle now);
  void give_places(support::Cycle now);
  /// Waiter `number`, before those behind it.
  bool can_have(std::size_t number) const;
  void go_on(const Waiter& waiter, support::Cycle now);
  std::vector<unsigned> receivers(const Packet& packet) const;
  void depart(unsigned chip, support::Cycle now);
  void depart_now(unsigned chip, support::Cycle now);
  /// To one or more chips of the rank; returns when the first beat leaves.
  dram::MemCycle cross(std::uint32_t slot, unsigned chip, dram::MemCycle earliest,
                       support::Cycle now);
  void contribute(std::uint32_t slot, unsigned chip, support::Cycle now);
  void combine(unsigned rank, support::Cycle now);
  void combine_now(unsigned rank, support::Cycle now);
  void give_results(const Reductions::Reduction& reduction, unsigned rank, dram::MemCycle arrived,
                    support::Cycle now);
  NetworkEndpoint& endpoint_of(unsigned unit) const {
    return *chips_[unit / banks_]->units[unit % banks_].endpoint;
  }
  void send(unsigned rank, support::Cycle now);
  void send_now(unsigned rank, support::Cycle now);
  void offer(std::uint32_t slot, support::Cycle now);
  void arrive(std::uint32_t slot, dram::MemCycle at_buffer, support::Cycle now);
  void enter(unsigned chip, support::Cycle now);

  const PimConfig& config_;
  support::Calendar& calendar_;
  const dram::ClockRatio to_dram_;
  const dram::ClockRatio to_logic_;
  const unsigned banks_;  ///< of a chip
  const unsigned chips_of_rank_;
  const unsigned ranks_of_channel_;
  const bool as_commands_;  ///< packets between ranks are PIM words
  std::vector<std::unique_ptr<Chip>> chips_;
  MemoryChannels& channels_;
  HostForwarder host_;
  std::vector<Buffer> buffers_;
  std::vector<Combiner> combiners_;
  std::vector<Sender> senders_;        ///< by unit
  std::deque<Waiter> waiters_;         ///< in the order of asking
  std::vector<Packet> packets_;        ///< under way
  std::vector<dram::MemCycle> ready_;  ///< of each: when it could go on from where it is stored
  std::vector<std::uint32_t> free_;
  std::uint64_t between_chips_ = 0;  ///< packets
  Stats stats_;
};

}  // namespace tvp::pim
