#include "models/support/watch.h"

#include <algorithm>

namespace tvp::support {

void WatchHub::sleep(Sleeper& sleeper, std::uint32_t mask, const std::vector<L1Range>& ranges) {
  cancel(sleeper);
  entries_.push_back({&sleeper, mask | (ranges.empty() ? 0U : 1U), ranges});
  recompute_mask();
}

void WatchHub::cancel(Sleeper& sleeper) {
  std::erase_if(entries_, [&](const Entry& e) { return e.sleeper == &sleeper; });
  recompute_mask();
}

bool WatchHub::is_watched(const L1Range& range) const {
  for (const Entry& e : entries_) {
    for (const L1Range& r : e.ranges) {
      if (r.first <= range.last && range.first <= r.last) return true;
    }
  }
  return false;
}

void WatchHub::recompute_mask() {
  active_mask_ = 0;
  for (const Entry& e : entries_) active_mask_ |= e.mask;
}

// A notified sleeper may cancel its own entry, so both loops run over what is left behind.
void WatchHub::notify(Watch group, Cycle when, unsigned order) {
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (i >= entries_.size()) continue;
    if ((entries_[i].mask >> static_cast<unsigned>(group)) & 1U) {
      entries_[i].sleeper->location_changed(when, order);
    }
  }
}

void WatchHub::notify_l1(std::uint32_t address, std::uint32_t bytes, Cycle when, unsigned order) {
  if (bytes == 0) return;
  const std::uint32_t last = address + bytes - 1;
  for (std::size_t i = entries_.size(); i-- > 0;) {
    if (i >= entries_.size()) continue;
    const bool hit =
        std::any_of(entries_[i].ranges.begin(), entries_[i].ranges.end(),
                    [&](const L1Range& r) { return r.first <= last && address <= r.last; });
    if (hit) entries_[i].sleeper->location_changed(when, order);
  }
}

}  // namespace tvp::support
