#include "models/support/tile_scheduler.h"

#include <algorithm>
#include <stdexcept>

namespace tvp::support {

void TileScheduler::add(Agent& agent) {
  if (count_ == kMaxAgents) throw std::length_error("TileScheduler: too many agents in one tile");
  agent.order_ = count_;
  agent.scheduler_ = this;
  agents_[count_++] = &agent;
}

Cycle TileScheduler::next() const {
  Cycle first = kNever;
  for (unsigned i = 0; i < count_; ++i) first = std::min(first, agents_[i]->next_);
  return first;
}

void TileScheduler::run(Cycle horizon) {
  horizon_ = horizon;
  while (true) {
    Agent* first = nullptr;
    Agent* second = nullptr;
    Cycle first_time = kNever;
    Cycle second_time = kNever;
    // Strict comparison: of two agents with one cycle, the earlier added stays first.
    for (unsigned i = 0; i < count_; ++i) {
      Agent* agent = agents_[i];
      const Cycle t = agent->next_;
      if (t < first_time) {
        second = first;
        second_time = first_time;
        first = agent;
        first_time = t;
      } else if (t < second_time) {
        second = agent;
        second_time = t;
      }
    }
    if (first == nullptr || first_time >= horizon_) return;
    limit_ = horizon_;
    if (second != nullptr) {
      const Cycle t = second_time + (first->order_ < second->order_ ? 1 : 0);
      limit_ = std::min(limit_, t);
    }
    running_ = first;
    first->run();
    running_ = nullptr;
  }
}

}  // namespace tvp::support
