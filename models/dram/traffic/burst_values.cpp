#include "models/dram/traffic/burst_values.h"

#include <utility>

namespace tvp::dram {

BurstValues::Value& BurstValues::add(std::uint64_t burst) {
  if (2 * (groups_.size() + 1) > slots_.size()) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before) {
      if (!slot.is_free()) slots_[slot_of(slot.group)] = slot;
    }
  }
  const std::uint64_t group = burst / kGroup;
  slots_[slot_of(group)] = {group, groups_.size()};
  return groups_.emplace_back()[burst % kGroup];
}

}  // namespace tvp::dram
