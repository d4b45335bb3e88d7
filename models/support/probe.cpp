#include "models/support/probe.h"

namespace tvp::support {

void Probe::want_core_accesses(unsigned range, std::uint32_t begin, std::uint32_t end) {
  ranges_[range] = {begin, end};
  Range around;
  for (const Range& each : ranges_) {
    around.begin = std::min(around.begin, each.begin);
    around.end = std::max(around.end, each.end);
  }
  if (around.begin == around_.begin && around.end == around_.end) return;
  around_ = around;
  set_limits();
}

void Probe::set_limits() {
  for (const Core& core : cores_) {
    if (core.direct == nullptr) continue;
    *core.direct = wants_all_ ? 0 : std::min(*core.mapped, around_.begin);
    *core.beyond = wants_all_ ? kNowhere : around_.end;
  }
}

void Probe::written(std::uint32_t address, std::uint32_t bytes) {
  if (!awaits(address, address + bytes - 1)) return;
  report({.kind = Event::Kind::kFirstWrite, .bytes = bytes, .address = address});
}

}  // namespace tvp::support
