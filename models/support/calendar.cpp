#include "models/support/calendar.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace tvp::support {

unsigned Calendar::add_tile(TileScheduler& tile) {
  tiles_.push_back(&tile);
  keys_.push_back(kNever);
  rebuild_tree();
  return static_cast<unsigned>(tiles_.size() - 1);
}

void Calendar::rebuild_tree() {
  leaves_ = static_cast<unsigned>(std::bit_ceil(keys_.size()));
  winner_.assign(std::size_t{2} * leaves_, 0);
  for (unsigned i = 0; i < leaves_; ++i) winner_[leaves_ + i] = i;
  for (unsigned node = leaves_ - 1; node >= 1; --node) {
    const unsigned left = winner_[2 * node];
    const unsigned right = winner_[2 * node + 1];
    winner_[node] = tile_key(right) < tile_key(left) ? right : left;
  }
}

void Calendar::set_tile_key(unsigned index, Cycle when) {
  keys_[index] = when;
  for (unsigned node = (leaves_ + index) / 2; node >= 1; node /= 2) {
    const unsigned left = winner_[2 * node];
    const unsigned right = winner_[2 * node + 1];
    winner_[node] = tile_key(right) < tile_key(left) ? right : left;
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
  const Cycle when = tiles_[tile_index]->next();
  if (when < keys_[tile_index]) {
    if (when < now_) {
      throw std::logic_error("Calendar: tile " + std::to_string(tile_index) +
                             " woken at cycle " + std::to_string(when) +
                             ", before the current cycle " + std::to_string(now_));
    }
    set_tile_key(tile_index, when);
  }
}

Cycle Calendar::next() const {
  const Cycle event = heap_.empty() ? kNever : heap_.front().when;
  const Cycle tile = keys_.empty() ? kNever : tile_key(first_tile());
  return std::min(event, tile);
}

void Calendar::run_tile(unsigned index, Cycle end) {
  const Cycle start = keys_[index];
  Cycle horizon = end;
  if (lockstep_) {
    horizon = std::min(end, start + 1);
  } else {
    set_tile_key(index, kNever);
    const Cycle other = tile_key(first_tile());
    if (other != kNever) horizon = std::min(horizon, other + lookahead_.tile_to_tile);
    if (!heap_.empty()) {
      horizon = std::min(horizon, heap_.front().when + lookahead_.event_to_tile);
    }
  }
  ++tile_activations_;
  running_ = tiles_[index];
  running_->run(horizon);
  running_ = nullptr;
  set_tile_key(index, tiles_[index]->next());
}

void Calendar::run_until(Cycle end) {
  while (true) {
    const Cycle event = heap_.empty() ? kNever : heap_.front().when;
    const unsigned tile = first_tile();
    const Cycle tile_time = keys_.empty() ? kNever : tile_key(tile);
    const Cycle first = std::min(event, tile_time);
    if (first >= end) break;
    now_ = first;
    if (event <= tile_time) {
      const Entry entry = heap_.front();
      std::pop_heap(heap_.begin(), heap_.end(), later);
      heap_.pop_back();
      ++events_fired_;
      entry.target->fire(entry.when, entry.token);
    } else {
      run_tile(tile, end);
    }
  }
  if (end != kNever && end > now_) now_ = end;
}

}  // namespace tvp::support
