#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/network/network.h"
#include "models/switch/reducer.h"

namespace tvp::pim {

/// Packets at the gateways of the chips of a rank that wait for their partners. Units with the same
/// number in their chips count their reductions alike, which identifies the partners.
class PendingReductions {
 public:
  struct Reduction {
    unsigned unit = 0;  ///< number within a chip
    SwitchOrder order;
    std::size_t bytes = 0;
    std::vector<std::uint32_t> slots;  ///< slots of the packets, in the order of `chips`
    std::vector<unsigned> chips;       ///< in ascending order
    dram::MemCycle ready = 0;          ///< arrival of the last packet
  };

  /// `slot` is the caller's slot of the packet. Returns the reduction if this packet completes it.
  /// Throws Fault(kFirmware) if it disagrees with the packets of other chips.
  std::optional<Reduction> add(unsigned chip, unsigned unit, std::uint32_t slot,
                               const Packet& packet, dram::MemCycle ready);

  /// Number of waiting packets.
  std::size_t waiting() const { return waiting_; }

 private:
  std::vector<Reduction> open_;
  std::size_t waiting_ = 0;
};

/// The operation that the switch applies to the operands of an order.
switching::Reducer reducer_of(const SwitchOrder& order);

}  // namespace tvp::pim
