#include "models/host/arc_registers.h"

#include <cstdio>

namespace tvp::host {

namespace {

// Value of scratch register 0 while the ARC firmware idles after a successful start. The post code
// group is 0xC0DE (tt-umd wormhole_tt_device.cpp waits for it).
constexpr std::uint32_t kPostCodeReady = 0xC0DE0001;
constexpr std::uint32_t kMessagePrefix = 0xAA00;
constexpr unsigned kMessageScratch = 5;
constexpr unsigned kArgumentScratch = 3;

enum Message : std::uint32_t {
  kNop = 0x11,
  kGetAiclk = 0x34,
  kGoBusy = 0x52,
  kGoShortIdle = 0x53,
  kGoLongIdle = 0x54,
  kTest = 0x90,
  kDeassertRiscvReset = 0xBA,
};

}  // namespace

ArcRegisters::ArcRegisters(std::string where, unsigned aiclk_mhz, unsigned refclk_mhz,
                           foundation::FaultPolicy& faults)
    : where_(std::move(where)),
      aiclk_mhz_(aiclk_mhz),
      refclk_mhz_(refclk_mhz),
      faults_(faults),
      csm_(kCsmBytes) {
  scratch_[0] = kPostCodeReady;
}

std::uint32_t ArcRegisters::read_apb(std::uint32_t offset, std::uint64_t now_ps) {
  const std::uint32_t at = offset - kResetUnit;
  if (at >= kScratch && at < kScratch + 4 * kScratchCount) return scratch_[(at - kScratch) / 4];
  const std::uint64_t refclk = now_ps * refclk_mhz_ / 1'000'000;
  switch (at) {
    case kRefclkLow:
      return static_cast<std::uint32_t>(refclk);
    case kRefclkHigh:
      return static_cast<std::uint32_t>(refclk >> 32);
    case kMiscControl:
      return misc_control_;
    default:
      unmodelled("read", offset);
  }
  return 0;
}

void ArcRegisters::write_apb(std::uint32_t offset, std::uint32_t value) {
  const std::uint32_t at = offset - kResetUnit;
  if (at >= kScratch && at < kScratch + 4 * kScratchCount) {
    scratch_[(at - kScratch) / 4] = value;
  } else if (at == kMiscControl) {
    misc_control_ = value & ~kMiscControlIrq;  // the CPU takes the interrupt at once
    if (value & kMiscControlIrq) handle_message();
  } else {
    unmodelled("write", offset);
  }
}

void ArcRegisters::handle_message() {
  const std::uint32_t code = scratch_[kMessageScratch];
  if ((code & 0xFF00U) != kMessagePrefix) {
    return unmodelled("message", code);
  }
  switch (code & 0xFFU) {
    case kNop:
    case kGoBusy:
    case kGoShortIdle:
    case kGoLongIdle:
    case kDeassertRiscvReset:
      break;
    case kTest:
      scratch_[kArgumentScratch] += 1;
      break;
    case kGetAiclk:
      scratch_[kArgumentScratch] = aiclk_mhz_;
      break;
    default:
      return unmodelled("message", code);
  }
  // The answer has exit code 0 in the upper half and the message's number in the lower half.
  scratch_[kMessageScratch] = code & 0xFFU;
}

void ArcRegisters::unmodelled(const char* what, std::uint32_t offset) {
  char text[80];
  std::snprintf(text, sizeof text, "ARC %s 0x%X is not modelled", what, offset);
  faults_.raise({foundation::FaultKind::kUnmodelled, where_, text});
}

}  // namespace tvp::host
