#pragma once

#include <cstdint>

#include "models/dram/timing/dram_command.h"

namespace tvp::dram {

/// The refresh that a rank must issue next.
struct RefreshDemand {
  MemCycle due = 0;     ///< time of the oldest refresh that was not issued
  bool wanted = false;  ///< one is due; it may wait for a time without requests
  bool urgent = false;  ///< no more postponing is permitted
  DramCommand command = DramCommand::kRefresh;
  unsigned bank = 0;  ///< flat number of the bank that a bank refresh names
};

/// Decides when and how a rank is refreshed.
class RefreshPolicy {
 public:
  virtual ~RefreshPolicy() = default;
  virtual RefreshDemand demand(unsigned rank, MemCycle now) const = 0;
  /// Records `count` issued refresh commands of the rank.
  virtual void issued(unsigned rank, std::uint64_t count) = 0;
  /// The next time after `now` at which a demand changes.
  virtual MemCycle next_change(MemCycle now) const = 0;
  /// Number of refreshes of an idle rank that are due before `until`, except the last. Their
  /// effects are not observable, so they are not simulated.
  virtual std::uint64_t idle_refreshes(unsigned rank, MemCycle until) const = 0;
};

}  // namespace tvp::dram
