#include "models/riscv/poll_detector.h"

#include <algorithm>

namespace tvp::riscv {

using support::Cycle;
using support::Watch;

bool PollDetector::candidate(std::uint32_t pc) {
  if (pc != target_) {
    target_ = pc;
    failures_ = 0;
    held_back_ = 0;
    return false;
  }
  if (held_back_ > 0) {
    --held_back_;
    return false;
  }
  return true;
}

void PollDetector::begin(std::uint32_t pc, Cycle t, std::uint64_t executed,
                         const std::array<std::uint32_t, 33>& regs, const PollTiming& timing) {
  target_ = pc;
  started_ = t;
  executed_ = executed;
  regs_ = regs;
  timing_ = timing;
  count_ = 0;
  ranges_.clear();
  spoiled_ = false;
}

bool PollDetector::note(const Load& load) {
  if (load.watch == Watch::kNone || count_ == kMaxLoads) return false;
  loads_[count_++] = load;
  if (load.watch == Watch::kL1) {
    ranges_.push_back({load.address, load.address + load.bytes - 1});
  }
  return true;
}

bool PollDetector::proves(std::uint32_t pc, Cycle t, std::uint64_t executed, bool clean,
                          const std::array<std::uint32_t, 33>& regs, const PollTiming& timing) {
  if (pc != target_ || !clean || spoiled_ || count_ == 0) return false;
  // The sink of x0 takes part in nothing.
  if (!std::equal(regs.begin(), regs.begin() + 32, regs_.begin())) return false;
  if (!(timing == timing_)) return false;
  asleep_since_ = t;
  period_ = t - started_;
  instructions_ = executed - executed_;
  return true;
}

void PollDetector::failed() {
  failures_ = std::min(failures_ + 1, 10U);
  held_back_ = 1U << failures_;
}

// Load j of iteration k is made at asleep_since_ + k * period_ + offset j; it sees the change when
// it comes later in (cycle, order of agents).
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

std::uint64_t PollDetector::iterations_until(Cycle now) const {
  return now > asleep_since_ ? (now - asleep_since_) / period_ : 0;
}

std::uint32_t PollDetector::mask() const {
  std::uint32_t mask = 0;
  for (unsigned i = 0; i < count_; ++i) mask |= 1U << static_cast<unsigned>(loads_[i].watch);
  return mask;
}

}  // namespace tvp::riscv
