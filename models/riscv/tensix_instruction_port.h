#pragma once

#include <cstdint>

#include "models/support/time.h"

namespace tvp::riscv {

/// Destination of the `.ttinsn` instructions of T0, T1 and T2: the FIFO before a thread's MOP
/// expander (ISA BabyRISCV/PushTensixInstruction.md).
class TensixInstructionPort {
 public:
  virtual ~TensixInstructionPort() = default;
  /// Pushes `instruction` for `thread` at cycle `now`, in the step of the agent with tie order
  /// `order`. False if the FIFO is full; then nothing has happened, and the core tries again one
  /// cycle after a change of Watch::kCoprocessor.
  virtual bool push(unsigned thread, std::uint32_t instruction, support::Cycle now,
                    unsigned order) = 0;
};

}  // namespace tvp::riscv
