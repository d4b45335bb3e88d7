#include "models/support/left_agents.h"

#include <algorithm>

namespace tvp::support {

namespace {

bool overlap(const std::vector<WatchHub::L1Range>& ranges, std::uint32_t address,
             std::uint32_t bytes) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const WatchHub::L1Range& r) {
    return r.first < std::uint64_t{address} + bytes && address <= r.last;
  });
}

}  // namespace

void LeftAgents::add(unsigned order, const Use& use) {
  mask_ |= 1U << order;
  uses_[order] = &use;
  for (const auto* ranges : {&use.stored, &use.loaded}) {
    // An aligned word that begins below does not reach the range.
    for (const WatchHub::L1Range& r : *ranges) lowest_ = std::min(lowest_, r.first & ~3U);
  }
}

void LeftAgents::remove(unsigned order) {
  mask_ &= ~(1U << order);
  const std::uint32_t others = mask_;
  lowest_ = ~0U;
  for (unsigned i = 0; i < uses_.size(); ++i) {
    if (others >> i & 1U) add(i, *uses_[i]);
  }
}

bool LeftAgents::touches(unsigned order, std::uint32_t address, std::uint32_t bytes,
                         bool write) const {
  return has(order) && (overlap(uses_[order]->stored, address, bytes) ||
                        (write && overlap(uses_[order]->loaded, address, bytes)));
}

}  // namespace tvp::support
