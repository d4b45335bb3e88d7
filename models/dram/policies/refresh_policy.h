#pragma once

#include <cstdint>

#include "models/dram/timing/dram_command.h"

namespace tvp::dram {

/// The refresh commands that a rank has to issue.
struct RefreshDemand {
  MemCycle due = 0;     ///< of the oldest that has not been done
  bool wanted = false;  ///< one is due; it may wait for a moment without requests
  bool urgent = false;  ///< none may be postponed any more
  DramCommand command = DramCommand::kRefresh;
  unsigned bank = 0;  ///< flat; the one that a bank refresh names
};

/// When a rank is refreshed, and how.
class RefreshPolicy {
 public:
  virtual ~RefreshPolicy() = default;
  virtual RefreshDemand demand(unsigned rank, MemCycle now) const = 0;
  /// So many refresh commands of that rank have been issued.
  virtual void issued(unsigned rank, std::uint64_t count) = 0;
  /// The first time after `now` at which a demand changes.
  virtual MemCycle next_change(MemCycle now) const = 0;
  /// How many refreshes of a rank that has nothing to do are due before `until`, but for the last:
  /// nobody can tell whether they took place.
  virtual std::uint64_t idle_refreshes(unsigned rank, MemCycle until) const = 0;
};

}  // namespace tvp::dram
