#include "models/noc/niu/niu_steps.h"

#include <algorithm>

#include "models/support/tile_scheduler.h"

namespace tvp::noc {

using support::Cycle;

namespace {

bool later(const NiuStep& a, const NiuStep& b) {
  return a.when != b.when ? a.when > b.when : a.order > b.order;
}

}  // namespace

void NiuSteps::at(Cycle when, NiuStep::Kind kind, Packet* packet, unsigned argument) {
  constexpr std::uint64_t kOwn = std::uint64_t{1} << 32;
  push({when, kOwn | own_steps_++, packet, kind, static_cast<std::uint8_t>(argument)});
}

void NiuSteps::at_arrival(Cycle when, NiuStep::Kind kind, Packet* packet) {
  push({when, arrivals_++, packet, kind, 0});
  calendar_.tile_woken(tile_);
}

NiuStep NiuSteps::pop() {
  const NiuStep step = steps_.front();
  std::pop_heap(steps_.begin(), steps_.end(), later);
  steps_.pop_back();
  return step;
}

void NiuSteps::push(const NiuStep& step) {
  steps_.push_back(step);
  std::push_heap(steps_.begin(), steps_.end(), later);
  niu_.wake(step.when);
}

}  // namespace tvp::noc
