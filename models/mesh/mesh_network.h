#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "foundation/random.h"
#include "foundation/warning_sink.h"
#include "models/mesh/faults/fault_state.h"
#include "models/mesh/flit_payloads.h"
#include "models/mesh/flit_wait.h"
#include "models/mesh/flow_control/injection_queue.h"
#include "models/mesh/link_targets.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/mesh_topology.h"
#include "models/mesh/packet_pool.h"
#include "models/mesh/passing_flits.h"
#include "models/mesh/routing/routing_table.h"
#include "models/mesh/statistics.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::mesh {

/// A mesh of routers between endpoints. As a target of the calendar it requests one step in a cycle
/// while flits move or wait, and none otherwise. If no flit has moved for patience() cycles, the
/// mesh is stuck: it waits for an injection or a fault, so that a machine without other events is
/// idle.
///
/// Derived classes define how packets wait for each other; see make_mesh().
class MeshNetwork : public support::EventTarget {
 public:
  using TimeText = std::function<std::string(support::Cycle)>;

  ~MeshNetwork() override = default;

  /// An endpoint must be connected before it receives packets.
  void connect(unsigned endpoint, Endpoint& who) { endpoints_[endpoint] = &who; }

  const MeshTopology& topology() const { return topology_; }

  /// Free slots of an endpoint's injection queue, in packets. inject() takes one. A slot is
  /// returned immediately before Endpoint::injection_credit().
  unsigned injection_credits(unsigned endpoint) const { return queues_[endpoint].credits(); }

  /// Removes the limit of the injection queues, for open-loop sources.
  void lift_injection_limit();

  /// Puts a packet into the injection queue of its source at cycle `when`. `when` must not be
  /// before the calendar's cycle; a tile's `when` must be after its own cycle. Throws
  /// Fault(kInternal) without a credit. Throws Fault(kFirmware) for an impossible source,
  /// destination or length.
  void inject(const MeshPacket& packet, support::Cycle when);

  /// Cycles from injection to delivery through `routers` routers in an empty network.
  virtual double zero_load_cycles(double routers, unsigned flits) const = 0;

  /// True if a static schedule assigns the links; the client must inject accordingly.
  virtual bool is_scheduled() const { return false; }

  /// Packets injected and neither delivered nor lost.
  std::uint64_t in_flight() const { return packets_.in_flight(); }

  const Statistics& statistics() const { return statistics_; }
  /// Resets the counters; packets in flight stay.
  void clear_statistics();

  /// The faults and the reactions to them, one line each.
  const std::vector<std::string>& fault_log() const { return faults_.log(); }
  /// Sets the faults that will break this mesh. Call it before the first injection. `place` gives
  /// the names in messages.
  void break_later(std::vector<MeshFault> faults, const MeshPlace& place);
  /// The routers that cannot reach each other any more; empty if all can.
  std::string partition() const { return faults_.partition(); }

  /// Sets the signals that show flits on links, indexed by node * kPorts + output port; null: none.
  void set_link_signals(support::LevelSignal* signals) { link_signals_ = signals; }

  /// The links (node * kPorts + output port) that a packet passes, in order, including the output
  /// port of the last router. If the routing leaves a choice, the first output is used.
  void route(unsigned source, unsigned destination, std::vector<std::uint32_t>& links) const {
    find_route(topology_, table_, source, destination, links);
  }

  /// True if packets wait and nothing moves.
  bool is_stuck() const { return stuck_ && in_flight() > 0; }
  /// The router to blame, the packet that waits there and since when, in a line; empty if the mesh
  /// is not stuck.
  std::string why_stuck() const;
  /// Texts about external routers have times by `time_of`. A router that alters a payload is a
  /// warning, or without `warnings` a Fault(kFirmware).
  void report_to(foundation::WarningSink* warnings, TimeText time_of) {
    warnings_ = warnings;
    time_of_ = std::move(time_of);
  }
  /// Cycles without a move after which the mesh is stuck. In an empty mesh, a packet crosses all
  /// routers in a small part of this time.
  support::Cycle patience() const;

  /// Throws Fault(kInternal) if a packet is neither delivered, lost nor in flight.
  void check_conservation() const;
  /// Throws Fault(kInternal) if a packet or flit has vanished or is still in flight.
  void check_at_end() const;

  void fire(support::Cycle now, std::uint64_t token) final;

 protected:
  MeshNetwork(const MeshConfig& config, const MeshTopology& topology, support::Calendar& calendar);

