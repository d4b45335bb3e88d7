#pragma once

#include <array>
#include <vector>

#include "models/noc/torus/torus.h"

namespace tvp::noc {

/// A torus that settles a packet's whole route at the moment it is injected: in order along the
/// route, it reserves every link for the time that the packet will need it. One event a packet.
///
/// Packets with one VC number on a link follow each other whole; packets with different numbers
/// share the link flit by flit, as far as that was known when they were reserved. Nobody goes
/// before a packet that has reserved: where NOC_CMD_ARB_PRIORITY asks for that, the run stops. What
/// a blocked packet occupies upstream is what does not fit into the buffer of one input port.
class FastTorus : public Torus {
 public:
  FastTorus(const sc_core::sc_module_name& name, const NocConfig& config, const Grid& grid,
            unsigned noc, support::Calendar& calendar);
  void fire(support::Cycle now, std::uint64_t token) override;
  void describe_in_flight(std::vector<std::string>& lines) const override;

 private:
  /// A channel of a link is taken by one packet.
  struct Interval {
    support::Cycle start;
    support::Cycle end;  ///< the cycle after the last flit
    std::uint16_t flow;  ///< source and its first channel: packets of one flow never overtake
    std::uint8_t priority;
  };
  struct Link {
    std::array<std::vector<Interval>, vc::kCount> taken;  ///< in order of time
    std::array<support::Cycle, vc::kCount> free_from{};   ///< when the last of taken[i] ends
    std::uint16_t in_use = 0;                             ///< bit i: taken[i] has been used
  };
  struct Timing {
    support::Cycle head;  ///< when the header crosses the link
    support::Cycle tail;  ///< when the last flit does
    std::uint8_t vc;
  };
  /// Packets on their way to, or in, a NIU that can refuse.
  struct Gate {
    unsigned packets = 0;
    unsigned flits = 0;
    std::vector<Packet*> waiting;
  };

  void inject(unsigned node, Packet& packet, support::Cycle when) override;
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
  std::vector<Gate> gates_;    ///< [node * 16 + VC without dateline]
  std::vector<bool> refuses_;  ///< by node: its NIU answers END_REQ when it has taken a packet
  std::array<unsigned, kNodes> reserved_hops_{};  ///< of the path that was reserved last
  std::array<support::Cycle, kNodes> fetched_{};  ///< when a NIU has read the writes so far
  std::vector<RouteLeg> legs_;
  std::vector<Timing> times_;
  std::vector<unsigned> depths_;  ///< of legs_, in hops
  std::array<std::uint32_t, kNodes> injected_{};
  std::array<std::uint32_t, kNodes> consumed_{};
};

}  // namespace tvp::noc
