#include "platform/machine/profile/zone_meter.h"

namespace tvp::platform {

ZoneMeter::Code ZoneMeter::code_at(std::uint32_t pc) {
  Known& known = known_[pc / 4 % known_.size()];
  if (known.pc != pc) known = {pc, code_at_(pc)};
  return known.code;
}

void ZoneMeter::at(std::uint32_t pc, support::Cycle when, support::Cycle waited) {
  const Code code = code_at(pc);
  if (code == Code::kFirmware && waited > longest_.length())
    longest_ = {.pc = pc, .begin = when - waited, .end = when};
  if (code == Code::kKernel && !in_kernel_) {
    if (kernel_.run != 0) {
      zones_.push_back(firmware_);
      zones_.back().end = longest_.begin;
    }
    kernel_ = {.is_kernel = true, .pc = pc, .run = kernel_.run + 1, .begin = when};
    firmware_ = {.pc = longest_.pc, .run = kernel_.run, .begin = longest_.end};
    in_kernel_ = true;
  } else if (code == Code::kFirmware && in_kernel_) {
    kernel_.end = when;
    zones_.push_back(kernel_);
    longest_ = {.pc = pc, .begin = when, .end = when};
    in_kernel_ = false;
  }
  last_ = when;
}

std::vector<ZoneMeter::Zone> ZoneMeter::until(support::Cycle now) const {
  std::vector<Zone> zones = zones_;
  if (kernel_.run == 0 || in_kernel_) return zones;
  // The wait at the end has no end yet.
  const bool waits = now > last_ && now - last_ > longest_.length();
  zones.push_back(firmware_);
  zones.back().end = waits ? last_ : longest_.begin;
  return zones;
}

}  // namespace tvp::platform
