#include "models/riscv/debug/core_status.h"

#include "foundation/hex.h"

namespace tvp::riscv {

const char* to_string(CoreState state) {
  switch (state) {
    case CoreState::kInReset:
      return "in reset";
    case CoreState::kRunning:
      return "running";
    case CoreState::kSleepingOnPoll:
      return "polling";
    case CoreState::kSpinning:
      return "spinning";
    case CoreState::kBlocked:
      return "blocked";
    case CoreState::kPaused:
      return "paused";
    case CoreState::kHung:
      return "hung";
  }
  return "";
}

std::string hex(std::uint32_t value) { return foundation::hex(value, 8); }

void CoreStatus::raise(const std::string& text) {
  faults_.raise(
      foundation::Fault(foundation::FaultKind::kFirmware, where_, text + ", pc " + hex(s_.pc)));
}

}  // namespace tvp::riscv
