#include "models/dram/traffic/burst_values.h"

#include <utility>

namespace tvp::dram {

BurstValues::Value& BurstValues::add(std::uint64_t burst) {
  const std::uint64_t group = burst / kGroup;
  std::uint32_t region = slots_[slot_of(group / kRegion)].index;
  if (region == kNone) region = add_region(group / kRegion);
  regions_[region][group % kRegion] = static_cast<std::uint32_t>(groups_.size());
  return groups_.emplace_back()[burst % kGroup];
}

std::uint32_t BurstValues::add_region(std::uint64_t region) {
  if (2 * (regions_.size() + 1) > slots_.size()) {
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : before) {
      if (slot.region != kFree) slots_[slot_of(slot.region)] = slot;
    }
  }
  const auto index = static_cast<std::uint32_t>(regions_.size());
  slots_[slot_of(region)] = {region, index};
  regions_.emplace_back();
  return index;
}

}  // namespace tvp::dram
