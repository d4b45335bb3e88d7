#include "models/support/calendar.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tvp::support {

unsigned Calendar::add_tile(TileScheduler& tile) {
  tiles_.push_back(&tile);
  next_.add();
  reach_.add();
  return static_cast<unsigned>(tiles_.size() - 1);
}

void Calendar::set_keys(unsigned index) {
  const Cycle when = tiles_[index]->next();
  next_.set(index, when);
  if (lookahead_.portless_more != 0) {
    reach_.set(index, tiles_[index]->reach(when, lookahead_.portless_more));
  }
}

void Calendar::post(Cycle when, const EventKey& key, EventTarget& target, std::uint64_t token) {
  if (when < now_) {
    throw std::logic_error("Calendar: event posted at cycle " + std::to_string(when) +
                           ", before the current cycle " + std::to_string(now_));
  }
  heap_.push_back({when, key.packed(), &target, token});
  std::push_heap(heap_.begin(), heap_.end(), later);
  if (running_ != nullptr) running_->lower_horizon(when + lookahead_.event_to_tile);
}

void Calendar::tile_woken(unsigned tile_index) {
  if (running_ == tiles_[tile_index]) return;  // its key is set when it returns
  const Cycle when = tiles_[tile_index]->next();
  if (when < next_.of(tile_index)) {
    if (when < now_) {
      throw std::logic_error("Calendar: tile " + std::to_string(tile_index) + " woken at cycle " +
                             std::to_string(when) + ", before the current cycle " +
                             std::to_string(now_));
    }
    next_.set(tile_index, when);
  }
  if (lookahead_.portless_more != 0) {
    const Cycle reach = tiles_[tile_index]->reach(when, lookahead_.portless_more);
    if (reach < reach_.of(tile_index)) reach_.set(tile_index, reach);
  }
}

Cycle Calendar::next() const {
  const Cycle event = heap_.empty() ? kNever : heap_.front().when;
  return std::min(event, next_.first().when());
}

void Calendar::run_tile(unsigned index) {
  const Cycle start = next_.of(index);
  Cycle horizon = end_;
  if (lockstep_) {
    horizon = std::min(end_, start + 1);
  } else {
    const TournamentTree::Contender second = next_.first_but(index);
    tiles_[second.player()]->prefetch();
    const Cycle other =
        lookahead_.portless_more == 0 ? second.when() : reach_.first_but(index).when();
    if (other != kNever) horizon = std::min(horizon, other + lookahead_.tile_to_tile);
    if (!heap_.empty()) {
      horizon = std::min(horizon, heap_.front().when + lookahead_.event_to_tile);
    }
  }
  ++tile_activations_;
  running_ = tiles_[index];
  running_->run(horizon);
  running_ = nullptr;
  set_keys(index);
}

void Calendar::settle(unsigned tile_index) {
  TileScheduler& tile = *tiles_[tile_index];
  if (running_ != nullptr || !tile.has_left()) return;
  do {
    tile.catch_up(now_, 0);
    tile.run(now_);
  } while (tile.has_left());
  settled_.push_back(tile_index);
}

void Calendar::settle() {
  for (unsigned i = 0; i < tiles_.size(); ++i) settle(i);
}

void Calendar::cut(Cycle end) {
  end_ = std::min(end_, end);
  if (running_ != nullptr) running_->lower_horizon(end);
}

void Calendar::run_until(Cycle end) {
  end_ = end;
  for (const unsigned i : settled_) set_keys(i);
  settled_.clear();
  while (true) {
    const Cycle event = heap_.empty() ? kNever : heap_.front().when;
    const Cycle tile_time = next_.first().when();
    const Cycle first = std::min(event, tile_time);
    if (first >= end_) break;
    now_ = first;
    if (event <= tile_time) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      ++events_fired_;
      entry.target->fire(entry.when, entry.token);
    } else {
      run_tile(next_.first().player());
    }
  }
  if (end_ != kNever && end_ > now_) now_ = end_;
}

}  // namespace tvp::support
