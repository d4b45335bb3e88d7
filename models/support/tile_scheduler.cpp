#include "models/support/tile_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace tvp::support {

void TileScheduler::add(Agent& agent) {
  if (count_ == kMaxAgents) throw std::length_error("TileScheduler: too many agents in one tile");
  agent.order_ = count_;
  agent.scheduler_ = this;
  next_[count_] = agent.next();
  agent.next_ = &next_[count_];
  agents_[count_++] = &agent;
}

Cycle TileScheduler::next() const {
  Cycle first = kNever;
  for (unsigned i = 0; i < count_; ++i) first = std::min(first, next_[i]);
  return first;
}

void TileScheduler::run(Cycle horizon) {
  horizon_ = horizon;
  while (true) {
    unsigned first = count_;
    unsigned second = count_;
    Cycle first_time = kNever;
    Cycle second_time = kNever;
    // Strict comparison: of two agents with one cycle, the earlier added stays first.
    for (unsigned i = 0; i < count_; ++i) {
      const Cycle t = next_[i];
      if (t < first_time) {
        second = first;
        second_time = first_time;
        first = i;
        first_time = t;
      } else if (t < second_time) {
        second = i;
        second_time = t;
      }
    }
    if (first_time >= horizon_) return;
    limit_ = horizon_;
    if (second_time != kNever) {
      limit_ = std::min(limit_, second_time + (first < second ? 1 : 0));
    }
    running_ = agents_[first];
    running_->run();
    hot_ = running_->hot_;
    running_ = nullptr;
  }
}

}  // namespace tvp::support
