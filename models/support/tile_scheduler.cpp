#include "models/support/tile_scheduler.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tvp::support {

void TileScheduler::add(Agent& agent) {
  if (count_ == kMaxAgents) throw std::length_error("TileScheduler: too many agents in one tile");
  agent.order_ = count_;
  agent.scheduler_ = this;
  next_[count_] = agent.next();
  agent.next_ = &next_[count_];
  agent.due_ = &due_;
  due_ |= 1U << count_;
  if (agent.asks_) asking_ |= 1U << count_;
  agents_[count_++] = &agent;
}

void TileScheduler::add_portless(Agent& agent) {
  portless_ |= 1U << count_;
  add(agent);
}

Cycle TileScheduler::first_of(unsigned agents) const {
  Cycle first = kNever;
  for (unsigned rest = agents & due_; rest != 0; rest &= rest - 1)
    first = std::min(first, next_[static_cast<unsigned>(std::countr_zero(rest))]);
  return first;
}

Cycle TileScheduler::next() const { return first_of(~0U); }

Cycle TileScheduler::reach(Cycle next, Cycle portless_more) const {
  const Cycle later = next > kNever - portless_more ? kNever : next + portless_more;
  return std::min(later, first_of(~portless_));
}

Cycle TileScheduler::next_unasked(const Agent& agent) const {
  return first_of(~(asking_ | 1U << agent.order_));
}

bool TileScheduler::is_used(std::uint32_t address, std::uint32_t bytes, bool write) const {
  for (unsigned i = 0; i < count_; ++i) {
    if (left_.touches(i, address, bytes, write)) return true;
  }
  return false;
}

bool TileScheduler::disturbs(const Agent& agent, Cycle t, std::uint32_t address,
                             std::uint32_t bytes, bool write) {
  bool any = false;
  for (unsigned i = 0; i < count_; ++i) {
    if (!left_.touches(i, address, bytes, write)) continue;
    agents_[i]->catch_up(t, agent.order_);
    any = true;
  }
  return any;
}

void TileScheduler::catch_up(Cycle t, unsigned order) {
  for (unsigned i = 0; i < count_; ++i) {
    if (left_.has(i)) agents_[i]->catch_up(t, order);
  }
}

/// Branches are faster here: the host predicts them and need not wait for the table.
inline std::pair<unsigned, unsigned> TileScheduler::first_two() {
  unsigned first = kMaxAgents;
  unsigned second = kMaxAgents;
  Cycle first_time = kNever;
  Cycle second_time = kNever;
  // Strict comparison: of two agents with the same cycle, the one added earlier stays first.
  for (unsigned rest = due_; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(rest));
    const Cycle t = next_[i];
    if (t < first_time) {
      second = first;
      second_time = first_time;
      first = i;
      first_time = t;
    } else if (t < second_time) {
      second = i;
      second_time = t;
    } else if (t == kNever) {
      due_ &= ~(1U << i);
    }
  }
  return {first, second};
}

void TileScheduler::run(Cycle horizon) {
  horizon_ = horizon;
  while (true) {
    const auto [first, second] = first_two();
    const Cycle first_time = next_[first];
    if (first_time >= horizon_) return;
    if (left_.any() && (asking_ >> first & 1U) == 0) [[unlikely]] {
      catch_up(first_time, first);
      continue;
    }
    limit_ = std::min(horizon_, first_time + kLongestRun);
    if (next_[second] != kNever) {
      limit_ = std::min(limit_, next_[second] + (first < second ? 1 : 0));
    }
    running_ = agents_[first];
    running_->run();
    hot_ = running_->hot_;
    running_ = nullptr;
  }
}

}  // namespace tvp::support
