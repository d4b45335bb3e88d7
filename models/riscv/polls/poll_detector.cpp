#include "models/riscv/polls/poll_detector.h"

#include <algorithm>

namespace tvp::riscv {

using support::Cycle;
using support::Watch;

std::uint8_t PollDetector::take_hold() {
  if (held_ == nullptr) return 0;
  const auto hold = static_cast<std::uint8_t>(std::min(held_->held_back, 255U));
  held_->held_back -= hold;
  held_ = nullptr;
  return hold;
}

bool PollDetector::candidate(std::uint32_t pc) {
  for (unsigned i = 0; i < targets_.size(); ++i) {
    if (targets_[i].pc != pc) continue;
    if (targets_[i].held_back > 0) {
      --targets_[i].held_back;
      held_ = &targets_[i];
      return false;
    }
    current_ = i;
    return true;
  }
  replaced_ = (replaced_ + 1) % static_cast<unsigned>(targets_.size());
  targets_[replaced_] = Target{pc, 0, 0};
  return false;
}

bool PollDetector::has_failed(std::uint32_t pc) const {
  return std::any_of(targets_.begin(), targets_.end(),
                     [pc](const Target& target) { return target.pc == pc && target.failures > 0; });
}

void PollDetector::begin(Cycle t, std::uint64_t executed, const std::array<std::uint32_t, 33>& regs,
                         const PollTiming& timing, std::uint32_t branch_mark, bool counting) {
  branch_mark_ = branch_mark;
  counting_ = counting;
  started_ = t;
  executed_ = executed;
  regs_ = regs;
  timing_ = timing;
  timing_.contended = false;
  count_ = 0;
  has_all_loads_ = true;
  stops_.clear();
  fetches_.clear();
  mask_ = 0;
  prediction_count_ = 0;
  inner_jumps_ = 0;
  ranges_.clear();
  spoiled_ = false;
}

bool PollDetector::note(const Load& load) {
  if (load.watch == Watch::kNone || (count_ == kMaxLoads && !counting_)) {
    spoiled_ = true;
    return false;
  }
  has_all_loads_ = count_ < kMaxLoads;
  if (has_all_loads_) loads_[count_++] = load;
  mask_ |= 1U << static_cast<unsigned>(load.watch);
  if (load.watch == Watch::kL1) {
    const auto same = [&](const support::WatchHub::L1Range& r) {
      return r.first == load.address && r.last - r.first + 1 == load.bytes;
    };
    if (std::none_of(ranges_.begin(), ranges_.end(), same)) {
      ranges_.push_back({load.address, load.address + load.bytes - 1});
    }
  }
  return true;
}

void PollDetector::note_fetch(std::uint32_t address, Cycle t) {
  constexpr std::size_t kMostFetches = 256;
  if (fetches_.size() == kMostFetches && !counting_) spoiled_ = true;
  if (fetches_.size() < kMostFetches) fetches_.push_back({address, t - started_});
}

void PollDetector::note_stop(Cycle t, std::uint64_t executed) {
  constexpr std::size_t kMost = 256;
  if (stops_.size() == kMost && !counting_) spoiled_ = true;
  if (stops_.size() < kMost) stops_.push_back({t - started_, executed});
}

void PollDetector::note_prediction(Op& op) {
  for (unsigned i = 0; i < prediction_count_; ++i) {
    if (predictions_[i].op == &op) return;
  }
  if (prediction_count_ == kMaxPredictions) {
    spoiled_ = true;
  } else {
    predictions_[prediction_count_++] = {&op, op.aux, op.prediction};
  }
}

PollDetector::Verdict PollDetector::judge(Cycle t, std::uint64_t executed,
                                          const std::array<std::uint32_t, 33>& regs,
                                          const PollTiming& timing,
                                          const BranchPredictor& branches) {
  // The sink of x0 does not count.
  if (!std::equal(regs.begin(), regs.begin() + 32, regs_.begin())) return Verdict::kNoPoll;
  if (!periodic(timing, branches)) {
    PollTiming but_for_stops = timing;
    but_for_stops.ahead = timing_.ahead;
    return periodic(but_for_stops, branches) ? Verdict::kNotYet : Verdict::kNoPoll;
  }
  targets_[current_].failures = 0;
  proved(t, executed);
  return Verdict::kPoll;
}

bool PollDetector::periodic(const PollTiming& timing, const BranchPredictor& branches) const {
  return !spoiled_ && timing == timing_ && predicts_as_before(branches);
}

/// True if the predictor's buffer is as before. If branches entered it during the iteration, all
/// older entries have aged, so everything in the buffer must have entered in the iteration.
bool PollDetector::predicts_as_before(const BranchPredictor& branches) const {
  unsigned remembered = 0;
  for (unsigned i = 0; i < prediction_count_; ++i) {
    const Prediction& before = predictions_[i];
    const std::uint32_t age = branches.age(before.prediction, branch_mark_);
    if (branches.age(before.op->prediction, branches.mark()) != age) return false;
    if (age == 0) continue;
    if (before.op->aux != before.aux) return false;
    ++remembered;
  }
  return branches.mark() == branch_mark_ || remembered == branches.capacity();
}

void PollDetector::proved(Cycle t, std::uint64_t executed) {
  asleep_since_ = t;
  period_ = t - started_;
  instructions_ = executed - executed_;
}

void PollDetector::failed() {
  Target& target = targets_[current_];
  target.failures = std::min(target.failures + 1, 10U);
  target.held_back = 1U << target.failures;
}

// Load j of iteration k is made at asleep_since_ + k * period_ + offset j. It sees the change if it
// comes later in the order of (cycle, agent).
PollDetector::Resume PollDetector::after_change(Cycle when, unsigned order,
                                                unsigned own_order) const {
  std::uint64_t k = when > asleep_since_ ? (when - asleep_since_) / period_ : 0;
  if (k > 0) --k;
  while (true) {
    const Cycle start = asleep_since_ + k * period_;
    for (unsigned j = 0; j < count_; ++j) {
      const Cycle c = start + loads_[j].offset;
      if (c > when || (c == when && own_order > order)) return {k, j, c};
    }
    ++k;
  }
}

// A load and a stop at the same cycle belong to one instruction: the jump to it comes first.
std::uint64_t PollDetector::instructions_until(Cycle now, bool first) const {
  const auto is_before = [&](Cycle c) { return c < now || (c == now && first); };
  std::uint64_t k = now > asleep_since_ ? (now - asleep_since_) / period_ : 0;
  if (k > 0) --k;
  while (true) {
    const Cycle start = asleep_since_ + k * period_;
    std::uint64_t executed = ~0ULL;
    for (unsigned j = count_; j-- > 0 && !is_before(start + loads_[j].offset);) {
      executed = loads_[j].executed;
    }
    for (std::size_t j = stops_.size(); j-- > 0 && !is_before(start + stops_[j].offset);) {
      executed = std::min(executed, stops_[j].executed);
    }
    if (executed != ~0ULL) return k * instructions_ + (executed - executed_);
    ++k;
  }
}

const PollDetector::Load* PollDetector::load_of(std::uint32_t address, std::uint32_t bytes) const {
  for (unsigned i = 0; i < count_; ++i) {
    if (loads_[i].address == address && loads_[i].bytes == bytes) return &loads_[i];
  }
  return nullptr;
}

std::uint64_t PollDetector::iterations_until(Cycle now) const {
  return now > asleep_since_ ? (now - asleep_since_) / period_ : 0;
}

std::vector<std::uint32_t> PollDetector::addresses() const {
  std::vector<std::uint32_t> addresses;
  for (unsigned i = 0; i < count_; ++i) addresses.push_back(loads_[i].address);
  return addresses;
}

}  // namespace tvp::riscv
