#include "models/dram/dram_channel.h"

#include <algorithm>

#include "models/dram/policies/policy_registry.h"

namespace tvp::dram {

namespace {
constexpr unsigned kNone = BankQueues::kNone;
}

DramChannel::DramChannel(const Preset& preset, const ChannelOptions& options)
    : preset_(preset),
      options_(options),
      checker_(preset),
      queues_(preset.organization.banks(), options.read_queue, options.write_queue,
              options.bank_queue),
      page_(make_page_policy(options)),
      scheduler_(make_scheduler(options)),
      refresh_(make_refresh_policy(options, preset)),
      drain_(options.write_high, options.write_low),
      banks_(preset.organization.banks()),
      open_banks_(preset.organization.ranks),
      waiting_(preset.organization.ranks),
      group_earliest_(preset.organization.ranks * preset.organization.bank_groups) {
  for (unsigned i = 0; i < banks_.size(); ++i) banks_[i].group = checker_.group_of(i);
  candidates_.resize(3 * banks_.size());
  completions_.reserve(2 * (options.read_queue + options.write_queue) +
                       4 * banks_.size() * options.bank_queue);
}

void DramChannel::enqueue(const MemoryRequest& request, MemCycle at) {
  if (at > now_) advance(at);
  if (!request.write && forward(request, at)) return;
  const unsigned same =
      queues_.find_burst(request.bank, !request.write, request.row, request.column);
  const unsigned index = queues_.add(request, at);
  if (same != kNone) {
    queues_[index].after = same;
    queues_[index].after_order = queues_[same].order;
    if (!request.write) {
      ++queues_[same].holds;
      ++held_reads_;
    }
  }
  banks_[request.bank].known[request.write] = false;
  ++waiting_[checker_.rank_of(request.bank)];
  planned_ = granted_;
}

/// A read of a burst that waits to be written whole gets its data from the write queue.
bool DramChannel::forward(const MemoryRequest& request, MemCycle at) {
  const unsigned writer = queues_.find_burst(request.bank, true, request.row, request.column);
  if (writer == kNone || queues_[writer].request.partial) return false;
  const MemCycle done = at + options_.response_cycles + preset_.timing.bl;
  completions_.push_back({request.tag, at, done, false, true, queues_[writer].request.tag});
  ++stats_.reads;
  ++stats_.forwarded;
  stats_.read_latency.add(done - at);
  return true;
}

MemCycle DramChannel::next_decision() {
  if (queues_.empty()) return kNeverMem;
  if (!planned_) plan();
  return std::min(next_.at, replan_at_);
}

void DramChannel::advance(MemCycle until) {
  while (now_ < until) {
    if (!planned_) {
      if (queues_.empty()) skip_idle_refreshes(until);
      plan();
    }
    const MemCycle at = std::min(next_.at, replan_at_);
    if (at >= until) break;
    now_ = at;
    if (next_.at == at && !has_pins()) continue;
    planned_ = granted_ = false;
    if (next_.at == at) issue(next_);
  }
  now_ = std::max(now_, until);
}

/// True if the next command has its slots on the pins now. If its slots are later, the command
/// waits.
bool DramChannel::has_pins() {
  if (pins_ == nullptr || granted_) return true;
  next_.at = pins_->take(next_.command, checker_.rank_of(next_.bank), now_);
  granted_ = true;
  if (next_.at == now_) return true;
  replan_at_ = kNeverMem;
  return false;
}

/// Plans the next command under the assumption that no other request arrives.
void DramChannel::plan() {
  planned_ = true;
  refresh_next_.at = kNeverMem;
  replan_at_ = refresh_quiet_until_;
  candidate_count_ = 0;
  if (now_ >= refresh_quiet_until_ || any_blocked_) plan_refresh();
  // A read that waits for a write makes that write urgent.
  const bool write = drain_.update(held_reads_ > 0 ? 0 : queues_.total(false), queues_.total(true));
  if (options_.finishes_rows && write != bus_writes_) plan_turn(write);
  if (candidate_count_ == 0) {
    bus_writes_ = write;
    plan_requests(write);
  }
  if (candidate_count_ == 0) plan_requests(!write);
  if (page_->idle_cycles() != kNeverMem) plan_idle_rows();
  if (candidate_count_ == 0) {
    next_ = refresh_next_;
    return;
  }
  next_ = candidates_[scheduler_->pick({candidates_.data(), candidate_count_})];
  if (refresh_next_.at <= next_.at) next_ = refresh_next_;
}

void DramChannel::plan_refresh() {
  for (Bank& bank : banks_) bank.blocked = false;
  any_blocked_ = false;
  bool wanted = false;
  for (unsigned rank = 0; rank < preset_.organization.ranks; ++rank) {
    const RefreshDemand demand = refresh_->demand(rank, now_);
    wanted |= demand.wanted;
    if (demand.wanted) plan_refresh(rank, demand);
  }
  replan_at_ = refresh_->next_change(now_);
  refresh_quiet_until_ = wanted ? now_ : replan_at_;
}

void DramChannel::plan_refresh(unsigned rank, const RefreshDemand& demand) {
  const bool whole_rank = demand.command == DramCommand::kRefresh;
  unsigned waiting = whole_rank ? waiting_[rank] : 0;
  unsigned open = kNone;
  auto look = [&](unsigned bank) {
    if (!whole_rank) waiting += queues_.count(bank, false) + queues_.count(bank, true);
    if (banks_[bank].open_row != kNoRow) open = bank;
  };
  auto for_each_bank = [&](auto visit) {
    if (!whole_rank) {
      checker_.for_each_covered(demand.bank, visit);
      return;
    }
    const unsigned per_rank = preset_.organization.banks_per_rank();
    for (unsigned bank = rank * per_rank; bank < (rank + 1) * per_rank; ++bank) visit(bank);
  };
  for_each_bank(look);
  if (!demand.urgent && waiting > 0) return;
  for_each_bank([&](unsigned bank) {
    banks_[bank].blocked = true;
    banks_[bank].serves = !whole_rank;
  });
  any_blocked_ = true;
  Candidate candidate{kNeverMem, kLast, demand.bank, kNone, demand.command, false};
  if (open != kNone) {
    candidate.command = whole_rank ? DramCommand::kPrechargeAll : DramCommand::kPrecharge;
    candidate.bank = open;
  }
  candidate.at = std::max(now_, checker_.earliest(candidate.command, candidate.bank));
  if (candidate.at < refresh_next_.at) refresh_next_ = candidate;
}

void DramChannel::plan_requests(bool write) {
  const std::span<const unsigned> waiting = queues_.banks(write);
  if (waiting.size() < group_earliest_.size()) {
    plan_banks(waiting, write, [this](DramCommand command, unsigned group) {
      return std::max(now_, checker_.earliest_of_group(command, group));
    });
    return;
  }
  const DramCommand column = write ? DramCommand::kWrite : DramCommand::kRead;
  for (unsigned group = 0; group < group_earliest_.size(); ++group) {
    for (const DramCommand command : {DramCommand::kActivate, DramCommand::kPrecharge, column}) {
      group_earliest_[group][index_of(command)] =
          std::max(now_, checker_.earliest_of_group(command, group));
    }
  }
  const GroupTimes* const groups = group_earliest_.data();
  plan_banks(waiting, write, [groups](DramCommand command, unsigned group) {
    return groups[group][index_of(command)];
  });
}

/// Plans the next command of each waiting bank. `group_at` returns the first cycle that the bank's
/// group allows.
template <typename GroupAt>
void DramChannel::plan_banks(std::span<const unsigned> waiting, bool write, GroupAt group_at) {
  // Plain pointers: push_back in this loop took a third of the run time.
  Candidate* out = candidates_.data() + candidate_count_;
  Bank* const banks = banks_.data();
  for (const unsigned index : waiting) {
    Bank& bank = banks[index];
    if (!bank.known[write]) plan_bank(index, write);
    const Candidate& next = bank.next[write];
    if (next.slot == kNone) continue;
    // A row about to be closed for a refresh first serves the request that opened it. Otherwise the
    // activation would be wasted: one in four banks of DDR5 waits for a REFsb every 1170 cycles.
    if (bank.blocked && !(bank.serves && next.column && queues_[next.slot].activated)) continue;
    *out = next;
    out->at = std::max(next.at, group_at(next.command, bank.group));
    ++out;
  }
  candidate_count_ = static_cast<std::size_t>(out - candidates_.data());
}

/// Plans the last commands before the bus turns to the direction `write`. These are the columns of
/// requests of the other direction whose rows are open. Other banks open rows of the new direction.
/// If the bus turned at once, requests of the new direction would close those rows unused. Plans
/// nothing if no such column is left.
void DramChannel::plan_turn(bool write) {
  for (unsigned index = 0; const Bank& bank : banks_) {
    const unsigned number = index++;
    if (bank.opened_for == kNone || bank.opened_write == write || bank.blocked) continue;
    const BankQueues::Slot& slot = queues_[bank.opened_for];
    if (queues_.waits(slot)) continue;
    const DramCommand column = write ? DramCommand::kRead : DramCommand::kWrite;
    const MemCycle at = std::max(now_, checker_.earliest(column, number));
    candidates_[candidate_count_++] = {at, slot.order, number, bank.opened_for, column, true};
  }
  if (candidate_count_ == 0) return;
  for (const unsigned index : queues_.banks(write)) {
    Bank& bank = banks_[index];
    if (bank.opened_for != kNone || bank.blocked) continue;
    if (!bank.known[write]) plan_bank(index, write);
    Candidate next = bank.next[write];
    if (next.slot == kNone || next.column) continue;
    next.at = std::max(now_, checker_.earliest(next.command, index));
    candidates_[candidate_count_++] = next;
  }
}

/// Plans the next command of a bank. The plan stays valid until a command or request reaches the
/// bank.
void DramChannel::plan_bank(unsigned index, bool write) {
  Bank& bank = banks_[index];
  Candidate& next = bank.next[write];
  bank.known[write] = true;
  next.bank = index;
  next.slot = next_of(index, write);
  if (next.slot == kNone) return;
  const BankQueues::Slot& slot = queues_[next.slot];
  next.order = slot.order;
  next.column = bank.open_row == slot.request.row;
  next.command = next.column               ? (write ? DramCommand::kWrite : DramCommand::kRead)
                 : bank.open_row == kNoRow ? DramCommand::kActivate
                                           : DramCommand::kPrecharge;
  next.at = checker_.earliest_of_bank(next.command, index);
}

/// Closes rows that no request wants and that have been idle long enough.
void DramChannel::plan_idle_rows() {
  for (unsigned next = 0; const Bank& bank : banks_) {
    const unsigned index = next++;
    if (bank.open_row == kNoRow || bank.blocked) continue;
    if (queues_.count(index, false) + queues_.count(index, true) > 0) continue;
    const MemCycle idle = bank.last_column + page_->idle_cycles();
    const MemCycle at = std::max({now_, idle, checker_.earliest(DramCommand::kPrecharge, index)});
    candidates_[candidate_count_++] = {at, kLast, index, kNone, DramCommand::kPrecharge, false};
  }
}

/// The bank's next request: the oldest, or one to the open row that may pass it.
unsigned DramChannel::next_of(unsigned index, bool write) const {
  const Bank& bank = banks_[index];
  unsigned oldest = queues_.oldest(index, write);
  while (oldest != kNone && queues_.waits(queues_[oldest])) oldest = queues_[oldest].next;
  if (oldest == kNone || bank.open_row == kNoRow) return oldest;
  if (queues_[oldest].request.row == bank.open_row) return oldest;
  if (!scheduler_->hit_may_pass(bank.passed)) return oldest;
  const unsigned hit = queues_.find_row(index, write, bank.open_row);
  return hit == kNone ? oldest : hit;
}

bool DramChannel::rank_is_idle(unsigned rank) const {
  return open_banks_[rank] == 0 && waiting_[rank] == 0;
}

/// Counts refreshes of an idle rank, and logs them if there is a log, without planning them.
void DramChannel::skip_idle_refreshes(MemCycle until) {
  for (unsigned rank = 0; rank < preset_.organization.ranks; ++rank) {
    if (!rank_is_idle(rank)) continue;
    RefreshDemand demand = refresh_->demand(rank, now_);
    // Only refreshes that can take place exactly when they are due.
    if (demand.wanted || checker_.earliest(demand.command, demand.bank) > demand.due) continue;
    const std::uint64_t count = refresh_->idle_refreshes(rank, until);
    if (count == 0) continue;
    stats_.skipped_refreshes += count;
    count_refreshes(demand.command, demand.bank, count);
    for (std::uint64_t i = 0; log_ != nullptr && i < count; ++i) {
      log_->push_back({demand.due, demand.command, demand.bank, 0});
      refresh_->issued(rank, 1);
      demand = refresh_->demand(rank, now_);
    }
    if (log_ == nullptr) refresh_->issued(rank, count);
    refresh_quiet_until_ = now_;
  }
}

void DramChannel::count_refreshes(DramCommand command, unsigned bank, std::uint64_t count) {
  stats_.commands[index_of(command)] += count;
  const bool whole_rank = command == DramCommand::kRefresh;
  unsigned banks = whole_rank ? preset_.organization.banks_per_rank() : 0;
  if (!whole_rank) checker_.for_each_covered(bank, [&](unsigned) { ++banks; });
  const Timing& t = preset_.timing;
  stats_.refresh_bank_cycles += count * banks * (whole_rank ? t.trfc : t.trfc_bank);
}

void DramChannel::issue(const Candidate& candidate) {
  using enum DramCommand;
  Bank& bank = banks_[candidate.bank];
  const unsigned rank = checker_.rank_of(candidate.bank);
  switch (candidate.command) {
    case kActivate: {
      BankQueues::Slot& slot = queues_[candidate.slot];
      slot.activated = true;
      bank.open_row = slot.request.row;
      bank.opened_for = candidate.slot;
      bank.opened_write = slot.request.write;
      bank.passed = 0;
      bank.last_column = now_;
      ++open_banks_[rank];
      record(kActivate, candidate.bank, bank.open_row);
      return;
    }
    case kPrecharge:
      if (candidate.slot != kNone) queues_[candidate.slot].precharged = true;
      record(kPrecharge, candidate.bank, bank.open_row);
      close(candidate.bank);
      return;
    case kPrechargeAll: {
      record(kPrechargeAll, candidate.bank, 0);
      const unsigned per_rank = preset_.organization.banks_per_rank();
      for (unsigned b = rank * per_rank; b < (rank + 1) * per_rank; ++b) close(b);
      return;
    }
    case kRefresh:
    case kRefreshBank:
      checker_.issue(candidate.command, candidate.bank, now_);
      checker_.for_each_covered(candidate.bank,
                                [&](unsigned covered) { forget_plan(banks_[covered]); });
      if (log_ != nullptr) log_->push_back({now_, candidate.command, candidate.bank, 0});
      count_refreshes(candidate.command, candidate.bank, 1);
      refresh_->issued(rank, 1);
      refresh_quiet_until_ = now_;
      return;
    case kRead:
    case kWrite:
    case kReadAuto:
    case kWriteAuto:
      issue_column(candidate);
      return;
  }
}

void DramChannel::issue_column(const Candidate& candidate) {
  const Timing& t = preset_.timing;
  const unsigned index = candidate.bank;
  Bank& bank = banks_[index];
  const BankQueues::Slot slot = queues_[candidate.slot];
  const bool write = slot.request.write;
  ++(slot.precharged ? stats_.row_conflicts : slot.activated ? stats_.row_misses : stats_.row_hits);
  bank.passed = candidate.slot == queues_.oldest(index, write) ? 0 : bank.passed + 1;
  bank.last_column = now_;
  held_reads_ -= slot.holds;
  if (bank.opened_for == candidate.slot) bank.opened_for = kNone;
  queues_.remove(candidate.slot);
  --waiting_[checker_.rank_of(index)];
  drain_.served();

  DramCommand command = candidate.command;
  if (page_->closes(wants_row(index)))
    command = write ? DramCommand::kWriteAuto : DramCommand::kReadAuto;
  record(command, index, bank.open_row);
  if (command != candidate.command) close(index);

  const MemCycle data_end = now_ + (write ? t.cwl : t.cl) + t.bl;
  const MemCycle done = data_end + options_.response_cycles;
  completions_.push_back({slot.request.tag, slot.arrival, done, write, false, 0});
  ++(write ? stats_.writes : stats_.reads);
  (write ? stats_.write_latency : stats_.read_latency).add(done - slot.arrival);
  stats_.data_cycles += t.bl;
}

bool DramChannel::wants_row(unsigned bank) const {
  const std::uint64_t row = banks_[bank].open_row;
  return queues_.find_row(bank, false, row) != kNone || queues_.find_row(bank, true, row) != kNone;
}

void DramChannel::record(DramCommand command, unsigned bank, std::uint64_t row) {
  forget_plan(banks_[bank]);
  checker_.issue(command, bank, now_);
  ++stats_.commands[index_of(command)];
  if (log_ != nullptr) log_->push_back({now_, command, bank, row});
}

void DramChannel::close(unsigned index) {
  Bank& bank = banks_[index];
  if (bank.open_row == kNoRow) return;
  bank.open_row = kNoRow;
  bank.opened_for = kNone;
  forget_plan(bank);
  --open_banks_[checker_.rank_of(index)];
}

}  // namespace tvp::dram
