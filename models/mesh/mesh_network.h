#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/mesh/fault_plan.h"
#include "models/mesh/mesh_config.h"
#include "models/mesh/packet.h"
#include "models/mesh/rerouting.h"
#include "models/mesh/routing_table.h"
#include "models/mesh/statistics.h"
#include "models/mesh/topology.h"
#include "models/support/calendar.h"
#include "models/support/signal.h"

namespace tvp::mesh {

class RouterClock;

/// A mesh of routers between endpoints. It is one target of events of the calendar, which it asks
/// for one step a cycle while anything moves or waits, and for none otherwise.
///
/// How packets wait for each other is up to the derived classes; see make_mesh().
class MeshNetwork : public support::EventTarget {
 public:
  ~MeshNetwork() override = default;

  /// Every endpoint that receives something needs one before that.
  void connect(unsigned endpoint, Endpoint& who) { endpoints_[endpoint].who = &who; }

  const Topology& topology() const { return topology_; }

  /// Places that are free in the injection queue of an endpoint. They go down with inject() and
  /// up right before Endpoint::injection_place().
  unsigned injection_places(unsigned endpoint) const { return endpoints_[endpoint].places; }

  /// Injection queues without a limit from now on, for sources that wait for nothing.
  void lift_injection_limit();

  /// Puts a packet into the injection queue of its source at cycle `when`, which must not lie
  /// before the calendar's cycle, and for a tile must lie after its own. Throws Fault(kInternal)
  /// when there is no place, Fault(kFirmware) when source, destination or length make no sense.
  void inject(const Packet& packet, support::Cycle when);

  /// Cycles from injection to delivery over so many routers when nothing else moves.
  virtual double zero_load_cycles(double routers, unsigned flits) const = 0;

  /// Its links belong to a static schedule, which whoever injects has to keep.
  virtual bool is_scheduled() const { return false; }

  /// Packets that were injected and are neither delivered nor lost.
  std::uint64_t in_flight() const { return packets_in_flight_; }

  const Statistics& statistics() const { return statistics_; }
  /// Counts from zero again; what is in flight stays.
  void clear_statistics();

  /// What broke and what was done about it, line by line.
  const std::vector<std::string>& fault_log() const { return fault_log_; }
  /// Which of its faults break this mesh, before anything was injected; names in its messages.
  void break_later(std::vector<MeshFault> faults, const MeshPlace& place);
  /// Which routers cannot reach each other any more; empty when all can.
  std::string partition() const { return connectivity_.partition(topology_); }

  /// What shows flits on links, by node * kPorts + output port; null for nobody.
  void set_link_signals(support::LevelSignal* signals) { link_signals_ = signals; }

  /// Numbers node * kPorts + output port of the links that a packet passes, in order, with the way
  /// out of the last router; the first output where a routing leaves a choice.
  void way(unsigned source, unsigned destination, std::vector<std::uint32_t>& links) const {
    find_way(topology_, table_, source, destination, links);
  }

  /// Throws Fault(kInternal) when a packet is neither delivered nor lost nor under way.
  void check_books() const;
  /// Throws Fault(kInternal) when a packet or a flit has vanished, or something is still under way.
  void check_at_end() const;

  void fire(support::Cycle now, std::uint64_t token) final;

 protected:
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;

  struct Slot {
    Packet packet;
    std::uint32_t next = kNoSlot;  ///< behind it in the injection queue
    std::uint16_t sent = 0;        ///< flits that have left the injection queue
    std::uint16_t arrived = 0;     ///< flits that are at the destination
    enum class State : std::uint8_t { kFree, kQueued, kMoving, kComingBack };
    State state = State::kFree;
    bool holds_place = true;       ///< in the injection queue
    bool damaged = false;          ///< a check of its bytes will tell
    std::uint32_t damaged_by = 0;  ///< link, node * kPorts + port
  };

  MeshNetwork(const MeshConfig& config, const Topology& topology, support::Calendar& calendar);

  /// Everything that happens in a cycle.
  virtual void step(support::Cycle now) = 0;
  /// The next cycle in which anything can happen, kNever when the network is empty. Injections come
  /// on top.
  virtual support::Cycle next_step(support::Cycle now) const = 0;
  /// Something is in the injection queue of an endpoint.
  virtual void source_ready(unsigned endpoint) = 0;
  /// Everything that is in routers and on links is gone; tables and targets() are new.
  virtual void flush() = 0;
  /// Packets hold channels while they wait for others; on virtual channels, one of which may be
  /// there to escape.
  virtual bool packets_wait() const { return false; }
  virtual bool has_escape() const { return false; }

