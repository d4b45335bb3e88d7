#pragma once

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/noc/noc_config.h"
#include "models/noc/noc_protocol.h"
#include "models/noc/packet_ledger.h"
#include "models/noc/torus/route.h"
#include "models/support/calendar.h"
#include "models/support/l1_intake.h"
#include "models/support/signal.h"

namespace tvp::noc {

struct LinkStats {
  std::uint64_t flits = 0;
  std::uint64_t packets = 0;
  std::uint64_t wait_cycles = 0;  ///< waits of headers for a taken link or VC
};

/// Observes arrivals, for the arrows of a trace. It never changes simulated time.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  /// The tail of a packet arrives at a node, in NoC 0 coordinates, at cycle `when`.
  virtual void arrives(unsigned noc, const NocExtension& header, Node from, Node to,
                       support::Cycle when) = 0;
};

/// One NoC of a chip: its routers and links behind one pair of sockets for each node. FastTorus
/// reserves whole paths; DetailedTorus moves flits from router to router.
class Torus : public sc_core::sc_module, public support::EventTarget {
 public:
  using FromNiu = tlm_utils::passthrough_target_socket_tagged_optional<Torus, 32, NocProtocol>;
  using ToNiu = tlm_utils::simple_initiator_socket_tagged_optional<Torus, 32, NocProtocol>;

  Torus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
        unsigned noc, support::Calendar& calendar);
  ~Torus() override = default;

  /// Sockets of the node at NoC 0 coordinates (x, y).
  FromNiu& from_niu(unsigned x, unsigned y);
  ToNiu& to_niu(unsigned x, unsigned y);
  /// Binds both directions of a NIU at its node.
  template <typename NiuType>
  void attach(NiuType& niu) {
    niu.to_network.bind(from_niu(niu.place().x, niu.place().y));
    to_niu(niu.place().x, niu.place().y).bind(niu.from_network);
    intakes_[node_at(niu.place().x, niu.place().y)] = niu.l1_intake();
  }

  unsigned noc() const { return noc_; }
  const Grid& grid() const { return grid_; }
  /// Statistics of a link of the router at NoC 0 coordinates (x, y).
  const LinkStats& link(unsigned x, unsigned y, Port port) const;
  /// Packets that occupy that link.
  support::LevelSignal& busy_signal(unsigned x, unsigned y, Port port);
  /// Flits of one channel in the buffer behind that link; null if the model has no buffers.
  virtual support::LevelSignal* occupancy_signal(unsigned, unsigned, Port, unsigned) {
    return nullptr;
  }
  /// null: none.
  void set_observer(PacketObserver* observer) { observer_ = observer; }
  std::uint64_t packets_sent() const { return ledger_.sent(); }
  std::uint64_t packets_delivered() const { return ledger_.delivered(); }
  /// Throws Fault(kInternal) unless every sent packet has reached all of its targets.
  void check_conservation() const;
  /// One line for each packet in flight, for the report of a hang.
  virtual void describe_in_flight(std::vector<std::string>& lines) const {
    ledger_.describe(lines);
  }

 protected:
  /// A NIU passes a packet whose header leaves at cycle `when`. Called inside the tile's run.
  virtual void inject(unsigned node, Packet& packet, support::Cycle when) = 0;
  /// A NIU has taken a packet out of its input buffer at cycle `when`. Called inside its run.
  virtual void consumed(unsigned node, Packet& packet, support::Cycle when) = 0;

  /// Passes a packet to the NIU of `node`; only events call it. True if the NIU accepts all
  /// packets; false if it reports each accepted packet.
  bool deliver_head(unsigned node, Packet& packet, support::Cycle when);
  void deliver_tail(unsigned node, Packet& packet, support::Cycle when);
  void release_vc(unsigned node, Packet& packet, support::Cycle when);
  bool populated(unsigned node) { return to_niu_[node]->get_base_port().size() > 0; }
  [[noreturn]] void no_niu(const NocExtension& header) const;

  const NocConfig& config_;
  const Grid& grid_;
  const unsigned noc_;
  support::Calendar& calendar_;
  PacketLedger ledger_;
  std::vector<LinkStats> links_;  ///< index: link_index

  /// Flits of requests that wait in a node's NIU for each virtual channel, beyond the first one. In
  /// front of L1 a NIU serves one for each channel (ISA NoC/Ordering.md), so the next ones stay
  /// outside.
  unsigned request_buffer(unsigned node) const {
    return queues_requests_[node] ? config_.niu_buffer_flits.value() : 0;
  }

  /// The arbiter of a node whose NIU cannot always forward data for L1 at once; else null.
  support::L1Intake* intake(unsigned node) const { return intakes_[node]; }

  bool before_dram(unsigned node) const { return before_dram_[node]; }

  /// Cycles from the broadcast's request for a path of `hops` until the response. The request
  /// cannot pass an earlier broadcast, which is slower.
  support::Cycle reservation_cycles(unsigned node, unsigned hops, support::Cycle leaves) const;
  /// The last flit of a broadcast with that path has left the NIU.
  void broadcast_left(unsigned node, unsigned hops, support::Cycle when) {
    last_broadcasts_[node] = {when, hops};
  }

  /// A link is busy in [begin, end).
  void show_busy(unsigned link, support::Cycle begin, support::Cycle end) {
    if (!busy_.empty()) [[unlikely]]
      busy_[link].occupy(begin, end);
  }
  /// Index on this NoC of the node at NoC 0 coordinates (x, y).
  unsigned node_at(unsigned x, unsigned y) const;

 private:
  tlm::tlm_sync_enum from_niu_fw(int node, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
  tlm::tlm_sync_enum to_niu_bw(int node, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay);

  void show_arrival(unsigned node, const Packet& packet, support::Cycle when);

  struct LastBroadcast {
    support::Cycle left = 0;
    unsigned hops = 0;
  };

  PacketObserver* observer_ = nullptr;
  std::vector<LastBroadcast> last_broadcasts_;  ///< index: node of this NoC
  std::vector<bool> queues_requests_;           ///< index: node of this NoC
  std::vector<bool> before_dram_;               ///< index: node of this NoC
  std::vector<support::L1Intake*> intakes_;     ///< index: node of this NoC
  std::vector<support::LevelSignal> busy_;      ///< index: link_index; empty without a wave file
  /// Index: node of this NoC; null outside the grid.
  std::vector<std::unique_ptr<FromNiu>> from_niu_;
  std::vector<std::unique_ptr<ToNiu>> to_niu_;
};

}  // namespace tvp::noc
