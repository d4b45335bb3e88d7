#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/policies/refresh_policy.h"

namespace tvp::dram {

/// One refresh command in each interval. A number of commands may be postponed (JESD79-4 4.26:
/// eight).
class PeriodicRefresh : public RefreshPolicy {
 public:
  /// The refreshes of the ranks are spread over the interval. A command names `banks_named` banks
  /// in turn.
  PeriodicRefresh(DramCommand command, MemCycle interval, unsigned ranks, unsigned postpone,
                  unsigned banks_named, unsigned banks_per_rank);
  RefreshDemand demand(unsigned rank, MemCycle now) const override;
  void issued(unsigned rank, std::uint64_t count) override;
  MemCycle next_change(MemCycle now) const override;
  std::uint64_t idle_refreshes(unsigned rank, MemCycle until) const override;

 private:
  struct Rank {
    MemCycle due;       ///< time of the oldest refresh that is due
    unsigned bank = 0;  ///< number within the rank
  };

  const DramCommand command_;
  const MemCycle interval_;
  const unsigned postpone_;
  const unsigned banks_named_;
  const unsigned banks_per_rank_;
  std::vector<Rank> ranks_;
};

}  // namespace tvp::dram
