#include "sw/collectives/schedule/local_order.h"

#include <algorithm>

namespace tvp::collectives {

LocalOrder::LocalOrder(const RankProgram& program)
    : clocks_(program.lanes.size()), indices_(program.lanes.size()) {
  // Lanes continue in turn as far as they can; a step that remains at the end waits for itself.
  bool moved = true;
  while (moved) {
    moved = false;
    for (std::uint32_t lane = 0; lane < program.lanes.size(); ++lane) {
      const std::vector<Step>& steps = program.lanes[lane].steps;
      while (clocks_[lane].size() < steps.size()) {
        const auto next = static_cast<std::uint32_t>(clocks_[lane].size());
        if (!std::ranges::all_of(steps[next].after, [&](const Dependency& each) {
              return clocks_[each.lane].size() > each.step;
            }))
          break;
        place(program, {lane, next});
        moved = true;
      }
    }
  }
  for (std::uint32_t lane = 0; lane < program.lanes.size() && !circular_; ++lane)
    if (clocks_[lane].size() < program.lanes[lane].steps.size())
      circular_ = Dependency{lane, static_cast<std::uint32_t>(clocks_[lane].size())};
}

void LocalOrder::place(const RankProgram& program, const Dependency& at) {
  Clock clock(program.lanes.size());
  if (at.step > 0) clock = clocks_[at.lane][at.step - 1];
  clock[at.lane] = at.step;
  for (const Dependency& each : program.lanes[at.lane].steps[at.step].after) {
    const Clock& other = clocks_[each.lane][each.step];
    for (std::size_t lane = 0; lane < clock.size(); ++lane)
      clock[lane] = std::max(clock[lane], other[lane]);
    clock[each.lane] = std::max(clock[each.lane], each.step + 1);
  }
  clocks_[at.lane].push_back(std::move(clock));
  indices_[at.lane].push_back(sequence_.size());
  sequence_.push_back(at);
}

bool LocalOrder::before(const Dependency& first, const Dependency& second) const {
  return clocks_[second.lane][second.step][first.lane] > first.step;
}

}  // namespace tvp::collectives
