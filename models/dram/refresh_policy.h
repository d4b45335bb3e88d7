#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "models/dram/command.h"
#include "models/dram/timing.h"

namespace tvp::dram {

/// What a rank owes its cells.
struct RefreshDemand {
  MemCycle due = 0;     ///< of the oldest that has not been done
  bool wanted = false;  ///< one is due; it may wait for a moment without requests
  bool urgent = false;  ///< none may be postponed any more
  Command command = Command::kRefresh;
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

/// One refresh command each interval, of which a number may be postponed (JESD79-4 4.26: eight).
class PeriodicRefresh : public RefreshPolicy {
 public:
  /// Ranks take turns: their times are spread over the interval. `banks` a command names in turn.
  PeriodicRefresh(Command command, MemCycle interval, unsigned ranks, unsigned postpone,
                  unsigned banks_named, unsigned banks_per_rank);
  RefreshDemand demand(unsigned rank, MemCycle now) const override;
  void issued(unsigned rank, std::uint64_t count) override;
  MemCycle next_change(MemCycle now) const override;
  std::uint64_t idle_refreshes(unsigned rank, MemCycle until) const override;

 private:
  struct Rank {
    MemCycle due;       ///< of the oldest refresh that has not been done
    unsigned bank = 0;  ///< within the rank
  };

  const Command command_;
  const MemCycle interval_;
  const unsigned postpone_;
  const unsigned banks_named_;
  const unsigned banks_per_rank_;
  std::vector<Rank> ranks_;
};

/// No refresh at all: for measuring what refresh costs.
class NoRefresh : public RefreshPolicy {
 public:
  RefreshDemand demand(unsigned, MemCycle) const override { return {}; }
  void issued(unsigned, std::uint64_t) override {}
  MemCycle next_change(MemCycle) const override { return kNeverMem; }
  std::uint64_t idle_refreshes(unsigned, MemCycle) const override { return 0; }
};

/// "all_bank", "bank" (same-bank or per-bank, as the standard has it) or "off". Throws
/// Fault(kDescription) when the part has no bank refresh or permits less postponing.
std::unique_ptr<RefreshPolicy> make_refresh_policy(std::string_view name, const Preset& preset,
                                                   unsigned postpone);

}  // namespace tvp::dram
