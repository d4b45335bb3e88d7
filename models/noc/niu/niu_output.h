#pragma once

#include <array>
#include <cstdint>

#include "foundation/random.h"
#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_sockets.h"
#include "models/noc/noc_protocol.h"

namespace tvp::noc {

/// The NIU's entry to the network. It makes packets and counts how many of them hold each virtual
/// channel of the first hop.
class NiuOutput {
 public:
  NiuOutput(const NiuContext& context, NiuToNetworkSocket& to_network);

  /// A packet with room for `bytes`.
  Packet& allocate(std::uint32_t bytes) { return pool_.allocate(bytes); }
  unsigned used(unsigned vc) const { return used_[vc]; }
  bool is_full(unsigned vc) const { return used_[vc] >= context_.config.packets_per_vc; }
  /// Data of the next packet can be read while the current one leaves. A packet without data waits
  /// until the channel holds no packet.
  bool takes(unsigned vc, bool reads_source) const {
    return reads_source ? !is_full(vc) : used_[vc] == 0;
  }
  /// Passes the packet to the network; its header leaves at `when`.
  void inject(Packet& packet, support::Cycle when);
  /// The packet has left its first hop. Returns the channel that has room now.
  unsigned freed(Packet& packet);

 private:
  /// A random later cycle that keeps the order of packets (noc.jitter).
  support::Cycle delayed(support::Cycle when, std::uint32_t flits);

  const NiuContext& context_;
  NiuToNetworkSocket& to_network_;
  PacketPool pool_;
  std::array<std::uint8_t, vc::kCount> used_{};
  std::uint32_t injected_ = 0;
  foundation::Random delays_;     ///< of noc.jitter
  support::Cycle link_free_ = 0;  ///< the last delayed packet has left
};

}  // namespace tvp::noc
