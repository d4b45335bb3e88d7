#include "models/support/calendar.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace tvp::support {

unsigned Calendar::add_tile(TileScheduler& tile) {
  tiles_.push_back(&tile);
  rebuild_tree();
  return static_cast<unsigned>(tiles_.size() - 1);
}

void Calendar::rebuild_tree() {
  if (tiles_.size() > 1U << kTileBits) throw std::length_error("Calendar: too many tiles");
  const std::vector<Contender> old(tree_.begin() + leaves_, tree_.end());
  leaves_ = static_cast<unsigned>(std::bit_ceil(tiles_.size()));
  tree_.assign(std::size_t{2} * leaves_, 0);
  for (unsigned i = 0; i < leaves_; ++i) {
    tree_[leaves_ + i] = i < old.size() ? old[i] : pack(kNever, i);
  }
  for (unsigned node = leaves_ - 1; node >= 1; --node) {
    tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  }
}

// Which side wins is a coin toss for the host: the winner so far travels up in a register, and only
// the other side of each match is read, without a branch.
void Calendar::set_tile_key(unsigned index, Cycle when) {
  unsigned node = leaves_ + index;
  Contender best = pack(when, index);
  tree_[node] = best;
  while (node > 1) {
    best = std::min(best, tree_[node ^ 1U]);
    node /= 2;
    tree_[node] = best;
  }
}

// The second lost against the first somewhere on the first's way up.
Calendar::Contender Calendar::runner_up() const {
  Contender second = pack(kNever, 0);
  for (unsigned node = leaves_ + tile_of(tree_[1]); node > 1; node /= 2) {
    second = std::min(second, tree_[node ^ 1U]);
  }
  return second;
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
  if (when < tile_key(tile_index)) {
    if (when < now_) {
      throw std::logic_error("Calendar: tile " + std::to_string(tile_index) + " woken at cycle " +
                             std::to_string(when) + ", before the current cycle " +
                             std::to_string(now_));
    }
    set_tile_key(tile_index, when);
  }
}

Cycle Calendar::next() const {
  const Cycle event = heap_.empty() ? kNever : heap_.front().when;
  return std::min(event, when_of(tree_[1]));
}

void Calendar::run_tile(unsigned index, Cycle end) {
  const Cycle start = tile_key(index);
  Cycle horizon = end;
  if (lockstep_) {
    horizon = std::min(end, start + 1);
  } else {
    const Contender second = runner_up();
    const Cycle other = when_of(second);
    tiles_[tile_of(second)]->prefetch();
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

void Calendar::run_until(Cycle end) {
  for (const unsigned i : settled_) set_tile_key(i, tiles_[i]->next());
  settled_.clear();
  while (true) {
    const Cycle event = heap_.empty() ? kNever : heap_.front().when;
    const Cycle tile_time = when_of(tree_[1]);
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
      run_tile(tile_of(tree_[1]), end);
    }
  }
  if (end != kNever && end > now_) now_ = end;
}

}  // namespace tvp::support
