#include "models/dram/timing/activation_window.h"

#include <algorithm>

namespace tvp::dram {

namespace {
constexpr std::size_t kFour = 4;
}

/// True if an activation at `at` as number `position` keeps all limits.
bool ActivationWindow::fits(MemCycle at, std::size_t position) const {
  if (position > 0 && at < time(position - 1) + trrd_) return false;
  if (position < count_ && time(position) < at + trrd_) return false;
  // Any five consecutive activations that include this one must span at least tFAW.
  const std::size_t before = std::min(position, kFour);
  for (std::size_t back = before; back + 1 > 0; --back) {
    const std::size_t ahead = kFour - back;
    if (position + ahead > count_) break;  // fewer than five from here on
    const MemCycle first = back == 0 ? at : time(position - back);
    const MemCycle last = ahead == 0 ? at : time(position + ahead - 1);
    if (last < first + tfaw_) return false;
    if (back == 0) break;
  }
  return true;
}

MemCycle ActivationWindow::claim(MemCycle earliest) {
  std::size_t position = static_cast<std::size_t>(
      std::upper_bound(times_.begin(), times_.begin() + count_, earliest) - times_.begin());
  MemCycle at = earliest;
  for (;; ++position) {
    if (position > 0) at = std::max(at, time(position - 1) + trrd_);
    if (position >= kFour) at = std::max(at, time(position - kFour) + tfaw_);
    // The gap before the next planned activation is too short.
    if (position < count_ && at >= time(position)) continue;
    if (fits(at, position)) break;
  }
  if (count_ == kKept) {
    // The oldest one is dropped: a claim is never 64 activations behind another.
    if (position == 0) return at;
    std::move(times_.begin() + 1, times_.begin() + static_cast<std::ptrdiff_t>(position),
              times_.begin());
    times_[position - 1] = at;
    return at;
  }
  std::move_backward(times_.begin() + static_cast<std::ptrdiff_t>(position),
                     times_.begin() + static_cast<std::ptrdiff_t>(count_),
                     times_.begin() + static_cast<std::ptrdiff_t>(count_ + 1));
  times_[position] = at;
  ++count_;
  return at;
}

}  // namespace tvp::dram