  /// Simulates a cycle.
  virtual void step(support::Cycle now) = 0;
  /// The next cycle that needs a step; kNever if the network is empty. Injections add steps.
  virtual support::Cycle next_step(support::Cycle now) const = 0;
  /// The injection queue of an endpoint is no longer empty.
  virtual void source_ready(unsigned endpoint) = 0;
  /// Drops all flits in routers and on links, and adopts the new tables and targets.
  virtual void flush() = 0;
  /// packets_wait(): packets hold channels while they wait for others. has_escape(): one virtual
  /// channel is an escape channel.
  virtual bool packets_wait() const { return false; }
  virtual bool has_escape() const { return false; }
  /// Adds the packets that wait for a router.
  virtual void find_waits(std::vector<FlitWait>& waits) const { static_cast<void>(waits); }

  // Access for the derived classes.
  const PacketState& packet(std::uint32_t number) const { return packets_[number]; }
  /// Adds the wait of an injection queue whose router takes nothing.
  void add_wait_of_source(unsigned endpoint, FlitWait::Why why, std::vector<FlitWait>& waits) const;
  bool has_queued(unsigned endpoint) const { return !queues_[endpoint].empty(); }
  /// The packet whose flits leave the injection queue now or next.
  std::uint32_t front_of_queue(unsigned endpoint) const { return queues_[endpoint].front(); }
  /// Takes the next flit of the first packet of an injection queue.
  Flit take_flit(unsigned endpoint, support::Cycle now);
  /// A flit reaches its endpoint at cycle `when`; the last one delivers the packet.
  void eject(unsigned endpoint, const Flit& flit, support::Cycle when);
  // External routers:
  /// A flit enters one. Returns its payload.
  std::uint64_t enter(PassingFlits& passing, Port in, const Flit& flit) {
    const unsigned number = passing.enter(in, flit);
    return payloads_.of(flit.packet, packets_[flit.packet].packet, number);
  }
  /// A flit leaves one. Sets the arrival time of a head. Throws Fault(kFirmware) if it did not
  /// enter or may not leave there.
  void leave_external(unsigned node, Port out, PassingFlits& passing, Flit& flit,
                      std::uint64_t payload);
  /// Throws Fault(kFirmware) in the name of a router.
  [[noreturn]] void blame(unsigned node, const std::string& text) const;

  /// Drops a flit.
  void discard(const Flit& flit) {
    static_cast<void>(flit);
    --flits_inside_;
  }
  /// The source of a dropped or damaged packet sends the whole packet again, from `when` on.
  void send_again(std::uint32_t number, support::Cycle when);
  /// A flit leaves a router.
  void count_link(unsigned node, Port port, const Flit& flit) {
    const unsigned link = node * kPorts + index(port);
    ++statistics_.link_flits[link];
    moved_at_ = stepped_until_;
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
  void work_at(support::Cycle now);
  std::string route_text(const MeshPacket& packet) const;
  std::string name_of_router(unsigned node) const {
    return faults_.prefix() + "mesh.router " + topology_.name_of_router(node);
  }
  void lose(std::uint32_t number, const std::string& why, support::Cycle now);
  void check_failed(std::uint32_t number, support::Cycle when);
  void post_fault(std::size_t fault, support::Cycle when, unsigned what);
  void fault_event(std::uint32_t number, support::Cycle now);
  void take_out(const MeshFault& fault, support::Cycle now);
  void send_all_again(support::Cycle now);

  support::Calendar& calendar_;
  support::LevelSignal* link_signals_ = nullptr;
  std::vector<Endpoint*> endpoints_;
  std::vector<InjectionQueue> queues_;  ///< index: endpoint
  PacketPool packets_;
  FlitPayloads payloads_;
  foundation::WarningSink* warnings_ = nullptr;
  TimeText time_of_ = [](support::Cycle cycle) { return "cycle " + std::to_string(cycle); };
  FaultState faults_;
  foundation::Random ways_;  ///< random choices of routings
  Statistics statistics_;
  /// Flits that have left an injection queue and not reached their endpoint.
  std::uint64_t flits_inside_ = 0;
  support::Cycle next_step_ = support::kNever;
  support::Cycle stepped_until_ = 0;  ///< first cycle without a step so far
  support::Cycle moved_at_ = 0;       ///< after the last cycle in which a flit moved
  support::Cycle patience_ = 0;       ///< patience(); 0 until the first injection
  bool stuck_ = false;
};

}  // namespace tvp::mesh
