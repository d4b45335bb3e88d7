#include "platform/checks/record/page_order.h"

#include <algorithm>

namespace tvp::checks {

void PageOrder::join(Clock& clock, const Clock& other) {
  for (unsigned i = 0; i < kCores; ++i) clock[i] = std::max(clock[i], other[i]);
}

void PageOrder::step(Count& count, std::uint32_t first, std::uint32_t pages, BusMaster core) {
  const auto all = static_cast<std::uint32_t>(count.steps_.size());
  Count::Step step;
  // A core that knows this step knows the one before it.
  step.known = count.steps_[(first + all - 1) % all].known;
  if (is_core(core)) {
    step.core = static_cast<unsigned>(core);
    Clock& clock = clocks_[step.core];
    step.number = ++clock[step.core];
    join(step.known, clock);
  }
  for (std::uint32_t i = 0; i < std::min(pages, all); ++i) count.steps_[(first + i) % all] = step;
}

void PageOrder::read(const Count& count, std::uint32_t last, BusMaster core) {
  if (is_core(core)) join(clocks_[static_cast<unsigned>(core)], count.steps_[last].known);
}

}  // namespace tvp::checks
