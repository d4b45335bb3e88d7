#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/mesh/flow_control/arbitration.h"
#include "models/mesh/mesh_packet.h"
#include "models/mesh/port.h"
#include "models/mesh/routing/routing_table.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// A router with virtual channels, input buffers, and credits for the buffers of its neighbors.
/// protocol.md gives its protocol cycle by cycle.
///
/// receive() and credit() pass the inputs of a cycle; then step() returns the outputs. The router
/// knows nothing else of the network, so an external router can replace it.
class alignas(64) VcRouter {
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
    unsigned parts;  ///< parts into which channels are divided, see RoutingFunction::parts()
    bool rotates_vcs = false;  ///< takes free channels in turn, whatever credits they have
  };
  /// The flits and credits that leave the router in a cycle: at most one flit per output and one
  /// credit per input.
  struct Outputs {
    PortMask flits = 0;
    PortMask credits = 0;
    std::uint8_t heads_blocked = 0;  ///< for each port: heads that leave now and had to wait
    std::array<Flit, kPorts> flit;
    std::array<std::uint8_t, kPorts> credit_vc;
  };

  /// `endpoints`: outputs that always accept a flit. Parameters and table are shared by all routers
  /// and must outlive them.
  void init(const Parameters& parameters, const RoutingTable& table, unsigned node,
            PortMask endpoints);

  void receive(Port in, const Flit& flit, support::Cycle now);
  void credit(Port out, unsigned vc) { ++credits_[index(out)][vc]; }
  bool idle() const { return occupied_ == 0; }
  /// Prefetches the router's memory before its step: in a large mesh most routers are not in the
  /// host's caches.
  void prefetch() const {
    const auto* const bytes = reinterpret_cast<const char*>(this);
    for (unsigned line = 0; line < kHotLines; ++line) __builtin_prefetch(bytes + line * kLine, 1);
    __builtin_prefetch(flit_store_, 1);
    __builtin_prefetch(flit_store_ + kLine / sizeof(Flit), 1);
    __builtin_prefetch(flit_store_ + 2 * kLine / sizeof(Flit), 1);
  }
  /// Calls `visit(flit, out, vc)` for each packet that waits for a credit of an output's channel.
  template <typename Visit>
  void for_each_wait(const Visit& visit) const;
  /// Number of flits in all buffers.
  unsigned flits() const { return flits_; }
  /// Channels that a traffic class may use, one bit each.
  static std::uint8_t vcs_of_class(const Parameters& parameters, unsigned traffic_class);
  /// The subset of them that belongs to a part.
  static std::uint8_t vcs_of_part(const Parameters& parameters, unsigned traffic_class,
                                  unsigned part);
  void step(support::Cycle now, Outputs& outputs);

 private:
  /// Bits of the sets below: input port * kMaxVcs + VC.
  using ChannelSet = std::uint64_t;
  static constexpr unsigned kChannels = kPorts * kMaxVcs;
  using VcMask = std::uint8_t;

  static constexpr std::size_t kLine = 64;  ///< bytes in a cache line of the host
  static constexpr unsigned kHotLines = 4;  ///< cache lines that a step with 2 channels reads
  struct InputChannel {
    std::uint8_t first = 0;
    std::uint8_t count = 0;
    std::uint8_t out_port = 0;
    std::uint8_t out_vc = 0;
    /// Low bits of the first cycle in which the next stage may process the first flit.
    std::uint32_t ready_at = 0;
    bool is_ready(support::Cycle now) const {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(now) - ready_at) >= 0;
    }
  };

  /// Index of a channel and its flits; existing channels are contiguous.
  unsigned place_of(unsigned bit) const { return bit / kMaxVcs * vcs_ + bit % kMaxVcs; }
  InputChannel& channel(unsigned bit) { return channels_[place_of(bit)]; }
  const InputChannel& channel(unsigned bit) const { return channels_[place_of(bit)]; }
  Flit& flit_at(unsigned place, unsigned slot) { return flit_store_[slot * kPorts * vcs_ + place]; }
  Flit& front(unsigned bit) {
    const unsigned place = place_of(bit);
    return flit_at(place, channels_[place].first);
  }
  bool has_credit(const InputChannel& channel) const {
    return (endpoints_ >> channel.out_port & 1) != 0 ||
           credits_[channel.out_port][channel.out_vc] > 0;
  }
  void allocate_switch(support::Cycle now, ChannelSet candidates, Outputs& outputs);
  void take(support::Cycle now, unsigned out, unsigned channel, Outputs& outputs);
  void leave(support::Cycle now, unsigned channel, Outputs& outputs);
  void allocate_vcs(support::Cycle now, ChannelSet waiting);
  bool allocate_vc(support::Cycle now, unsigned channel);
  unsigned first_of(unsigned candidates, const ClassTurn& turn, unsigned start,
                    const std::uint8_t* channel_of, unsigned base);
  unsigned first_waiting(ChannelSet waiting);
  bool choose_output(const Flit& head, unsigned bit, unsigned& port, unsigned& vc) const;
  VcMask vcs_of(const Flit& flit) const { return class_vcs_[flit.traffic_class * 2U + flit.part]; }
  VcMask usable_vcs(unsigned port, const Flit& head, bool has_escape) const;
  unsigned best_vc(unsigned port, VcMask usable, unsigned bit) const;

  // Members that every step reads come first, close together in memory.
  ChannelSet occupied_ = 0;  ///< has a flit
  ChannelSet active_ = 0;    ///< the packet at its front has an output channel
  Flit* flit_store_ = nullptr;
  const Parameters* parameters_ = nullptr;
  const RoutingTable* table_ = nullptr;
  unsigned node_ = 0;
  unsigned flits_ = 0;
  std::array<std::array<std::uint8_t, kMaxVcs>, kPorts> credits_{};
  std::array<VcMask, kPorts> free_vcs_{};
  // Start positions of round robin.
  std::array<std::uint8_t, kPorts> next_vc_{};     ///< for each input
  std::array<std::uint8_t, kPorts> next_input_{};  ///< for each output
  std::uint8_t next_channel_ = 0;                  ///< for VC allocation
  std::uint8_t vcs_ = 0;
  PortMask endpoints_ = 0;
  std::array<VcMask, 2 * kTrafficClasses> class_vcs_{};  ///< index: class, then part
  std::array<InputChannel, kChannels> channels_;         ///< index: place_of()
  std::array<ClassTurn, kPorts> input_turn_;
  std::array<ClassTurn, kPorts> output_turn_;
  std::vector<Flit> flits_of_channels_;  ///< slot by slot: light traffic uses only the first slots
};

template <typename Visit>
void VcRouter::for_each_wait(const Visit& visit) const {
  for (ChannelSet left = occupied_ & active_; left != 0; left &= left - 1) {
    const unsigned place = place_of(static_cast<unsigned>(std::countr_zero(left)));
    const InputChannel& waiting = channels_[place];
    if (has_credit(waiting)) continue;
    const Flit& flit = flits_of_channels_[waiting.first * kPorts * vcs_ + place];
    visit(flit, static_cast<Port>(waiting.out_port), unsigned{waiting.out_vc});
  }
}

}  // namespace tvp::mesh
