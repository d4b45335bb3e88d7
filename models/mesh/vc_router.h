#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/arbitration.h"
#include "models/mesh/packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// A router with virtual channels, buffers at its inputs and credits for those of its neighbors.
/// protocol.md gives its protocol cycle by cycle.
///
/// What it sees in a cycle comes by receive() and credit(), then step() says what leaves it. It
/// knows nothing else of the network, so that something else can stand in for it.
class VcRouter {
 public:
  static constexpr unsigned kMaxVcs = 8;

  struct Parameters {
    unsigned vcs;
    unsigned buffer_flits;
    unsigned route_cycles;
    unsigned vc_allocation_cycles;
    Arbitration arbitration;
    std::array<std::uint8_t, kTrafficClasses> class_weights;
    unsigned vc_groups;
  };
  /// What leaves the router in a cycle: at most one flit an output and one credit an input.
  struct Outputs {
    PortMask flits = 0;
    PortMask credits = 0;
    std::uint8_t heads_blocked = 0;  ///< of the heads that leave, how many had to wait; by port
    std::array<Flit, kPorts> flit;
    std::array<std::uint8_t, kPorts> credit_vc;
  };

  /// `endpoints`: outputs that always take a flit.
  void init(const Parameters& parameters, const RoutingTable& table, unsigned node,
            PortMask endpoints);

  void receive(Port in, const Flit& flit, support::Cycle now);
  void credit(Port out, unsigned vc) { ++credits_[index(out)][vc]; }
  bool idle() const { return occupied_ == 0; }
  /// In all its buffers.
  unsigned flits() const { return flits_; }
  /// Channels that a traffic class may use, a bit each.
  static std::uint8_t vcs_of_class(const Parameters& parameters, unsigned traffic_class);
  void step(support::Cycle now, Outputs& outputs);

 private:
  /// Bits of the sets below: input port * kMaxVcs + VC.
  using ChannelSet = std::uint64_t;
  static constexpr unsigned kChannels = kPorts * kMaxVcs;
  using VcMask = std::uint8_t;

  struct InputChannel {
    std::uint8_t first = 0;
    std::uint8_t count = 0;
    std::uint8_t out_port = 0;
    std::uint8_t out_vc = 0;
    support::Cycle ready_at = 0;  ///< of what is at the front, for its next stage
  };

  Flit& front(unsigned channel) {
    return buffers_[channel * parameters_.buffer_flits + channels_[channel].first];
  }
  bool has_credit(const InputChannel& channel) const {
    return (endpoints_ >> channel.out_port & 1) != 0 ||
           credits_[channel.out_port][channel.out_vc] > 0;
  }
  void allocate_switch(support::Cycle now, ChannelSet candidates, Outputs& outputs);
  void leave(support::Cycle now, unsigned channel, Outputs& outputs);
  void allocate_vcs(support::Cycle now, ChannelSet waiting);
  bool allocate_vc(support::Cycle now, unsigned channel);
  unsigned first_of(unsigned candidates, const ClassTurn& turn, unsigned start,
                    const std::uint8_t* channel_of, unsigned base);
  unsigned first_waiting(ChannelSet waiting);
  bool choose_output(const Flit& head, Port in, unsigned& port, unsigned& vc) const;
  VcMask usable_vcs(unsigned port, const Flit& head, bool has_escape) const;
  unsigned best_vc(unsigned port, VcMask usable) const;

  Parameters parameters_{};
  const RoutingTable* table_ = nullptr;
  unsigned node_ = 0;
  PortMask endpoints_ = 0;
  ChannelSet occupied_ = 0;  ///< has a flit
  ChannelSet active_ = 0;    ///< the packet at its front has an output channel
  std::array<InputChannel, kChannels> channels_;
  std::vector<Flit> buffers_;
  std::array<std::array<std::uint8_t, kMaxVcs>, kPorts> credits_{};
  std::array<VcMask, kPorts> free_vcs_{};
  // Where round robin starts.
  std::array<std::uint8_t, kPorts> next_vc_{};     ///< of an input
  std::array<std::uint8_t, kPorts> next_input_{};  ///< of an output
  unsigned next_channel_ = 0;                      ///< of VC allocation
  std::array<ClassTurn, kPorts> input_turn_;
  std::array<ClassTurn, kPorts> output_turn_;
  std::array<VcMask, kTrafficClasses> class_vcs_{};
  unsigned flits_ = 0;
};

}  // namespace tvp::mesh
