#pragma once

#include "foundation/regs/generation.h"
#include "foundation/regs/tensix_opcode.h"

namespace tvp::regs::tensix {

/// Packers that STALLWAIT distinguishes. The conditions behind theirs move with this number.
inline constexpr unsigned kStallPackers = kFormGeneration == Generation::kBlackhole ? 1 : 4;

/// Conditions of STALLWAIT, for example until a unit has no work of this thread (ISA STALLWAIT.md).
/// Freestanding for firmware.
enum StallCondition : Word {
  kStallScalar = 1u << 0,
  kStallUnpacker0 = 1u << 1,
  kStallUnpacker1 = 1u << 2,
  kStallAllPackers = ((1u << kStallPackers) - 1) << 3,
  kStallMatrix = 1u << (3 + kStallPackers),
  kStallSrcAFree = 1u << (4 + kStallPackers),  ///< while SrcA belongs to the matrix unit
  kStallSrcBFree = 1u << (5 + kStallPackers),
  kStallSrcAHandedOver = 1u << (6 + kStallPackers),  ///< while SrcA belongs to the unpackers
  kStallSrcBHandedOver = 1u << (7 + kStallPackers),
  kStallMover = 1u << (8 + kStallPackers),
  kStallCore = 1u << (9 + kStallPackers),
  kStallVector = 1u << (10 + kStallPackers),
};

}  // namespace tvp::regs::tensix
