#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/dram/timing/dram_time.h"
#include "models/pim/network/pending_reductions.h"
#include "models/pim/network/tier_context.h"

namespace tvp::pim {

/// The tier between the chips of a rank, of all ranks: packets that leave their chips by its pins,
/// to other chips over the crossbar or to the buffer of the rank, and the switch's orders.
class RankSwitch {
 public:
  RankSwitch(const TierContext& tiers, unsigned chips);

  /// A packet is at the gateway of its chip.
  void leave(unsigned chip, std::uint32_t slot, support::Cycle now);
  /// The pins have taken the packet before: the next one asks for them.
  void departed(unsigned chip, support::Cycle now);
  /// The same of a reduction.
  void combined(unsigned rank, support::Cycle now);
  // The switch has granted the request.
  void depart(unsigned chip, support::Cycle now);
  void combine(unsigned rank, support::Cycle now);

  /// Why an order of this unit cannot be; "" when it can.
  std::string refusal(unsigned unit, const SwitchOrder& order) const;

 private:
  /// A chip's gateway for outgoing packets.
  struct Gateway {
    std::deque<std::uint32_t> leaving;  ///< slots of packets
    bool departing = false;             ///< a packet has asked for the pins
    dram::MemCycle pins_free = 0;       ///< when it has left
  };
  /// The reductions in a rank's switch.
  struct Combiner {
    PendingReductions reductions;
    std::deque<PendingReductions::Reduction> complete;
    bool departing = false;        ///< one has asked for the pins
    dram::MemCycle pins_free = 0;  ///< when it has left
    std::vector<unsigned> units;   ///< whose packets it has
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
  std::vector<Gateway> gateways_;    ///< by chip
  std::vector<Combiner> combiners_;  ///< by rank
};

}  // namespace tvp::pim
