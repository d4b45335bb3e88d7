#include "platform/machine/held_fault_policy.h"

#include <utility>

namespace tvp::platform {

void HeldFaultPolicy::raise(const foundation::Fault& fault) {
  if (all_.stops_at(fault)) throw fault;
  warn(fault);
}

void HeldFaultPolicy::warn(const foundation::Fault& fault) {
  if (!holds_) {
    all_.warn(fault);
    return;
  }
  // Lines describe where cores are now. The policy appends them to the first of equal texts only.
  const bool is_first = texts_.insert(fault.what()).second;
  kept_.push_back({fault, is_first ? all_.lines_of(fault) : std::string()});
}

void HeldFaultPolicy::release() {
  holds_ = false;
  for (const Kept& each : take()) all_.note(each.fault, each.lines);
}

std::vector<HeldFaultPolicy::Kept> HeldFaultPolicy::take() {
  texts_.clear();
  return std::exchange(kept_, {});
}

}  // namespace tvp::platform
