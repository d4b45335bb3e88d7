#include "models/dram/refresh_policy.h"

#include <algorithm>
#include <string>

#include "foundation/fault.h"

namespace tvp::dram {

PeriodicRefresh::PeriodicRefresh(Command command, MemCycle interval, unsigned ranks,
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

std::unique_ptr<RefreshPolicy> make_refresh_policy(std::string_view name, const Preset& preset,
                                                   unsigned postpone) {
  using foundation::Fault;
  using foundation::FaultKind;
  const Organization& o = preset.organization;
  const Timing& t = preset.timing;
  if (name == "off") return std::make_unique<NoRefresh>();
  if (postpone > t.max_postponed_refreshes) {
    throw Fault(FaultKind::kDescription, "refresh",
                std::string(preset.name) + " permits " + std::to_string(t.max_postponed_refreshes) +
                    " postponed refreshes, not " + std::to_string(postpone));
  }
  if (name == "all_bank") {
    return std::make_unique<PeriodicRefresh>(Command::kRefresh, t.trefi, o.ranks, postpone, 1,
                                             o.banks_per_rank());
  }
  if (o.bank_refresh == BankRefresh::kNone) {
    throw Fault(FaultKind::kDescription, "refresh",
                std::string(preset.name) + " has no refresh of single banks; all_bank or off");
  }
  const unsigned named =
      o.bank_refresh == BankRefresh::kOneBank ? o.banks_per_rank() : o.banks_per_group;
  return std::make_unique<PeriodicRefresh>(Command::kRefreshBank, t.trefi_bank, o.ranks, postpone,
                                           named, o.banks_per_rank());
}

}  // namespace tvp::dram
