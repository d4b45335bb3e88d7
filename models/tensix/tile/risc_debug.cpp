#include "models/tensix/tile/risc_debug.h"

#include "foundation/hex.h"

namespace tvp::tensix {

using foundation::FaultKind;
using support::Cycle;

namespace {

// RISC_DBG_CNTL_0.
constexpr std::uint32_t kTrigger = 1U << 31;
constexpr unsigned kCoreShift = 17;
constexpr std::uint32_t kCoreMask = 3;
constexpr std::uint32_t kWrite = 1U << 16;
constexpr std::uint32_t kRegisterMask = 0xFFFF;

// DBG_BUS_CNTL: the bus is on, word 0 of daisy chain 7 is read; a signal is in the lower bits.
constexpr std::uint32_t kBusWord = 1U << 29 | 7U << 16;
constexpr std::uint32_t kSignalMask = 0xFFFF;
constexpr std::uint32_t kPcMask = 0x7FFFFFFF;  // a program counter has one bit less on the bus

}  // namespace

void RiscDebug::write_control(std::uint32_t value, Cycle now) {
  control_ = value;
  if ((value & kTrigger) == 0) return;
  const std::uint32_t core = value >> kCoreShift & kCoreMask;
  if (core >= cores_.size()) {
    faults_.raise({FaultKind::kFirmware, where_,
                   "RISC_DBG_CNTL_0 names core " + std::to_string(core) + "; expected less than " +
                       std::to_string(cores_.size())});
    return;
  }
  const std::uint32_t index = value & kRegisterMask;
  if ((value & kWrite) != 0) {
    cores_[core]->write(index, data_, now);
    return;
  }
  read_data_ = cores_[core]->read(index, now);
  valid_ = 1U << 30 | 1U << 27;  // Tensix tiles have the first, ethernet tiles the second
}

std::uint32_t RiscDebug::signal() const {
  const auto found = signals_.find(selected_ & kSignalMask);
  if ((selected_ & ~kSignalMask) == kBusWord && found != signals_.end())
    return found->second->pc() & kPcMask;
  faults_.raise({FaultKind::kUnmodelled, where_,
                 "signal " + foundation::hex(selected_, 8) +
                     " of the debug bus is not modelled; expected a core's program counter"});
  return 0;
}

}  // namespace tvp::tensix
