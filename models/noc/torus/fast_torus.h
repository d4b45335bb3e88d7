#pragma once

#include <array>
#include <vector>

#include "models/noc/torus/torus.h"

namespace tvp::noc {

/// A torus that determines a packet's whole route and times when it is injected. It reserves every
/// link of the route, in order, for the time that the packet needs. A packet takes one event.
///
/// Packets with the same VC on a link follow each other whole. Packets with different VCs share the
/// link flit by flit, as far as the reservations are known. No packet passes one that has already
/// reserved; if NOC_CMD_ARB_PRIORITY requires that, the run stops. A blocked packet occupies
/// upstream links with the flits that do not fit into the buffer of one input port.
class FastTorus : public Torus {
 public:
  FastTorus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
            unsigned noc, support::Calendar& calendar);
  void fire(support::Cycle now, std::uint64_t token) override;
  void describe_in_flight(std::vector<std::string>& lines) const override;

 protected:
  void inject(unsigned node, Packet& packet, support::Cycle when) override;
  /// The links of a packet.
  virtual void find_legs(const NocExtension& header, std::vector<RouteLeg>& legs) const {
    find_route(grid_, header, noc_, legs);
  }
  /// The node at which a packet ends that is no broadcast.
  virtual unsigned end_of(const NocExtension& header) const { return header.target.index(); }

 private:
  /// The time in which one packet holds a channel of a link.
  struct Interval {
    support::Cycle start;
    support::Cycle end;  ///< cycle after the last flit
    std::uint16_t flow;  ///< source and its first channel: packets of a flow never overtake
    std::uint8_t priority;
  };
  struct Link {
    std::array<std::vector<Interval>, vc::kCount> taken;  ///< in order of time
    std::array<support::Cycle, vc::kCount> free_from{};   ///< end of the last interval in taken[i]
    std::uint16_t in_use = 0;                             ///< bit i: taken[i] has been used
  };
  struct Timing {
    support::Cycle head;  ///< cycle at which the header crosses the link
    support::Cycle tail;  ///< cycle at which the last flit crosses it
    std::uint8_t vc;
  };
  /// Packets on their way to a NIU that can refuse, or inside it.
  struct Gate {
    unsigned packets = 0;
    unsigned flits = 0;
    std::vector<Packet*> waiting;
  };

  void consumed(unsigned node, Packet& packet, support::Cycle when) override;
  void admit(Packet& packet, support::Cycle now);
  void send(Packet& packet, support::Cycle start);
  support::Cycle path_reserved(const NocExtension& header, support::Cycle start);
  void reserve_heads(const NocExtension& header, support::Cycle start);
  void reserve_tails(const NocExtension& header);
  void take_links(const NocExtension& header);
  support::Cycle first_gap(const Link& link, unsigned vc, support::Cycle arrives,
                           const NocExtension& header) const;
  void check_priority(const Interval& taken, support::Cycle arrives,
                      const NocExtension& header) const;
  static support::Cycle shared_cycles(const Link& link, unsigned vc, support::Cycle start,
                                      support::Cycle end);
  unsigned latency_after(Port port, const NocExtension& header) const;
  support::Cycle waits_for_credits(const NocExtension& header, Port port) const;
  Gate& gate(const NocExtension& header);
  bool gate_open(const Gate& gate, const NocExtension& header) const;

  std::vector<Link> timing_of_links_;
  std::vector<Gate> gates_;    ///< index: node * 16 + VC without dateline
  std::vector<bool> refuses_;  ///< true if the node's NIU returns END_REQ for each accepted packet
  std::array<unsigned, kNodes> reserved_hops_{};  ///< hops of the last reserved path, by node
  std::array<support::Cycle, kNodes> fetched_{};  ///< end of a NIU's reads for its writes so far
  std::vector<RouteLeg> legs_;
  std::vector<Timing> times_;
  std::vector<unsigned> depths_;  ///< depth of each leg in hops
  std::array<std::uint32_t, kNodes> injected_{};
  std::array<std::uint32_t, kNodes> consumed_{};
};

}  // namespace tvp::noc
