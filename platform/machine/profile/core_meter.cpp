#include "platform/machine/profile/core_meter.h"

#include <algorithm>
#include <utility>

#include "platform/machine/profile/polled_place.h"

namespace tvp::platform {

using support::Cycle;

namespace {

/// A loop may poll several words. The most specific one names the wait.
int rank_of(Spent spent) {
  switch (spent) {
    case Spent::kBuffer:
      return 6;
    case Spent::kCredit:
      return 5;
    case Spent::kSemaphore:
      return 4;
    case Spent::kDma:
      return 3;
    case Spent::kNoc:
      return 2;
    case Spent::kCoprocessor:
      return 1;
    default:
      return 0;
  }
}

bool is_of_coprocessor(std::uint32_t word) { return (word & 3) != 3; }

}  // namespace

CoreMeter::CoreMeter(riscv::Core& core, bool is_pim) : core_(core), is_pim_(is_pim) {
  core.hooks().set_observer(this);
  // The instructions of a loop that is skipped would be missing.
  core.set_counting_sleep(false);
}

void CoreMeter::book(CyclesByPc& cycles, const Entry& entry) {
  if (entry.cycles == 0 && entry.waited == 0) return;
  Cycles& of_pc = cycles[entry.pc];
  of_pc.of(entry.spent) += entry.cycles;
  of_pc.of(entry.waited_for) += entry.waited;
}

void CoreMeter::push(const Entry& pushed) {
  if (count_ - first_ == kKept) book(booked_, entry(first_++));
  entry(count_++) = pushed;
}

/// The part of the gap before cycle t in which the core has slept or was blocked. The core reports
/// it with the last instruction before the wait, or with the first one behind it.
std::uint64_t CoreMeter::take_wait(Cycle t, std::uint64_t gap) {
  const std::uint64_t waits = core_.waiting_cycles(t);
  const std::uint64_t waited = waits - waited_;
  if (waited > gap && !std::exchange(is_late_, true)) return 0;
  is_late_ = false;
  waited_ = waits;
  return std::min(waited, gap);
}

/// The core has jumped back to `target`. Returns what it waits for if that was a turn of a poll;
/// otherwise kBusy.
Spent CoreMeter::close_turn(std::uint32_t target) {
  Head& head = heads_[target / 4 % kHeads];
  if (head.pc != target) {
    head = {.pc = target, .begin = count_, .previous = count_, .changes = changes_};
    return Spent::kBusy;
  }
  std::uint64_t loads = 0;
  Spent spent = Spent::kBusy;
  if (head.changes == changes_ && head.begin >= first_) {
    for (std::uint64_t i = head.begin; i < count_; ++i) {
      const std::uint32_t address = entry(i).address;
      if (address == 0) continue;
      loads = (loads ^ address) * 0x9E3779B97F4A7C15;
      const Spent here = spent_at(address, is_pim_);
      if (spent == Spent::kBusy || rank_of(here) > rank_of(spent)) spent = here;
    }
  }
  const bool polls = loads != 0 && loads == head.loads;
  if (polls) {
    for (std::uint64_t i = std::max(head.previous, first_); i < count_; ++i) entry(i).spent = spent;
  }
  head = {
      .pc = target, .begin = count_, .previous = head.begin, .changes = changes_, .loads = loads};
  return loads != 0 ? spent : Spent::kBusy;
}

void CoreMeter::committed(const riscv::Core&, const riscv::Commit& commit) {
  const Cycle released = core_.released_at();
  if (released > at_) {
    push({.cycles = released - at_, .spent = Spent::kIdle});
    at_ = released;
  }
  const Cycle t = std::max(commit.cycle, at_);
  const std::uint64_t gap = t - at_;
  Entry next{.pc = commit.pc, .waited = take_wait(t, gap)};
  Spent polled = Spent::kBusy;
  if (count_ != 0) {
    Entry& before = entry(count_ - 1);
    before.cycles += gap - next.waited;
    if (commit.pc <= before.pc) polled = close_turn(commit.pc);
  }
  at_ = t;
  if (zones_ != nullptr) zones_->at(commit.pc, t, next.waited);
  const bool accesses = commit.load_bytes != 0 || commit.store_bytes != 0;
  if (next.waited != 0) {
    next.waited_for = polled != Spent::kBusy           ? polled
                      : is_of_coprocessor(commit.word) ? Spent::kCoprocessor
                      : accesses                       ? spent_at(commit.address, is_pim_)
                                                       : Spent::kOther;
  }
  if (commit.load_bytes != 0 && !is_own(commit.address)) next.address = commit.address;
  if ((commit.store_bytes != 0 && !is_own(commit.address)) || is_of_coprocessor(commit.word))
    ++changes_;
  push(next);
}

CyclesByPc CoreMeter::take() {
  // The latest instruction still runs.
  while (first_ + 1 < count_) book(booked_, entry(first_++));
  return std::exchange(booked_, {});
}

CyclesByPc CoreMeter::until(Cycle now) const {
  CyclesByPc cycles = booked_;
  // The core may run ahead of `now`.
  std::uint64_t excess = at_ > now ? at_ - now : 0;
  for (std::uint64_t i = count_; i-- > first_;) {
    Entry shown = entry(i);
    for (std::uint64_t* part : {&shown.cycles, &shown.waited}) {
      const std::uint64_t cut = std::min(*part, excess);
      *part -= cut;
      excess -= cut;
    }
    book(cycles, shown);
  }
  if (now <= at_) return cycles;
  Entry last{.pc = count_ == 0 ? kNoCode : entry(count_ - 1).pc, .cycles = now - at_};
  switch (core_.state_at(now)) {
    case riscv::CoreState::kInReset:
      last = {.cycles = now - at_, .spent = Spent::kIdle};
      break;
    case riscv::CoreState::kSleepingOnPoll:
    case riscv::CoreState::kBlocked: {
      last.pc = core_.pc();
      last.waited = std::min<std::uint64_t>(core_.waiting_cycles(now) - waited_, last.cycles);
      last.cycles -= last.waited;
      const auto addresses = core_.waiting().addresses();
      for (const std::uint32_t address : addresses) {
        const Spent here = spent_at(address, is_pim_);
        if (rank_of(here) > rank_of(last.waited_for)) last.waited_for = here;
      }
      break;
    }
    case riscv::CoreState::kRunning:
      break;
    default:
      last.pc = core_.pc();
      last.spent = Spent::kOther;
  }
  book(cycles, last);
  return cycles;
}

}  // namespace tvp::platform
