#include "models/support/watch.h"

#include <algorithm>
#include <utility>

namespace tvp::support {

void WatchHub::sleep(Sleeper& sleeper, std::uint32_t mask, const std::vector<L1Range>& ranges) {
  cancel(sleeper);
  if (asleep_ == entries_.size()) entries_.emplace_back();
  Entry& entry = entries_[asleep_++];
  entry.sleeper = &sleeper;
  entry.mask = mask | (ranges.empty() ? 0U : 1U);
  entry.ranges.assign(ranges.begin(), ranges.end());
  active_mask_ |= entry.mask;
}

void WatchHub::cancel(Sleeper& sleeper) {
  std::size_t i = 0;
  while (i < asleep_ && entries_[i].sleeper != &sleeper) ++i;
  if (i == asleep_) return;
  --asleep_;
  for (; i < asleep_; ++i) std::swap(entries_[i], entries_[i + 1]);
  active_mask_ &= kFirstWritesBit;
  for (const Entry& e : asleep()) active_mask_ |= e.mask;
}

void WatchHub::await(FirstWrites* first_writes) {
  first_writes_ = first_writes;
  active_mask_ &= ~kFirstWritesBit;
  if (first_writes != nullptr) active_mask_ |= kFirstWritesBit;
}

bool WatchHub::is_watched(const L1Range& range) const {
  if (first_writes_ != nullptr && first_writes_->awaits(range.first, range.last)) return true;
  for (const Entry& e : asleep()) {
    for (const L1Range& r : e.ranges) {
      if (r.first <= range.last && range.first <= r.last) return true;
    }
  }
  return false;
}

// A notified sleeper may cancel its own entry, so both loops check what remains.
void WatchHub::notify(Watch group, Cycle when, unsigned order) {
  for (std::size_t i = asleep_; i-- > 0;) {
    if (i >= asleep_) continue;
    if ((entries_[i].mask >> static_cast<unsigned>(group)) & 1U) {
      entries_[i].sleeper->location_changed(when, order);
    }
  }
}

void WatchHub::notify_l1(std::uint32_t address, std::uint32_t bytes, Cycle when, unsigned order) {
  if (bytes == 0) return;
  if (first_writes_ != nullptr) first_writes_->written(address, bytes);
  const std::uint32_t last = address + bytes - 1;
  for (std::size_t i = asleep_; i-- > 0;) {
    if (i >= asleep_) continue;
    const bool hit =
        std::any_of(entries_[i].ranges.begin(), entries_[i].ranges.end(),
                    [&](const L1Range& r) { return r.first <= last && address <= r.last; });
    if (hit) entries_[i].sleeper->location_changed(when, order);
  }
}

}  // namespace tvp::support
