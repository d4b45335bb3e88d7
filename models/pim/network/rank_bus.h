#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/host/host_forwarder.h"
#include "models/pim/network/tier_context.h"

namespace tvp::pim {

/// The tier between ranks, for all channels: packets that wait in the buffers of their ranks for
/// the DDR bus, and the host, which forwards between channels.
class RankBus {
 public:
  RankBus(const TierContext& tiers, unsigned ranks);

  /// A packet is in the buffer of its rank.
  void buffered(unsigned rank, std::uint32_t slot, support::Cycle now);
  /// The bus has taken the previous packet, so the next one requests the bus.
  void sent(unsigned rank, support::Cycle now);
  /// A packet is in the host's memory.
  void offered(unsigned chip, std::uint32_t slot, support::Cycle now);
  // The bus has granted the request.
  void send(unsigned rank, support::Cycle now);
  void offer(std::uint32_t slot, support::Cycle now);

  const HostForwarder& host() const { return host_; }

 private:
  /// A rank's buffer towards the bus.
  struct Buffer {
    std::deque<std::uint32_t> waiting;
    bool sending = false;
  };
  struct Transfer {
    dram::MemCycle begin = 0;
    dram::MemCycle end = 0;
  };

  void ask_to_send(unsigned rank, support::Cycle now);
  Transfer take_bus(std::uint32_t slot, unsigned rank, support::Cycle now);
  void arrive(std::uint32_t slot, dram::MemCycle at_buffer, support::Cycle now);

  const TierContext tiers_;
  const bool as_commands_;  ///< packets between ranks consist of PIM words
  HostForwarder host_;
  std::vector<Buffer> buffers_;  ///< index: rank
};

}  // namespace tvp::pim
