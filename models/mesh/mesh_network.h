#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "foundation/random.h"
#include "models/mesh/faults/fault_state.h"
#include "models/mesh/flow_control/injection_queue.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/packet_pool.h"
#include "models/mesh/routing/routing_table.h"
#include "models/mesh/statistics.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::mesh {

/// A mesh of routers between endpoints. It is one target of events of the calendar, which it asks
/// for one step a cycle while anything moves or waits, and for none otherwise.
///
/// How packets wait for each other is up to the derived classes; see make_mesh().
class MeshNetwork : public support::EventTarget {
 public:
  ~MeshNetwork() override = default;

  /// Every endpoint that receives something needs one before that.
  void connect(unsigned endpoint, Endpoint& who) { endpoints_[endpoint] = &who; }

  const MeshTopology& topology() const { return topology_; }

  /// Credits for the injection queue of an endpoint: packets that fit into it. They go down with
  /// inject() and up right before Endpoint::injection_credit().
  unsigned injection_credits(unsigned endpoint) const { return queues_[endpoint].credits(); }

  /// Injection queues without a limit from now on, for sources that wait for nothing.
  void lift_injection_limit();

  /// Puts a packet into the injection queue of its source at cycle `when`, which must not lie
  /// before the calendar's cycle, and for a tile must lie after its own. Throws Fault(kInternal)
  /// without a credit, Fault(kFirmware) when source, destination or length make no sense.
  void inject(const MeshPacket& packet, support::Cycle when);

  /// Cycles from injection to delivery over so many routers when nothing else moves.
  virtual double zero_load_cycles(double routers, unsigned flits) const = 0;

  /// Its links belong to a static schedule, which whoever injects has to keep.
  virtual bool is_scheduled() const { return false; }

  /// Packets that were injected and are neither delivered nor lost.
  std::uint64_t in_flight() const { return packets_.in_flight(); }

  const Statistics& statistics() const { return statistics_; }
  /// Counts from zero again; what is in flight stays.
  void clear_statistics();

  /// The faults and the reactions to them, line by line.
  const std::vector<std::string>& fault_log() const { return faults_.log(); }
  /// Which of its faults break this mesh, before anything was injected; names in its messages.
  void break_later(std::vector<MeshFault> faults, const MeshPlace& place);
  /// Which routers cannot reach each other any more; empty when all can.
  std::string partition() const { return faults_.partition(); }

  /// Sets the signals that show flits on links, by node * kPorts + output port; null for none.
  void set_link_signals(support::LevelSignal* signals) { link_signals_ = signals; }

  /// Numbers node * kPorts + output port of the links that a packet passes, in order, with the port
  /// out of the last router; the first output where a routing leaves a choice.
  void route(unsigned source, unsigned destination, std::vector<std::uint32_t>& links) const {
    find_route(topology_, table_, source, destination, links);
  }

  /// Throws Fault(kInternal) when a packet is neither delivered nor lost nor under way.
  void check_conservation() const;
  /// Throws Fault(kInternal) when a packet or a flit has vanished, or something is still under way.
  void check_at_end() const;

  void fire(support::Cycle now, std::uint64_t token) final;

 protected:
  MeshNetwork(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar);

  /// Everything that happens in a cycle.
  virtual void step(support::Cycle now) = 0;
  /// The next cycle in which anything can happen, kNever when the network is empty. Injections come
  /// on top.
  virtual support::Cycle next_step(support::Cycle now) const = 0;
  /// Something is in the injection queue of an endpoint.
  virtual void source_ready(unsigned endpoint) = 0;
  /// Everything that is in routers and on links is gone; tables and targets are new.
  virtual void flush() = 0;
  /// Packets hold channels while they wait for others; on virtual channels, one of which may be
  /// there to escape.
  virtual bool packets_wait() const { return false; }
  virtual bool has_escape() const { return false; }

  // For the derived classes.
  const PacketState& packet(std::uint32_t number) const { return packets_[number]; }
  bool has_queued(unsigned endpoint) const { return !queues_[endpoint].empty(); }
  /// The packet whose flits leave the injection queue now or next.
  std::uint32_t front_of_queue(unsigned endpoint) const { return queues_[endpoint].front(); }
  /// The next flit of the first packet of an injection queue leaves it.
  Flit take_flit(unsigned endpoint, support::Cycle now);
  /// A flit is at its endpoint at cycle `when`; the last one delivers the packet.
  void eject(unsigned endpoint, const Flit& flit, support::Cycle when);
  /// A flit is dropped.
  void discard(const Flit& flit) {
    static_cast<void>(flit);
    --flits_inside_;
  }
  /// The source of a packet that was dropped or damaged sends all of it again, from `when` on.
  void send_again(std::uint32_t number, support::Cycle when);
  /// A flit leaves a router.
  void count_link(unsigned node, Port port, const Flit& flit) {
    const unsigned link = node * kPorts + index(port);
    ++statistics_.link_flits[link];
    if (link_signals_ != nullptr) [[unlikely]]
      link_signals_[link].occupy(stepped_until_ - 1, stepped_until_);
    if (faults_.damages(link)) {
      packets_[flit.packet].damaged = true;
      packets_[flit.packet].damaged_by = link;
    }
  }
  void count_routed(std::uint32_t number, bool blocked) {
    packets_.pass_router(number);
    ++statistics_.packets_routed;
    statistics_.packets_blocked += blocked;
  }
  void count_blocked() { ++statistics_.packets_blocked; }

  /// The other end of a port.
  Target target(unsigned node, Port port) const {
    return targets_[std::size_t{node} * kPorts + index(port)];
  }

  const MeshConfig& config_;
  MeshTopology topology_;
  RoutingTable table_;
  LinkTargets targets_;

 private:
  void check(const MeshPacket& packet) const;
  void choose_way(Flit& head);
  void post_injection(std::uint16_t source, std::uint8_t port, support::Cycle when,
                      std::uint64_t token);
  void enqueue(std::uint32_t number, support::Cycle now);
  void enqueue_first(std::uint32_t number, support::Cycle now);
  void step_at(support::Cycle when);
  void lose(std::uint32_t number, const std::string& why, support::Cycle now);
  void check_failed(std::uint32_t number, support::Cycle when);
  void post_fault(std::size_t fault, support::Cycle when, unsigned what);
  void fault_event(std::uint32_t number, support::Cycle now);
  void take_out(const MeshFault& fault, support::Cycle now);
  void send_all_again(support::Cycle now);

  support::Calendar& calendar_;
  support::LevelSignal* link_signals_ = nullptr;
  std::vector<Endpoint*> endpoints_;
  std::vector<InjectionQueue> queues_;  ///< by endpoint
  PacketPool packets_;
  FaultState faults_;
  foundation::Random ways_;  ///< what routings draw
  Statistics statistics_;
  std::uint64_t flits_inside_ = 0;  ///< that have left an injection queue and not come out
  support::Cycle next_step_ = support::kNever;
  support::Cycle stepped_until_ = 0;  ///< first cycle that has not had its step
};

}  // namespace tvp::mesh
