#include "models/dram/policies/periodic_refresh.h"

#include <algorithm>

namespace tvp::dram {

PeriodicRefresh::PeriodicRefresh(DramCommand command, MemCycle interval, unsigned ranks,
                                 unsigned postpone, unsigned banks_named, unsigned banks_per_rank)
    : command_(command),
      interval_(interval),
      postpone_(postpone),
      banks_named_(banks_named),
      banks_per_rank_(banks_per_rank) {
  for (unsigned rank = 0; rank < ranks; ++rank) {
    ranks_.push_back({interval * (rank + 1) / ranks, 0});
  }
}

RefreshDemand PeriodicRefresh::demand(unsigned rank, MemCycle now) const {
  const Rank& state = ranks_[rank];
  RefreshDemand demand;
  demand.due = state.due;
  demand.wanted = now >= state.due;
  demand.urgent = now >= state.due + postpone_ * interval_;
  demand.command = command_;
  demand.bank = rank * banks_per_rank_ + state.bank;
  return demand;
}

void PeriodicRefresh::issued(unsigned rank, std::uint64_t count) {
  Rank& state = ranks_[rank];
  state.due += count * interval_;
  state.bank = static_cast<unsigned>((state.bank + count) % banks_named_);
}

MemCycle PeriodicRefresh::next_change(MemCycle now) const {
  MemCycle next = kNeverMem;
  for (const Rank& rank : ranks_) {
    const MemCycle urgent = rank.due + postpone_ * interval_;
    if (rank.due > now) next = std::min(next, rank.due);
    if (urgent > now) next = std::min(next, urgent);
  }
  return next;
}

std::uint64_t PeriodicRefresh::idle_refreshes(unsigned rank, MemCycle until) const {
  const MemCycle due = ranks_[rank].due;
  return until <= due ? 0 : (until - 1 - due) / interval_;
}

}  // namespace tvp::dram
