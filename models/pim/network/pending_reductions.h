#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/network/network.h"
#include "models/switch/reducer.h"

namespace tvp::pim {

/// Packets at the gateways of the chips of a rank that wait for those that they are to be combined
/// with. Which ones those are, the senders say: units of the same number in their chips count their
/// reductions alike.
class PendingReductions {
 public:
  struct Reduction {
    unsigned unit = 0;  ///< of a chip
    SwitchOrder order;
    std::size_t bytes = 0;
    std::vector<std::uint32_t> slots;  ///< of the packets, in the order of `chips`
    std::vector<unsigned> chips;       ///< ascending
    dram::MemCycle ready = 0;          ///< of the last
  };

  /// `slot`: the caller's, of the packet. Returns the reduction that this packet was the last of.
  /// Throws Fault(kFirmware) when it does not agree with those of other chips.
  std::optional<Reduction> add(unsigned chip, unsigned unit, std::uint32_t slot,
                               const Packet& packet, dram::MemCycle ready);

  /// Packets that wait.
  std::size_t waiting() const { return waiting_; }

 private:
  std::vector<Reduction> open_;
  std::size_t waiting_ = 0;
};

/// The operation that the switch applies to the operands of an order.
switching::Reducer reducer_of(const SwitchOrder& order);

}  // namespace tvp::pim
