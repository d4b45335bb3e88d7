#pragma once

#include <cstdint>
#include <limits>

#include "models/ddr/ca_command.h"
#include "models/dram/timing/dram_time.h"

namespace tvp::ddr {

/// A controller of the command/address bus that replaces the slots of CaBus and the barriers of
/// RankControl, for example RTL. Requests get their slots in the order of the calls.
class ExternalCaBus {
 public:
  struct Command {
    CaCommand code = CaCommand::kNoOperation;
    std::uint32_t ranks = 0;    ///< chip selects
    std::uint32_t operand = 0;  ///< as that of encode(), of the first word of a message
    unsigned group = 0;
    unsigned bank = 0;
    unsigned words = 1;  ///< kPim
  };
  static constexpr unsigned kNoPlace = std::numeric_limits<unsigned>::max();
  struct Arrival {
    std::uint32_t ranks = 0;  ///< the group
    unsigned rank = 0;
    bool broadcasts = false;  ///< BarrierScheme
    bool releases = true;     ///< the controller releases the ranks after the last arrival
    unsigned& place;  ///< the controller's place for the group; kNoPlace before the first arrival
  };
  struct Answer {
    bool spoken = false;        ///< the arrival takes a word,
    dram::MemCycle slot = 0;    ///< in this slot,
    dram::MemCycle wanted = 0;  ///< and wants it at this one
    bool all = false;           ///< the rank is the last one
    dram::MemCycle known = 0;   ///< cycle at which all may continue, or that of the last arrival
  };

  virtual ~ExternalCaBus() = default;
  /// Takes the first free slots from `earliest` on. Returns the cycle of the first slot.
  virtual dram::MemCycle issue(const Command& command, dram::MemCycle earliest) = 0;
  virtual Answer arrive(const Arrival& arrival, dram::MemCycle earliest) = 0;
};

}  // namespace tvp::ddr
