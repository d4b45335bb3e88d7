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
  /// One refresh command of that rank has been issued.
  virtual void issued(unsigned rank) = 0;
  /// The first time after `now` at which a demand changes.
  virtual MemCycle next_change(MemCycle now) const = 0;
  /// Takes the refreshes of a rank that has nothing to do: all that are due before `until` but the
  /// last. Returns how many.
  virtual std::uint64_t skip_idle(unsigned rank, MemCycle until) = 0;
};

/// One refresh command each interval, of which a number may be postponed (JESD79-4 4.26: eight).
class PeriodicRefresh : public RefreshPolicy {
 public:
  /// Ranks take turns: their times are spread over the interval. `banks` a command names in turn.
  PeriodicRefresh(Command command, MemCycle interval, unsigned ranks, unsigned postpone,
                  unsigned banks_named, unsigned banks_per_rank);
  RefreshDemand demand(unsigned rank, MemCycle now) const override;
  void issued(unsigned rank) override;
  MemCycle next_change(MemCycle now) const override;
  std::uint64_t skip_idle(unsigned rank, MemCycle until) override;

 private:
  struct Rank {
    MemCycle due;       ///< of the oldest refresh that has not been done
    unsigned bank = 0;  ///< within the rank
  };
  void step(Rank& rank, std::uint64_t count) const;

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
  void issued(unsigned) override {}
  MemCycle next_change(MemCycle) const override { return kNeverMem; }
  std::uint64_t skip_idle(unsigned, MemCycle) override { return 0; }
};

/// "all_bank", "bank" (same-bank or per-bank, as the standard has it) or "off". Throws
/// Fault(kDescription) when the part has no bank refresh or permits less postponing.
std::unique_ptr<RefreshPolicy> make_refresh_policy(std::string_view name, const Preset& preset,
                                                   unsigned postpone);

}  // namespace tvp::dram
