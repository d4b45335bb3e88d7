#include "models/dram/traffic/burst_values.h"

#include <utility>

namespace tvp::dram {

std::size_t BurstValues::slot_of(std::uint64_t group) const {
  // Multiplication by 2^64 / golden ratio (Knuth, TAOCP 6.4) spreads neighbors and strides.
  constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (group * kSpread >> 32) & mask;
  while (!slots_[at].is_free() && slots_[at].group != group) at = (at + 1) & mask;
  return at;
}

void BurstValues::set(std::uint64_t burst, std::uint32_t value) {
  std::size_t at = slot_of(burst / kGroup);
  if (slots_[at].is_free()) {
    if (2 * ++used_ > slots_.size()) {
      grow();
      at = slot_of(burst / kGroup);
    }
    slots_[at].group = burst / kGroup;
  }
  slots_[at].values[burst % kGroup] = value;
}

void BurstValues::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
  for (const Slot& slot : before) {
    if (!slot.is_free()) slots_[slot_of(slot.group)] = slot;
  }
}

}  // namespace tvp::dram
