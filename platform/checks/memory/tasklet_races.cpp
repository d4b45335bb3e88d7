#include "platform/checks/memory/tasklet_races.h"

#include <algorithm>
#include <string>

#include "foundation/hex.h"

namespace tvp::checks {

using Kind = ProbeEvent::Kind;
using Step = ProbeEvent::TaskletStep;

Probe::Kinds TaskletRaces::kinds() const {
  if (tile_.kind != TileContext::Kind::kPimUnit || tile_.x >= kUnits) return 0;
  return Probe::bit(Kind::kTasklet) | Probe::bit(Kind::kCommand) | Probe::bit(Kind::kReset) |
         Probe::bit(Kind::kProgramEnds);
}

void TaskletRaces::on(const ProbeEvent& event) {
  if (event.kind == Kind::kReset) return reset();
  if (event.kind == Kind::kProgramEnds) return report_doubts();
  if (event.kind == Kind::kCommand) return transfers(event);
  if (event.thread >= kTasklets) return;
  Tasklet& tasklet = tasklets_.at(event.thread);
  std::uint32_t& own = tasklet.clock.at(event.thread);
  switch (event.step) {
    case Step::kLock:
      return join(tasklet.clock, mutexes_.at(event.index));
    case Step::kUnlock:
      mutexes_.at(event.index) = tasklet.clock;
      ++own;
      return;
    case Step::kMeet:
      return meet();
    case Step::kStart:
      join(tasklets_.at(event.index).clock, tasklet.clock);
      ++own;
      return;
    default:
      return access(event);
  }
}

void TaskletRaces::reset() {
  for (unsigned i = 0; i < kTasklets; ++i) {
    tasklets_.at(i) = {};
    tasklets_.at(i).clock.at(i) = 1;
  }
  mutexes_ = {};
  blocks_.clear();
  readers_.clear();
  doubts_.clear();
  polls_.clear();
  reported_.clear();
}

/// Tasklets that have stopped count as those that meet.
void TaskletRaces::meet() {
  report_doubts();
  Clock all{};
  for (const Tasklet& each : tasklets_) join(all, each.clock);
  for (unsigned i = 0; i < kTasklets; ++i) {
    tasklets_.at(i).clock = all;
    ++tasklets_.at(i).clock.at(i);
  }
}

/// A DMA transfer uses WRAM for the tasklet that has started it and that waits for its end.
void TaskletRaces::transfers(const ProbeEvent& event) {
  if (event.agent != BusMaster::kPimDma || event.thread == 0 || event.thread > kTasklets) return;
  ProbeEvent use = event;
  use.thread = static_cast<std::uint8_t>(event.thread - 1);
  use.step = event.request == ProbeEvent::Request::kWrite ? Step::kLoad : Step::kStore;
  tasklets_.at(use.thread).last_load = {};  // it is no poll
  access(use);
  tasklets_.at(use.thread).last_load = {};
}

void TaskletRaces::access(const ProbeEvent& event) {
  const auto begin = static_cast<std::uint32_t>(event.address);
  const std::uint32_t end = begin + event.bytes;
  if (end > regs::pim::kWramBytes) return;
  decide(event);
  if (blocks_.empty()) blocks_.resize(regs::pim::kWramBytes / kBlockBytes);
  Tasklet& tasklet = tasklets_.at(event.thread);
  Use use{.pc = event.pc,
          .time = tasklet.clock.at(event.thread),
          .tasklet = event.thread,
          .bytes = 0xF};
  const bool writes = event.step == Step::kStore;
  const bool polls = !writes && tasklet.last_load.tasklet != kNobody &&
                     tasklet.last_load.pc == event.pc && tasklet.loaded == begin;
  if (polls) polls_.insert(event.pc);
  tasklet.last_load = writes ? Use{} : use;
  tasklet.loaded = begin;
  for (std::uint32_t at = begin / kWordBytes * kWordBytes; at < end; at += kWordBytes) {
    std::unique_ptr<Block>& block = blocks_[at / kBlockBytes];
    if (block == nullptr) block = std::make_unique<Block>();
    Word& word = (*block)[at % kBlockBytes / kWordBytes];
    if (event.bytes < kWordBytes)
      use.bytes = static_cast<std::uint8_t>(((1U << event.bytes) - 1) << (begin - at));
    if (polls && word.write.tasklet != kNobody)
      join(tasklet.clock, tasklets_.at(word.write.tasklet).clock);
    if (writes)
      store(word, use, at);
    else
      load(word, use, at);
  }
}

void TaskletRaces::doubt(const Use& load, const Use& store, std::uint32_t address) {
  if (!polls_.contains(load.pc)) doubts_.push_back({load, store, address});
}

/// Decides about loads of the tasklet that now goes on, or loads the word again.
void TaskletRaces::decide(const ProbeEvent& event) {
  for (std::size_t i = doubts_.size(); i-- > 0;) {
    const Doubt doubt = doubts_[i];
    if (doubt.load.tasklet != event.thread) continue;
    doubts_.erase(doubts_.begin() + static_cast<std::ptrdiff_t>(i));
    if (doubt.load.pc != event.pc) report(doubt.load, doubt.store, doubt.address, false, true);
  }
}

void TaskletRaces::report_doubts() {
  for (const Doubt& doubt : doubts_) report(doubt.load, doubt.store, doubt.address, false, true);
  doubts_.clear();
}

bool TaskletRaces::is_before(const Use& earlier, const Use& later) const {
  return earlier.tasklet == kNobody || earlier.tasklet == later.tasklet ||
         (earlier.bytes & later.bytes) == 0 ||
         tasklets_.at(later.tasklet).clock.at(earlier.tasklet) >= earlier.time;
}

void TaskletRaces::load(Word& word, const Use& use, std::uint32_t address) {
  if (!is_before(word.write, use) && !polls_.contains(use.pc))
    report(word.write, use, address, true, false);
  if (word.readers != nullptr) {
    word.readers->last.at(use.tasklet) = use;
    return;
  }
  if (word.read.tasklet == kNobody || word.read.tasklet == use.tasklet) {
    word.read = use;
    return;
  }
  word.readers = &readers_.emplace_back();
  word.readers->last.at(word.read.tasklet) = word.read;
  word.readers->last.at(use.tasklet) = use;
}

void TaskletRaces::store(Word& word, const Use& use, std::uint32_t address) {
  if (!is_before(word.write, use)) report(word.write, use, address, true, true);
  if (word.readers != nullptr) {
    for (const Use& read : word.readers->last)
      if (!is_before(read, use)) doubt(read, use, address);
    word.readers->last = {};
  } else if (!is_before(word.read, use)) {
    doubt(word.read, use, address);
  }
  word.read = {};
  word.write = use;
}

void TaskletRaces::report(const Use& first, const Use& second, std::uint32_t address,
                          bool first_writes, bool second_writes) {
  if (!reported_.insert(std::minmax(first.pc, second.pc)).second) return;
  const auto name = [](const Use& use, bool writes) {
    return "tasklet " + std::to_string(use.tasklet) + (writes ? " writes" : " reads");
  };
  tile_.warnings.warn(foundation::Fault(
      foundation::FaultKind::kFirmware, tile_.where,
      name(second, second_writes) + " WRAM " + foundation::hex(address) + " at pc " +
          foundation::hex(second.pc) + ", and " + name(first, first_writes) + " it at pc " +
          foundation::hex(first.pc) +
          ", in this order only by luck. Expected a tasklet_barrier or a Mutex between them. Add "
          "one."));
}

void TaskletRaces::join(Clock& clock, const Clock& other) {
  for (unsigned i = 0; i < kTasklets; ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace tvp::checks