  // For the derived classes.
  const Slot& slot(std::uint32_t index) const { return slots_[index]; }
  Slot& slot(std::uint32_t index) { return slots_[index]; }
  bool has_queued(unsigned endpoint) const {
    return endpoints_[endpoint].being_sent != kNoSlot || endpoints_[endpoint].waiting != 0;
  }
  /// The packet whose flits leave the injection queue now or next.
  std::uint32_t front_of_queue(unsigned endpoint) const;
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
  void send_again(std::uint32_t slot_index, support::Cycle when);
  /// A flit leaves a router.
  void count_link(unsigned node, Port port, const Flit& flit) {
    const unsigned link = node * kPorts + index(port);
    ++statistics_.link_flits[link];
    if (link_signals_ != nullptr) [[unlikely]]
      link_signals_[link].occupy(stepped_until_ - 1, stepped_until_);
    if (faults_active_ != 0 && damages_[link] != 0) {
      slots_[flit.packet].damaged = true;
      slots_[flit.packet].damaged_by = link;
    }
  }
  void count_routed(std::uint32_t slot_index, bool blocked) {
    ++slots_[slot_index].packet.routers;
    ++statistics_.packets_routed;
    statistics_.packets_blocked += blocked;
  }

  void count_blocked() { ++statistics_.packets_blocked; }

  /// Those of the routers that are not the mesh's own are empty and have the tables of now.
  void reset_external(RouterClock& clock) const;

  /// Ports of a router that lead to routers, and those that lead to endpoints.
  PortMask links_of(unsigned node) const;
  PortMask endpoint_ports_of(unsigned node) const;

  /// What a port of a router leads to.
  struct Target {
    static constexpr std::uint32_t kNothing = 0xFFFFFFFF;
    static constexpr std::uint32_t kEndpoint = 0x80000000;
    std::uint32_t value = kNothing;  ///< node * kPorts + input port there, or kEndpoint | endpoint
    bool is_endpoint() const { return value != kNothing && (value & kEndpoint) != 0; }
    unsigned endpoint() const { return value & ~kEndpoint; }
  };
  /// By node * kPorts + port. The way back is the same: links come in pairs.
  const std::vector<Target>& targets() const { return targets_; }

  const MeshConfig& config_;
  Topology topology_;
  RoutingTable table_;
  Statistics statistics_;

 private:
  struct EndpointState {
    Endpoint* who = nullptr;
    unsigned places = 0;
    std::uint32_t being_sent = kNoSlot;  ///< not in a queue any more
    /// Of packets that have not been sent; one for all traffic classes where they do not count.
    struct Queue {
      std::uint32_t first = kNoSlot;
      std::uint32_t last = kNoSlot;
    };
    std::array<Queue, kTrafficClasses> queues;
    unsigned waiting = 0;  ///< queues that are not empty, a bit each
    ClassTurn turn;
    std::uint32_t injections = 0;
  };

  void find_targets();
  std::uint32_t new_slot();
  void check(const Packet& packet) const;
  void enqueue(std::uint32_t slot_index, support::Cycle now);
  void enqueue_first(std::uint32_t slot_index, support::Cycle now);
  void step_at(support::Cycle when);
  bool reaches(const Packet& packet) const;
  void release(std::uint32_t slot_index);
  void lose(std::uint32_t slot_index, const std::string& why, support::Cycle now);
  std::string why_unreachable() const;
  std::string why_damaged(const Slot& slot, support::Cycle now) const;
  void check_failed(std::uint32_t slot_index, support::Cycle when);
  void fault_event(std::uint32_t number, support::Cycle now);
  void post_fault(std::size_t fault, support::Cycle when, unsigned what);
  void change_damage(const MeshFault& fault, int change);
  void fault_begins(const MeshFault& fault, support::Cycle now);
  void take_out(const MeshFault& fault, support::Cycle now);
  void requeue_everything(support::Cycle now);
  unsigned queue_of(const Packet& packet) const {
    return arbitration_ == Arbitration::kStrict || arbitration_ == Arbitration::kWeighted
               ? packet.traffic_class
               : 0;
  }
  void drop_unreachable(unsigned endpoint, support::Cycle now);

  support::Calendar& calendar_;
  support::LevelSignal* link_signals_ = nullptr;
  std::vector<EndpointState> endpoints_;
  std::vector<Target> targets_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  bool has_injection_limit_;
  Arbitration arbitration_;
  MeshPlace place_;
  std::vector<MeshFault> faults_;
  unsigned faults_active_ = 0;         ///< that damage flits
  std::vector<std::uint8_t> damages_;  ///< by node * kPorts + port: faults
  Connectivity connectivity_;
  std::vector<std::string> fault_log_;
  std::string out_of_service_;  ///< names and cycles
  std::uint64_t packets_in_flight_ = 0;
  std::uint64_t packets_seen_ = 0;  ///< injected since the beginning
  std::uint64_t packets_done_ = 0;  ///< delivered or lost since the beginning
  std::uint64_t flits_inside_ = 0;  ///< that have left an injection queue and not come out
  support::Cycle next_step_ = support::kNever;
  support::Cycle stepped_until_ = 0;  ///< first cycle that has not had its step
};

/// The network that `config.flow_control` names, with the routing that `config.routing` names.
/// Throws Fault(kDescription) when the two deadlock on this topology. `clock`: who has those of the
/// routers that are not the mesh's own, or null. `place`: which of several meshes it is.
std::unique_ptr<MeshNetwork> make_mesh(const MeshConfig& config, const Topology& topology,
                                       support::Calendar& calendar, RouterClock* clock = nullptr,
                                       const MeshPlace& place = {});

}  // namespace tvp::mesh
