#include "models/pim/unit/unit_control.h"

#include "foundation/regs/pim.h"

namespace tvp::pim {

namespace control_regs = regs::pim::control;

void UnitControl::access(support::MmioAccess& access) {
  if (access.write) {
    if (access.offset == control_regs::kPrint) {
      if (output_.size() < print_bytes_) output_ += static_cast<char>(access.data);
    } else if (access.offset == control_regs::kExit) {
      client_.exited(access.data, access.now);
    } else {
      access.unmapped = true;
    }
    return;
  }
  switch (access.offset) {
    case control_regs::kUnit:
      access.data = unit_;
      access.watch = support::Watch::kHost;
      break;
    case control_regs::kUnits:
      access.data = units_;
      access.watch = support::Watch::kHost;
      break;
    case control_regs::kTimerLow:
      access.data = static_cast<std::uint32_t>(access.now);
      timer_high_ = static_cast<std::uint32_t>(access.now >> 32);
      break;
    case control_regs::kTimerHigh:
      access.data = timer_high_;
      break;
    default:
      access.unmapped = true;
  }
}

}  // namespace tvp::pim
