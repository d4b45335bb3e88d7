#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/network/pending_reductions.h"
#include "models/pim/network/tier_context.h"

namespace tvp::pim {

/// The tier between the chips of a rank, for all ranks. It handles packets that leave their chips
/// over the pins, to other chips through the crossbar or to the buffer of the rank, and orders to
/// the switch.
class RankSwitch {
 public:
  RankSwitch(const TierContext& tiers, unsigned chips);

  /// A packet is at the gateway of its chip.
  void leave(unsigned chip, std::uint32_t slot, support::Cycle now);
  /// The pins have taken the previous packet, so the next one requests them.
  void departed(unsigned chip, support::Cycle now);
  /// The same for a reduction.
  void combined(unsigned rank, support::Cycle now);
  // The switch has granted the request.
  void depart(unsigned chip, support::Cycle now);
  void combine(unsigned rank, support::Cycle now);

  /// The reason why an order of this unit is impossible; "" if it is possible.
  std::string refusal(unsigned unit, const SwitchOrder& order) const;

 private:
  /// A chip's gateway for outgoing packets.
  struct Gateway {
    std::deque<std::uint32_t> leaving;  ///< slots of packets
    bool departing = false;             ///< a packet has requested the pins
    dram::MemCycle pins_free = 0;       ///< departure of that packet
  };
  /// The reductions in a rank's switch.
  struct Combiner {
    PendingReductions reductions;
    std::deque<PendingReductions::Reduction> complete;
    bool departing = false;        ///< a reduction has requested the pins
    dram::MemCycle pins_free = 0;  ///< departure of that reduction
    std::vector<unsigned> units;   ///< units whose packets it has
  };

  void ask_to_depart(unsigned chip, support::Cycle now);
  void ask_to_combine(unsigned rank, support::Cycle now);
  void contribute(std::uint32_t slot, unsigned chip, support::Cycle now);
  std::vector<unsigned> receivers(const Packet& packet) const;
  dram::MemCycle cross(std::uint32_t slot, unsigned chip, dram::MemCycle earliest,
                       support::Cycle now);
  dram::MemCycle multicast(std::uint32_t slot, unsigned chip, dram::MemCycle earliest,
                           support::Cycle now);
  void give_results(const PendingReductions::Reduction& reduction, unsigned rank,
                    dram::MemCycle arrived, support::Cycle now);

  const TierContext tiers_;
  std::vector<Gateway> gateways_;    ///< index: chip
  std::vector<Combiner> combiners_;  ///< index: rank
};

}  // namespace tvp::pim
